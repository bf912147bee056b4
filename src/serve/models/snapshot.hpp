// SPDX-License-Identifier: Apache-2.0
// A model as it is at one moment, ready to answer. Whoever has one may use it as long as he likes,
// from any thread, whatever becomes of the model meanwhile.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "answers/json.hpp"
#include "answers/overrides.hpp"
#include "credence/novelty.hpp"
#include "credence/scorer.hpp"
#include "tables/json_rows.hpp"
#include "twin/model.hpp"

namespace credence::serve {

class Snapshot {
 public:
  // From the bytes of a model file or a hand-written model; name: what messages call it.
  Snapshot(std::string name, std::string_view bytes, std::uint64_t version);
  Snapshot(std::string name, Model model, std::uint64_t version, std::uint64_t bytes = 0);
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t version() const { return version_; }
  std::uint64_t bytes() const { return bytes_; }  // of its file; 0: not known
  const Classifier& classifier() const;
  const Schema& schema() const { return classifier().schema(); }
  const std::vector<std::string>& classes() const { return classifier().classes(); }
  // Throws a usage error where the model is a logistic one: `what` does not apply to it.
  const Model& model(std::string_view what) const;
  const Scorer& scorer(std::string_view what) const;
  const Model* generative() const { return model_ ? &*model_ : nullptr; }
  const LogisticModel* logistic() const { return logistic_.get(); }
  const NoveltyTest* novelty() const { return novelty_ ? &*novelty_ : nullptr; }

  const data::JsonRows& rows() const { return *rows_; }
  // The classes as JSON writes them, once as texts and once as keys.
  const std::vector<std::string>& class_texts() const { return class_texts_; }

  // The same model under other settings; a few of them are kept.
  std::shared_ptr<const Snapshot> with(const Overrides& overrides) const;
  // Made once and kept: make() where nobody has yet, which gives what a shared_ptr can hold.
  template <typename Make>
  auto cached(const std::string& key, const Make& make) const {
    using Made = std::shared_ptr<const decltype(make())>;
    {
      const std::lock_guard lock(mutex_);
      const auto found = cache_.find(key);
      if (found != cache_.end())
        return std::static_pointer_cast<const decltype(make())>(found->second);
    }
    const Made made = std::make_shared<const decltype(make())>(make());
    const std::lock_guard lock(mutex_);
    if (cache_.size() >= 16) cache_.clear();
    cache_[key] = made;
    return made;
  }

 private:
  void prepare();

  std::string name_;
  std::uint64_t version_, bytes_ = 0;
  std::optional<Model> model_;
  std::unique_ptr<LogisticModel> logistic_;
  std::unique_ptr<Scorer> scorer_;
  std::optional<NoveltyTest> novelty_;
  std::unique_ptr<const data::JsonRows> rows_;
  std::vector<std::string> class_texts_;

  mutable std::mutex mutex_;
  mutable std::vector<std::pair<Overrides, std::shared_ptr<const Snapshot>>> others_;
  mutable std::map<std::string, std::shared_ptr<const void>> cache_;
};

}  // namespace credence::serve
