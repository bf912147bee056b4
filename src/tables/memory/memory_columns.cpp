// SPDX-License-Identifier: Apache-2.0
#include "tables/memory/memory_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace credence::data {
namespace {

template <class T>
T load(const void* data, std::ptrdiff_t stride, std::size_t row) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + stride * static_cast<std::ptrdiff_t>(row),
              sizeof value);
  return value;
}

// Calls f with a value of the C++ type.
template <class F>
decltype(auto) with_type(NumberType type, const F& f) {
  switch (type) {
    case NumberType::int8:
      return f(std::int8_t{});
    case NumberType::int16:
      return f(std::int16_t{});
    case NumberType::int32:
      return f(std::int32_t{});
    case NumberType::int64:
      return f(std::int64_t{});
    case NumberType::uint8:
      return f(std::uint8_t{});
    case NumberType::uint16:
      return f(std::uint16_t{});
    case NumberType::uint32:
      return f(std::uint32_t{});
    case NumberType::uint64:
      return f(std::uint64_t{});
    case NumberType::float32:
      return f(float{});
    case NumberType::float64:
      break;
  }
  return f(double{});
}

template <class T>
class NumberColumn final : public MemoryColumn {
 public:
  explicit NumberColumn(const NumberView& numbers) : numbers_(numbers) {}

  std::optional<std::string_view> text(std::size_t row, std::string& scratch) const override {
    if (!numbers_.valid(row)) return std::nullopt;
    const T value = load<T>(numbers_.data, numbers_.stride, row);
    scratch.clear();
    fmt::format_to(std::back_inserter(scratch), "{}", value);
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) return std::nullopt;
      // As Python writes it: 1.0, and 1e+16.
      if (!numbers_.whole && scratch.find_first_not_of("-0123456789") == std::string::npos) {
        scratch += ".0";
      }
    }
    return scratch;
  }

  std::size_t profile(Profiler& profiler, std::size_t column, std::size_t row,
                      std::string& scratch) const override {
    const auto cell = text(row, scratch);
    if (!cell) return 1;
    profiler.number(column, static_cast<double>(load<T>(numbers_.data, numbers_.stride, row)));
    return cell->size() + 1;
  }

  void fill(ChunkBuilder& builder, std::size_t slot, std::size_t from, std::size_t to,
            std::size_t first) const override {
    if (std::is_integral_v<T> && builder.takes_words(slot)) {
      return fill_words(builder, slot, from, to, first);
    }
    if (!builder.takes_numbers(slot)) return MemoryColumn::fill(builder, slot, from, to, first);
    for (std::size_t row = from; row < to; ++row) {
      builder.at_row(first + row - from);
      if (numbers_.valid(row)) {
        builder.number(slot, static_cast<double>(load<T>(numbers_.data, numbers_.stride, row)));
      } else {
        builder.absent(slot);
      }
    }
  }

 private:
  // Small whole numbers are written and looked up once each in a chunk.
  void fill_words(ChunkBuilder& builder, std::size_t slot, std::size_t from, std::size_t to,
                  std::size_t first) const {
    constexpr std::int32_t unknown = -2;
    std::vector<std::int32_t>& known = builder.known_codes(slot);
    known.resize(256, unknown);
    std::string scratch;
    const bool all_there = numbers_.valid.bits == nullptr;
    std::int32_t* codes = builder.words(slot, to - from);
    for (std::size_t row = from; row < to; ++row) {
      const std::uint64_t place = place_of(row);
      if (place < known.size() && known[place] != unknown && (all_there || numbers_.valid(row))) {
        codes[row - from] = known[place];
        continue;
      }
      builder.at_row(first + row - from);
      codes[row - from] = numbers_.valid(row) ? builder.word_code(slot, *text(row, scratch))
                                              : Categories::missing_code;
      if (place < known.size() && numbers_.valid(row)) known[place] = codes[row - from];
    }
  }
  // Rows that lie far apart are fetched before it is their turn: they are read here and there.
  std::uint64_t place_of(std::size_t row) const {
    if (numbers_.stride > 64) {
      __builtin_prefetch(static_cast<const char*>(numbers_.data) +
                         numbers_.stride * static_cast<std::ptrdiff_t>(row + rows_at_once));
    }
    return static_cast<std::uint64_t>(load<T>(numbers_.data, numbers_.stride, row));
  }

  NumberView numbers_;
};

class BooleanColumn final : public MemoryColumn {
 public:
  BooleanColumn(const std::uint8_t* bits, std::size_t offset, Validity valid)
      : bits_{bits, offset}, valid_(valid) {}
  BooleanColumn(const std::uint8_t* bytes, std::ptrdiff_t stride)
      : bytes_(bytes), stride_(stride) {}

