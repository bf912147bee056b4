// SPDX-License-Identifier: Apache-2.0
// What is said beforehand of a table's columns: which values they may have, and in which order the
// classes come.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "credence/model.hpp"

namespace credence {

using Declared = std::map<std::string, std::vector<std::string>>;  // column -> values

std::vector<std::string> names_of(const std::vector<ColumnProfile>& profile);
// Throws a usage error that names the setting, with a suggestion.
[[noreturn]] void no_such_column(const std::string& option, const std::string& name,
                                 const std::vector<ColumnProfile>& profile);
std::size_t find_column(const std::string& option, const std::string& name,
                        const std::vector<ColumnProfile>& profile);

// The declared values of columns; a prior over values says which there are, too.
Declared declared_by(const std::vector<ColumnProfile>& profile, const Plan& plan);
// Takes out the target's values, which are the order of the classes.
std::vector<std::string> order_of_classes(const ColumnProfile& target, const Plan& plan,
                                          Declared& declared);
// The edges of a number's bins, as text: those that were declared, or such that about equally many
// of the sampled numbers are in each, read as the column will be.
std::vector<std::string> edges_for(const ColumnProfile& column, const std::string& reading,
                                   const Declared& declared);

}  // namespace credence
