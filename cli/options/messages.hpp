// SPDX-License-Identifier: Apache-2.0
// Which files are messages, and which are tables.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"
#include "credence/schema.hpp"
#include "credence/source.hpp"

namespace credence::cli {

// Whether some column of the model holds a part of a message.
bool reads_messages(const Schema& schema);

// Whether, as far as format and names tell, these are messages and no table: a table has a name
// such as rows.csv, or its format is stated.
bool are_messages(const std::vector<std::string>& paths, FileFormat format);

// The same by what is in them, too: files without a name that tells are messages unless they read
// as a table with a column of the model. Standard input cannot be looked at, so its format decides.
bool look_like_messages(const std::vector<std::string>& paths, const ReadOptions& options,
                        const Schema& schema);

// How DATA is read for a model: by its words for "no value", and as mails where it is of mails.
ReadOptions reading_for(const DataOptions& data, const std::vector<std::string>& paths,
                        const Schema& schema);

bool has_subfolders(const std::string& path);

}  // namespace credence::cli
