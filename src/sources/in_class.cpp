// SPDX-License-Identifier: Apache-2.0
#include "sources/in_class.hpp"

namespace credence::data {
namespace {

class InClass final : public Source {
 public:
  InClass(std::unique_ptr<Source> rows, std::string label)
      : rows_(std::move(rows)), label_(std::move(label)) {}

  const std::vector<ColumnProfile>& profile() const override { return rows_->profile(); }
  void select(const Schema& schema, bool training) override {
    Schema without_class = schema;
    without_class.target.clear();
    rows_->select(without_class, training);
  }
  bool read(RawChunk& raw) override { return rows_->read(raw); }
  Chunk parse(const RawChunk& raw) const override {
    Chunk chunk = rows_->parse(raw);
    chunk.labels.dictionary = {label_};
    chunk.labels.codes.assign(chunk.rows, 0);
    return chunk;
  }
  std::vector<std::string> notes() const override { return rows_->notes(); }
  bool names_rows() const override { return rows_->names_rows(); }
  std::vector<std::string> row_names(const RawChunk& raw) const override {
    return rows_->row_names(raw);
  }
  std::uint64_t bytes_read() const override { return rows_->bytes_read(); }
  std::uint64_t bytes_total() const override { return rows_->bytes_total(); }

 private:
  std::unique_ptr<Source> rows_;
  std::string label_;
};

}  // namespace

std::unique_ptr<Source> in_class(std::unique_ptr<Source> rows, std::string label) {
  return std::make_unique<InClass>(std::move(rows), std::move(label));
}

}  // namespace credence::data
