// SPDX-License-Identifier: Apache-2.0
// What fuzz targets share. A target is a function of any bytes that must return: what it calls may
// refuse them by an Error, and by nothing else.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "credence/classifier.hpp"
#include "credence/model.hpp"
#include "credence/source.hpp"

namespace credence::fuzz {

struct Target {
  std::string name;  // of its folder in corpus, too
  std::function<void(std::string_view)> run;
};

// All targets, by name.
const std::vector<Target>& targets();

// Makes a target known: const Registered csv{"csv", [](std::string_view bytes) { … }};
struct Registered {
  Registered(std::string name, std::function<void(std::string_view)> run);
};

// Ends the process with `what` unless it holds.
void require(bool holds, const char* what);

// A posterior is a distribution, or NaN throughout where no class allows the row.
void require_distribution(const Posterior& answer);

// Runs `work`. False: it was refused.
bool accepted(const std::function<void()>& work);

// The path of a file in memory that holds these bytes, until the next call.
std::string file_of(std::string_view bytes);

// Takes the first line off: options that stand before the rest of an input.
std::string_view take_line(std::string_view& bytes);

// A model and rows for it, which the targets that need some have in common.
const Model& mixed_model();

// Everything that is done with a model that was read: it is scored, explained, sampled, written and
// read again.
void use(const Model& model);

// Learns from a file of this format, the columns treated as `as` says (lines of --as between ;),
// uses the model, and forgets all rows again.
void learn(std::string_view bytes, FileFormat format, std::string_view as);

}  // namespace credence::fuzz
