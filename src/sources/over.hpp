// SPDX-License-Identifier: Apache-2.0
// A source over another: it passes on whatever it does not change.
#pragma once

#include <memory>
#include <utility>

#include "credence/source.hpp"

namespace credence::data {

class SourceOver : public Source {
 public:
  explicit SourceOver(std::unique_ptr<Source> rows) : rows_(std::move(rows)) {}

  const std::vector<ColumnProfile>& profile() const override { return rows_->profile(); }
  bool read(RawChunk& raw) override { return rows_->read(raw); }
  std::string default_target() const override { return rows_->default_target(); }
  std::vector<std::string> notes() const override { return rows_->notes(); }
  bool names_rows() const override { return rows_->names_rows(); }
  std::vector<std::string> row_names(const RawChunk& raw) const override {
    return rows_->row_names(raw);
  }
  std::uint64_t bytes_read() const override { return rows_->bytes_read(); }
  std::uint64_t bytes_total() const override { return rows_->bytes_total(); }

 protected:
  std::unique_ptr<Source> rows_;
};

}  // namespace credence::data