  std::optional<std::string_view> text(std::size_t row, std::string&) const override {
    if (!valid_(row)) return std::nullopt;
    const bool value = bytes_ ? load<std::uint8_t>(bytes_, stride_, row) != 0 : bits_(row);
    return value ? "True" : "False";
  }

 private:
  Validity bits_, valid_;
  const std::uint8_t* bytes_ = nullptr;
  std::ptrdiff_t stride_ = 1;
};

template <class Offset>
class WordColumn final : public MemoryColumn {
 public:
  WordColumn(const Offset* offsets, const char* bytes, Validity valid)
      : offsets_(offsets), bytes_(bytes), valid_(valid) {}

  std::optional<std::string_view> text(std::size_t row, std::string&) const override {
    if (!valid_(row)) return std::nullopt;
    return std::string_view(bytes_ + offsets_[row], text_bytes(row));
  }
  std::size_t text_bytes(std::size_t row) const override {
    return static_cast<std::size_t>(offsets_[row + 1] - offsets_[row]);
  }

 private:
  const Offset* offsets_;
  const char* bytes_;
  Validity valid_;
};

class WordViewColumn final : public MemoryColumn {
 public:
  WordViewColumn(const void* views, const void* const* buffers, Validity valid)
      : views_(static_cast<const char*>(views)), buffers_(buffers), valid_(valid) {}

  std::optional<std::string_view> text(std::size_t row, std::string&) const override {
    if (!valid_(row)) return std::nullopt;
    const char* view = views_ + 16 * row;
    const std::size_t size = text_bytes(row);
    if (size <= 12) return std::string_view(view + 4, size);
    const auto buffer = load<std::int32_t>(view + 8, 0, 0),
               offset = load<std::int32_t>(view + 12, 0, 0);
    return std::string_view(static_cast<const char*>(buffers_[buffer]) + offset, size);
  }
  std::size_t text_bytes(std::size_t row) const override {
    return static_cast<std::size_t>(load<std::int32_t>(views_, 16, row));
  }

 private:
  const char* views_;
  const void* const* buffers_;
  Validity valid_;
};

class OwnedWordColumn final : public MemoryColumn {
 public:
  OwnedWordColumn(std::vector<std::string> words, std::vector<bool> present)
      : words_(std::move(words)), present_(std::move(present)) {}

  std::optional<std::string_view> text(std::size_t row, std::string&) const override {
    if (!present_[row]) return std::nullopt;
    return words_[row];
  }
  std::size_t text_bytes(std::size_t row) const override { return words_[row].size(); }

 private:
  std::vector<std::string> words_;
  std::vector<bool> present_;
};

template <class Code>
class CodedColumn final : public MemoryColumn {
 public:
  CodedColumn(const NumberView& codes, ColumnPointer words, std::size_t word_count)
      : codes_(codes), words_(std::move(words)), word_count_(word_count) {}

  std::optional<std::string_view> text(std::size_t row, std::string& scratch) const override {
    if (!codes_.valid(row)) return std::nullopt;
    const Code code = load<Code>(codes_.data, codes_.stride, row);
    if (code < 0) return std::nullopt;
    // Codes come from outside: one too large must not be followed.
    if (static_cast<std::uint64_t>(code) >= word_count_) {
      throw Error(ErrorKind::data, fmt::format("the code {} is beyond the {} words of a column",
                                               static_cast<std::uint64_t>(code), word_count_));
    }
    return words_->text(static_cast<std::size_t>(code), scratch);
  }
  std::size_t text_bytes(std::size_t row) const override {
    std::string scratch;
    const auto word = text(row, scratch);
    return word ? word->size() : 0;
  }

 private:
  NumberView codes_;
  ColumnPointer words_;
  std::size_t word_count_;
};

class MissingColumn final : public MemoryColumn {
 public:
  std::optional<std::string_view> text(std::size_t, std::string&) const override {
    return std::nullopt;
  }
};

class UnreadableColumn final : public MemoryColumn {
 public:
  explicit UnreadableColumn(std::string message) : message_(std::move(message)) {}

  std::optional<std::string_view> text(std::size_t, std::string&) const override {
    throw UnreadableType(message_);
  }
  // One word, so that it is refused unless somebody says that it is to be ignored.
  std::size_t profile(Profiler& profiler, std::size_t column, std::size_t,
                      std::string&) const override {
    profiler.cell(column, "unreadable");
    return 1;
  }

 private:
  std::string message_;
};

template <class Start, class Feature, class Count>
class SparseColumn final : public MemoryColumn {
 public:
  explicit SparseColumn(const SparseView& rows) : rows_(rows) {}

  std::optional<std::string_view> text(std::size_t, std::string&) const override {
    throw UnreadableType("a sparse row is not a single value");
  }

