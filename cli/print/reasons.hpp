// SPDX-License-Identifier: Apache-2.0
// Reasons for the labels of rows, one after the other: printed as they come, or collected for one
// document.
#pragma once

#include <string>

#include "cli/print/explanation.hpp"
#include "credence/steps.hpp"

namespace credence::cli {

struct ReasonOptions {
  Common common;
  std::string model;
  std::string label;
  std::string against;
  std::size_t limit = 10;
  std::string color = "auto";
  std::string html;
  bool every_class = false;
  bool steps = false;
  bool markdown = false;
  bool latex = false;
};

// What is said of one row, ready to be printed.
struct Reason {
  std::string text, html;
  Json json;
};

class Reasons {
 public:
  Reasons(const ReasonOptions& options, const Classifier& classifier);

  bool full() const { return added_ >= options_.limit; }
  std::size_t added() const { return added_; }
  // number: of the row in its file, from 1 on; name: of its file, where it is one; texts: of its
  // documents, where they are at hand; truth: its class, where the data say it.
  Reason of(const Chunk& chunk, std::size_t row, std::size_t number, const std::string& name,
            const data::DocumentTexts* texts, const std::string& truth = "") const;
  void add(const Reason& reason);
  void finish() const;

 private:
  const ReasonOptions& options_;
  const Classifier& classifier_;
  bool color_;
  std::size_t added_ = 0;
  Json json_ = Json::array();
  std::string html_;
};

}  // namespace credence::cli
