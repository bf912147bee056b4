// SPDX-License-Identifier: Apache-2.0
#include "serve/models/snapshot.hpp"

#include <fmt/format.h>

#include <utility>

#include "credence/error.hpp"
#include "credence/io.hpp"
#include "serve/http/message.hpp"

namespace credence::serve {

Snapshot::Snapshot(std::string name, std::string_view bytes, std::uint64_t version)
    : name_(std::move(name)), version_(version), bytes_(bytes.size()) {
  if (LogisticModel::recognises(bytes)) {
    logistic_ = std::make_unique<LogisticModel>(LogisticModel::from_json(bytes, name_));
  } else {
    model_.emplace(from_bytes(bytes, name_));
  }
  prepare();
}

Snapshot::Snapshot(std::string name, Model model, std::uint64_t version, std::uint64_t bytes)
    : name_(std::move(name)), version_(version), bytes_(bytes), model_(std::move(model)) {
  prepare();
}

void Snapshot::prepare() {
  if (model_) {
    scorer_ = std::make_unique<Scorer>(*model_);
    const auto& novelty = model_->settings().novelty;
    if (novelty && novelty->fits(*model_)) novelty_.emplace(*model_, *scorer_);
  }
  rows_ = std::make_unique<const data::JsonRows>(schema(), false);
  for (const auto& name : classes()) class_texts_.push_back(json_text(name));
  // No rows: what is made with the first ones, such as the table of all words, is made now.
  (void)classifier().log_scores(rows_->read({}));
}

const Classifier& Snapshot::classifier() const {
  if (logistic_) return *logistic_;
  return *scorer_;
}

const Model& Snapshot::model(std::string_view what) const {
  if (model_) return *model_;
  throw Error(ErrorKind::usage,
              fmt::format("{}: a logistic model does not say what the classes look like: {} does "
                          "not apply",
                          name_, what));
}

const Scorer& Snapshot::scorer(std::string_view what) const {
  (void)model(what);
  return *scorer_;
}

std::shared_ptr<const Snapshot> Snapshot::with(const Overrides& overrides) const {
  constexpr std::size_t kept = 4;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [how, snapshot] : others_) {
      if (how == overrides) return snapshot;
    }
  }
  if (logistic_) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model has coefficients, not counts and a prior: {} "
                            "cannot change them",
                            name_,
                            setting(!overrides.rule.empty()    ? "rule"
                                    : !overrides.prior.empty() ? "prior"
                                                               : "calibration")));
  }
  auto made = std::make_shared<const Snapshot>(name_, overridden(*model_, name_, overrides),
                                               version_, bytes_);
  const std::lock_guard lock(mutex_);
  if (others_.size() >= kept) others_.erase(others_.begin());
  others_.emplace_back(overrides, made);
  return made;
}

}  // namespace credence::serve