  void fill(ChunkBuilder& builder, std::size_t slot, std::size_t from, std::size_t to,
            std::size_t first) const override {
    std::vector<std::int32_t> codes(rows_.width, -1);  // of the chunk, by feature
    std::string scratch;
    for (std::size_t row = from; row < to; ++row) {
      builder.at_row(first + row - from);
      builder.bag(slot);
      for_each(row, [&](std::size_t feature, double count) {
        if (count == 0) return;
        auto& code = codes[feature];
        if (code < 0) code = builder.bag_code(slot, name(feature, scratch));
        builder.bag_item(slot, code, count);
      });
    }
  }

  std::size_t profile(Profiler& profiler, std::size_t column, std::size_t row,
                      std::string& scratch) const override {
    profiler.bag(column);
    std::size_t bytes = 1;
    for_each(row, [&](std::size_t feature, double count) {
      const auto word = name(feature, scratch);
      profiler.bag_item(column, word, count);
      bytes += word.size() + 3;
    });
    return bytes;
  }

 private:
  template <class F>
  void for_each(std::size_t row, const F& f) const {
    const auto start = load<Start>(rows_.starts.data, rows_.starts.stride, row);
    const auto end = load<Start>(rows_.starts.data, rows_.starts.stride, row + 1);
    for (auto i = start; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto feature = load<Feature>(rows_.features.data, rows_.features.stride, at);
      if (feature < 0 || static_cast<std::size_t>(feature) >= rows_.width) {
        throw Error(ErrorKind::data, fmt::format("row {} of a sparse matrix of {} columns has an "
                                                 "entry in column {}",
                                                 row, rows_.width, feature));
      }
      f(static_cast<std::size_t>(feature),
        static_cast<double>(load<Count>(rows_.counts.data, rows_.counts.stride, at)));
    }
  }

  std::string_view name(std::size_t feature, std::string& scratch) const {
    if (rows_.names) return (*rows_.names)[feature];
    scratch = fmt::format_int(feature).str();
    return scratch;
  }

  SparseView rows_;
};

template <class T>
class MatrixBagColumn final : public MemoryColumn {
 public:
  MatrixBagColumn(const MatrixView& matrix, std::shared_ptr<const std::vector<std::string>> names,
                  bool presences)
      : matrix_(matrix), names_(std::move(names)), presences_(presences) {}

  std::optional<std::string_view> text(std::size_t, std::string&) const override {
    throw UnreadableType("a row of counts is not a single value");
  }

  void fill(ChunkBuilder& builder, std::size_t slot, std::size_t from, std::size_t to,
            std::size_t first) const override {
    std::vector<std::int32_t> codes(matrix_.columns, -1);  // of the chunk, by feature
    for (std::size_t row = from; row < to; ++row) {
      builder.at_row(first + row - from);
      builder.bag(slot);
      for_each(row, [&](std::size_t feature, double count) {
        auto& code = codes[feature];
        if (code < 0) code = builder.bag_code(slot, (*names_)[feature]);
        builder.bag_item(slot, code, count);
      });
    }
  }

  std::size_t profile(Profiler& profiler, std::size_t column, std::size_t row,
                      std::string&) const override {
    profiler.bag(column);
    std::size_t bytes = 1;
    for_each(row, [&](std::size_t feature, double count) {
      profiler.bag_item(column, (*names_)[feature], count);
      bytes += (*names_)[feature].size() + 3;
    });
    return bytes;
  }

 private:
  template <class F>
  void for_each(std::size_t row, const F& f) const {
    for (std::size_t i = 0; i < matrix_.columns; ++i) {
      const NumberView column = matrix_.column(i);
      const T count = load<T>(column.data, column.stride, row);
      if (count != 0 && !(presences_ && count < 0)) f(i, static_cast<double>(count));
    }
  }

  MatrixView matrix_;
  std::shared_ptr<const std::vector<std::string>> names_;
  bool presences_;
};

}  // namespace

NumberView MatrixView::column(std::size_t i) const {
  NumberView result = first;
  result.data =
      static_cast<const char*>(first.data) + column_stride * static_cast<std::ptrdiff_t>(i);
  return result;
}

std::function<MatrixRows(std::size_t from, std::size_t to)> lend_matrix(const MatrixView& matrix) {
  const auto width = static_cast<std::ptrdiff_t>(matrix.columns * sizeof(double));
  const auto aligned = reinterpret_cast<std::uintptr_t>(matrix.first.data) % alignof(double) == 0;
  if (matrix.first.type == NumberType::float64 && matrix.first.stride == width && aligned &&
      (matrix.column_stride == sizeof(double) || matrix.columns == 1)) {
    return [=](std::size_t from, std::size_t) -> MatrixRows {
      return {static_cast<const double*>(matrix.first.data) + from * matrix.columns,
              matrix.columns};
    };
  }
  return [=](std::size_t from, std::size_t to) -> MatrixRows {
    auto copy = std::make_shared<std::vector<double>>((to - from) * matrix.columns);
    with_type(matrix.first.type, [&](auto type) {
      for (std::size_t i = 0; i < matrix.columns; ++i) {
        const NumberView column = matrix.column(i);
        for (std::size_t row = from; row < to; ++row) {
          (*copy)[(row - from) * matrix.columns + i] =
              static_cast<double>(load<decltype(type)>(column.data, column.stride, row));
        }
      }
    });
    return {copy->data(), matrix.columns, copy};
  };
}

