// SPDX-License-Identifier: Apache-2.0
#include "tables/memory/arrow.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "credence/error.hpp"
#include "tables/memory/arrow_times.hpp"
#include "tables/memory/memory_columns.hpp"

namespace credence::data {
namespace {

// Owns one of the structures: the interface's "release" is its destructor.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Struct& taken) : value_(std::exchange(taken, Struct{})) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value_.release) value_.release(&value_);
  }
  Struct* get() { return &value_; }
  const Struct* operator->() const { return &value_; }
  const Struct& operator*() const { return value_; }

 private:
  Struct value_{};
};

std::optional<NumberType> number_type(std::string_view format) {
  constexpr std::string_view letters = "csilCSILfg";
  constexpr NumberType types[] = {NumberType::int8,   NumberType::int16,  NumberType::int32,
                                  NumberType::int64,  NumberType::uint8,  NumberType::uint16,
                                  NumberType::uint32, NumberType::uint64, NumberType::float32,
                                  NumberType::float64};
  const auto place = format.size() == 1 ? letters.find(format[0]) : std::string_view::npos;
  if (place == std::string_view::npos) return std::nullopt;
  return types[place];
}

std::size_t size_of(NumberType type) {
  constexpr std::size_t sizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

ValueKind kind_of(const ArrowSchema& schema) {
  if (schema.dictionary) return kind_of(*schema.dictionary);
  const std::string_view format = schema.format;
  if (const auto type = number_type(format)) {
    return is_integer(*type) ? ValueKind::integer : ValueKind::real;
  }
  if (format == "b") return ValueKind::boolean;
  return format == "u" || format == "U" || format == "vu" ? ValueKind::word : ValueKind::other;
}

Validity validity_of(const ArrowArray& array, std::size_t offset) {
  if (array.n_buffers == 0 || array.null_count == 0 || !array.buffers[0]) return {};
  return {static_cast<const std::uint8_t*>(array.buffers[0]), offset};
}

// A column from row `skip` of the array on, which is where a sliced table begins.
ColumnPointer column_of(const ArrowSchema& schema, const ArrowArray& array, std::size_t skip) {
  const std::string_view format = schema.format;
  const std::size_t offset = static_cast<std::size_t>(array.offset) + skip;
  const Validity valid = validity_of(array, offset);
  if (const auto type = number_type(format)) {
    const auto width = size_of(*type);
    const NumberView view{static_cast<const char*>(array.buffers[1]) + offset * width, *type,
                          static_cast<std::ptrdiff_t>(width), valid, false};
    if (!schema.dictionary) return number_column(view);
    return coded_column(view, column_of(*schema.dictionary, *array.dictionary, 0),
                        static_cast<std::size_t>(array.dictionary->length));
  }
  if (format == "n") return missing_column();
  if (format == "b")
    return bit_column(static_cast<const std::uint8_t*>(array.buffers[1]), offset, valid);
  if (format == "u") {
    return word_column(static_cast<const std::int32_t*>(array.buffers[1]) + offset,
                       static_cast<const char*>(array.buffers[2]), valid);
  }
  if (format == "U") {
    return word_column(static_cast<const std::int64_t*>(array.buffers[1]) + offset,
                       static_cast<const char*>(array.buffers[2]), valid);
  }
  if (format == "vu") {
    return word_view_column(static_cast<const char*>(array.buffers[1]) + 16 * offset,
                            array.buffers + 2, valid);
  }
  if (auto times =
          time_column(format, array.n_buffers > 1 ? array.buffers[1] : nullptr, offset, valid)) {
    return times;
  }
  const std::string name = schema.name ? schema.name : "";
  return unreadable_column(
      fmt::format("column {}: values of the Arrow type \"{}\" are neither numbers nor words "
                  "(convert them, or leave the column out: {})",
                  in_quotes(name), shown(format), setting("as", shown(name) + ": ignore")));
}

struct HeldArray {
  Owned<ArrowArray> array;
  std::shared_ptr<const Owned<ArrowSchema>> schema;  // unreadable types quote it
};

class Stream {
 public:
  explicit Stream(ArrowArrayStream& stream)
      : stream_(stream), schema_(std::make_shared<Owned<ArrowSchema>>()) {
    check(stream_->get_schema(stream_.get(), schema_->get()));
    if (std::string_view((*schema_)->format) != "+s") {
      throw UnreadableType("X: an Arrow stream of something else than tables");
    }
  }

  std::vector<MemoryField> fields() const {
    std::vector<MemoryField> result;
    for (std::int64_t i = 0; i < (*schema_)->n_children; ++i) {
      const ArrowSchema& child = *(*schema_)->children[i];
      result.push_back({child.name ? child.name : "", kind_of(child), false});
    }
    return result;
  }

  std::optional<Batch> next() {
    auto held = std::make_shared<HeldArray>();
    held->schema = schema_;
    check(stream_->get_next(stream_.get(), held->array.get()));
    const ArrowArray& rows = *held->array;
    if (!rows.release) return std::nullopt;
    Batch batch;
    batch.rows = static_cast<std::size_t>(rows.length);
    for (std::int64_t i = 0; i < rows.n_children; ++i) {
      batch.columns.push_back(column_of(*(*schema_)->children[i], *rows.children[i],
                                        static_cast<std::size_t>(rows.offset)));
    }
    batch.owner = std::move(held);
    return batch;
  }

 private:
  void check(int status) {
    if (status == 0) return;
    const char* why = stream_->get_last_error(stream_.get());
    throw Error(ErrorKind::data,
                fmt::format("X: the Arrow stream broke off: {}", why ? why : "no reason given"));
  }

  Owned<ArrowArrayStream> stream_;
  std::shared_ptr<Owned<ArrowSchema>> schema_;
};

}  // namespace

MemoryTable arrow_table(ArrowArrayStream& stream) {
  const auto held = std::make_shared<Stream>(stream);
  MemoryTable table;
  table.fields = held->fields();
  table.next = [held] { return held->next(); };
  return table;
}

ArrowColumn arrow_column(const std::string& name, ArrowSchema& schema, ArrowArray& array) {
  auto type = std::make_shared<const Owned<ArrowSchema>>(schema);
  auto held = std::make_shared<HeldArray>();
  std::swap(*held->array.get(), array);
  held->schema = type;
  const ArrowArray& rows = *held->array;
  return {{name, kind_of(**type), false},
          static_cast<std::size_t>(rows.length),
          column_of(**type, rows, 0),
          held};
}

}  // namespace credence::data
