// SPDX-License-Identifier: Apache-2.0
// What the commands share that write a changed model: when it was, room in the prior, the report.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"
#include "credence/io.hpp"
#include "credence/scorer.hpp"

namespace credence::cli {

// --when: any text for the journal. The clock is never asked: the same commands on the same data
// write the same bytes. --no-wait: what to do where another program is writing.
void add_writing(CLI::App* command, std::string& when, Common& common);
void add_model(CLI::App* command, std::string& model, std::string& output);

CLI::Validator not_empty(const std::string& what);
// For names given to something new: they are printed one to a line.
CLI::Validator one_line();
// Above 0 and finite, or also 0.
CLI::Validator positive_number(bool zero_too = false);

// Models typed in by hand hold nothing that was counted.
void refuse_hand_written(const Model& model, const std::string& path, const std::string& cannot);

// A prior that was given or adapted names every class: one that is new since gets the share of the
// rows that it has.
void make_room(const Common& common, Model& model);

// A weight for people: whole ones in full, others with six digits.
std::string weight_text(double weight);

// Held from before the model is read until it is written, where both are the same file; else while
// it is written.
ModelLock lock_to_write(const Common& common, const std::string& path);

// Says what the model now holds; --json says it on stdout.
void report(const Common& common, const Model& model, const Scorer& scorer, const std::string& path,
            const std::vector<PlannedColumn>& columns = {});

// Checks that the model can be read under its rule, writes it and says so.
void finish_change(const Common& common, Model& model, JournalEntry entry, const std::string& path);

// What show --history prints.
std::string history_text(const Model& model);

}  // namespace credence::cli