std::function<std::optional<SparseRows>(std::size_t from, std::size_t to)> lend_sparse(
    const SparseView& rows) {
  const bool plain = rows.features.type == NumberType::int32 &&
                     rows.features.stride == sizeof(std::int32_t) &&
                     rows.counts.type == NumberType::float64 &&
                     rows.counts.stride == sizeof(double) && is_integer(rows.starts.type);
  if (!plain) return {};
  return [=](std::size_t from, std::size_t to) -> std::optional<SparseRows> {
    SparseRows result{static_cast<const std::int32_t*>(rows.features.data),
                      static_cast<const double*>(rows.counts.data),
                      {},
                      {}};
    result.starts.reserve(to - from + 1);
    with_type(rows.starts.type, [&](auto type) {
      for (std::size_t row = from; row <= to; ++row) {
        result.starts.push_back(static_cast<std::size_t>(
            load<decltype(type)>(rows.starts.data, rows.starts.stride, row)));
      }
    });
    // Counts that are refused are told apart elsewhere, and so are features that stand twice.
    constexpr double largest = 1e300;
    for (std::size_t row = 0; row + 1 < result.starts.size(); ++row) {
      std::int64_t before = -1;
      for (std::size_t i = result.starts[row]; i < result.starts[row + 1]; ++i) {
        const bool well =
            result.features[i] > before && result.counts[i] >= 0 && result.counts[i] <= largest;
        if (!well) return std::nullopt;
        before = result.features[i];
      }
      if (before >= static_cast<std::int64_t>(rows.width)) return std::nullopt;
    }
    return result;
  };
}

ColumnPointer bag_column(const MatrixView& matrix,
                         std::shared_ptr<const std::vector<std::string>> names, bool presences) {
  return with_type(matrix.first.type, [&](auto type) -> ColumnPointer {
    return std::make_shared<MatrixBagColumn<decltype(type)>>(matrix, names, presences);
  });
}

bool is_integer(NumberType type) {
  return type != NumberType::float32 && type != NumberType::float64;
}

ColumnPointer number_column(const NumberView& numbers) {
  return with_type(numbers.type, [&](auto type) -> ColumnPointer {
    return std::make_shared<NumberColumn<decltype(type)>>(numbers);
  });
}

ColumnPointer bit_column(const std::uint8_t* bits, std::size_t offset, Validity valid) {
  return std::make_shared<BooleanColumn>(bits, offset, valid);
}

ColumnPointer byte_column(const std::uint8_t* bytes, std::ptrdiff_t stride) {
  return std::make_shared<BooleanColumn>(bytes, stride);
}

ColumnPointer word_column(const std::int32_t* offsets, const char* bytes, Validity valid) {
  return std::make_shared<WordColumn<std::int32_t>>(offsets, bytes, valid);
}

ColumnPointer word_column(const std::int64_t* offsets, const char* bytes, Validity valid) {
  return std::make_shared<WordColumn<std::int64_t>>(offsets, bytes, valid);
}

ColumnPointer word_view_column(const void* views, const void* const* buffers, Validity valid) {
  return std::make_shared<WordViewColumn>(views, buffers, valid);
}

ColumnPointer word_column(std::vector<std::string> words, std::vector<bool> present) {
  return std::make_shared<OwnedWordColumn>(std::move(words), std::move(present));
}

ColumnPointer coded_column(const NumberView& codes, ColumnPointer words, std::size_t word_count) {
  return with_type(codes.type, [&](auto type) -> ColumnPointer {
    return std::make_shared<CodedColumn<decltype(type)>>(codes, words, word_count);
  });
}

ColumnPointer missing_column() { return std::make_shared<MissingColumn>(); }

ColumnPointer unreadable_column(std::string message) {
  return std::make_shared<UnreadableColumn>(std::move(message));
}

ColumnPointer sparse_column(const SparseView& rows) {
  const auto make = [&]<class Index>(Index) -> ColumnPointer {
    return with_type(rows.counts.type, [&](auto count) -> ColumnPointer {
      return std::make_shared<SparseColumn<Index, Index, decltype(count)>>(rows);
    });
  };
  if (rows.starts.type != rows.features.type) {
    throw UnreadableType("a sparse matrix whose two kinds of indices differ in type");
  }
  return rows.starts.type == NumberType::int64 ? make(std::int64_t{}) : make(std::int32_t{});
}

}  // namespace credence::data
