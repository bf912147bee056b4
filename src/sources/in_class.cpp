// SPDX-License-Identifier: Apache-2.0
#include "sources/in_class.hpp"

#include "sources/over.hpp"

namespace credence::data {
namespace {

class InClass final : public SourceOver {
 public:
  InClass(std::unique_ptr<Source> rows, std::string label)
      : SourceOver(std::move(rows)), label_(std::move(label)) {}

  void select(const Schema& schema, bool training) override {
    Schema without_class = schema;
    without_class.target.clear();
    rows_->select(without_class, training);
  }
  Chunk parse(const RawChunk& raw) const override {
    Chunk chunk = rows_->parse(raw);
    chunk.labels.dictionary = {label_};
    chunk.labels.codes.assign(chunk.rows, 0);
    return chunk;
  }

 private:
  std::string label_;
};

}  // namespace

std::unique_ptr<Source> in_class(std::unique_ptr<Source> rows, std::string label) {
  return std::make_unique<InClass>(std::move(rows), std::move(label));
}

}  // namespace credence::data
