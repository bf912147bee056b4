// SPDX-License-Identifier: Apache-2.0
// Tables that Python holds: arrays of numpy, lists of words, sparse matrices, Arrow streams.
#include <fmt/format.h>

#include <algorithm>

#include "bindings.hpp"
#include "parallel/parallel.hpp"
#include "tables/memory/arrow.hpp"
#include "tables/memory/memory_columns.hpp"

namespace credence::python {
namespace {

using data::MemoryTable;
using data::NumberType;
using data::NumberView;

NumberType number_type(const nb::dlpack::dtype& type) {
  const auto code = static_cast<nb::dlpack::dtype_code>(type.code);
  const bool is_signed = code == nb::dlpack::dtype_code::Int;
  if (code == nb::dlpack::dtype_code::Float) {
    if (type.bits == 64) return NumberType::float64;
    if (type.bits == 32) return NumberType::float32;
  } else if (is_signed || code == nb::dlpack::dtype_code::UInt) {
    if (type.bits == 64) return is_signed ? NumberType::int64 : NumberType::uint64;
    if (type.bits == 32) return is_signed ? NumberType::int32 : NumberType::uint32;
    if (type.bits == 16) return is_signed ? NumberType::int16 : NumberType::uint16;
    if (type.bits == 8) return is_signed ? NumberType::int8 : NumberType::uint8;
  }
  throw data::UnreadableType("an array of something else than real numbers or integers");
}

NumberView view_of(const AnyArray& array) {
  const auto bytes = static_cast<std::int64_t>(array.itemsize());
  return {array.data(),
          number_type(array.dtype()),
          static_cast<std::ptrdiff_t>(array.stride(0) * bytes),
          {},
          false};
}

data::MatrixView matrix_of(const AnyArray& array) {
  const auto bytes = static_cast<std::int64_t>(array.itemsize());
  return {view_of(array), array.shape(1), static_cast<std::ptrdiff_t>(array.stride(1) * bytes)};
}

// As an object, for a stub can say no more of an array of any type and shape.
AnyArray as_array(const nb::object& object) { return nb::cast<AnyArray>(object); }

// Takes what a capsule of the Arrow interface holds; the capsule then releases nothing.
template <class Struct>
Struct& in_capsule(const nb::object& capsule, const char* name) {
  void* found = PyCapsule_GetPointer(capsule.ptr(), name);
  if (!found) throw nb::python_error();
  return *static_cast<Struct*>(found);
}

// A table being put together, and what its columns point to.
class Frame {
 public:
  // name: what messages call it.
  static std::unique_ptr<Frame> of_stream(const nb::object& capsule, const std::string& name) {
    auto frame = std::make_unique<Frame>();
    auto& stream = in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream");
    const nb::gil_scoped_release unlocked;
    frame->table_ = data::arrow_table(stream);
    frame->table_.name = name;
    frame->streamed_ = true;
    return frame;
  }

  void add_numbers(const std::string& name, const nb::object& array_object, bool whole) {
    AnyArray array = as_array(array_object);

    NumberView view = view_of(array);
    view.whole = whole;
    const bool integer = whole || data::is_integer(view.type);
    add({name, integer ? data::ValueKind::integer : data::ValueKind::real, false},
        data::number_column(view), array.shape(0));
    keep(std::move(array));
  }

  // gaps: NaN is a missing value, else it is refused.
  void add_matrix(const std::vector<std::string>& names, const nb::object& array_object,
                  bool gaps) {
    AnyArray array = as_array(array_object);

    const data::MatrixView matrix = matrix_of(array);
    const bool integer = data::is_integer(matrix.first.type);
    table_.lends = table_.fields.empty();
    table_.gaps = gaps;
    batch_.lend = data::lend_matrix(matrix);
    for (std::size_t i = 0; i < names.size(); ++i) {
      add({names[i], integer ? data::ValueKind::integer : data::ValueKind::real, false},
          data::number_column(matrix.column(i)), array.shape(0), true);
    }
    keep(std::move(array));
  }

  // The whole matrix as one column of counts; the names are those of its own columns. presences:
  // what is not above 0 is not there.
  void add_bag(const std::string& name, const nb::object& array_object,
               std::vector<std::string> features, bool presences) {
    AnyArray array = as_array(array_object);

    const data::MatrixView matrix = matrix_of(array);
    table_.lends = table_.fields.empty();
    table_.features = std::make_shared<const std::vector<std::string>>(std::move(features));
    table_.presences = presences;
    batch_.lend = data::lend_matrix(matrix);
    add({name, data::ValueKind::bag, false}, data::bag_column(matrix, table_.features, presences),
        array.shape(0), true);
    keep(std::move(array));
  }

  void add_booleans(const std::string& name, const nb::object& array_object) {
    AnyArray array = as_array(array_object);

    add({name, data::ValueKind::boolean, false},
        data::byte_column(static_cast<const std::uint8_t*>(array.data()), array.stride(0)),
        array.shape(0));
    keep(std::move(array));
  }

  void add_words(const std::string& name, const std::vector<std::optional<std::string>>& cells,
                 bool documents) {
    std::vector<std::string> words;
    std::vector<bool> present;
    for (const auto& cell : cells) {
      words.push_back(cell.value_or(""));
      present.push_back(cell.has_value());
    }
    add({name, data::ValueKind::word, documents},
        data::word_column(std::move(words), std::move(present)), cells.size());
  }

  void add_codes(const std::string& name, const nb::object& codes_object,
                 std::vector<std::string> words) {
    AnyArray codes = as_array(codes_object);

    const std::size_t count = words.size();
    add({name, data::ValueKind::word, false},
        data::coded_column(view_of(codes),
                           data::word_column(std::move(words), std::vector<bool>(count, true)),
                           count),
        codes.shape(0));
    keep(std::move(codes));
  }

  void add_arrow(const std::string& name, const nb::object& schema, const nb::object& array) {
    auto column = data::arrow_column(name, in_capsule<ArrowSchema>(schema, "arrow_schema"),
                                     in_capsule<ArrowArray>(array, "arrow_array"));
    add(column.field, column.column, column.rows);
    owners_.push_back(column.owner);
  }

  void add_unreadable(const std::string& name, const std::string& type, std::size_t rows) {
    add({name, data::ValueKind::other, false},
        data::unreadable_column(fmt::format(
            "column \"{}\": values of the type {} are neither numbers nor words (convert them, or "
            "leave the column out: {})",
            name, type, setting("as", name + ": ignore"))),
        rows);
  }

  // Other names for the columns, in their order.
  void rename(const std::vector<std::string>& names) {
    if (names.size() != table_.fields.size()) {
      throw Error(ErrorKind::usage, "X: one name for each column, please");
    }
    for (std::size_t i = 0; i < names.size(); ++i) table_.fields[i].name = names[i];
  }

  void add_sparse(const std::string& name, const nb::object& starts_object,
                  const nb::object& features_object, const nb::object& counts_object,
                  std::size_t width, std::optional<std::vector<std::string>> names) {
    AnyArray starts = as_array(starts_object);
    AnyArray features = as_array(features_object);
    AnyArray counts = as_array(counts_object);

    data::SparseView view{view_of(starts), view_of(features), view_of(counts), width, nullptr};
    if (names) view.names = std::make_shared<const std::vector<std::string>>(std::move(*names));
    const std::size_t rows = starts.shape(0) - 1;
    table_.features = view.names;
    table_.width = width;
    batch_.lend_sparse = data::lend_sparse(view);
    table_.lends = table_.fields.empty() && batch_.lend_sparse && rows > 0;
    table_.entries_of_row = std::max(
        1.0, static_cast<double>(features.shape(0)) / std::max(1.0, static_cast<double>(rows)));
    add({name, data::ValueKind::bag, false}, data::sparse_column(view), rows, true);
    keep(std::move(starts));
    keep(std::move(features));
    keep(std::move(counts));
  }

  void set_labels(nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> codes,
                  std::vector<std::string> names) {
    label_codes_ = std::move(codes);
    table_.labels = data::RowLabels{{label_codes_.data(), label_codes_.shape(0)}, std::move(names)};
  }

  void set_weights(nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> weights) {
    weights_ = std::move(weights);
    table_.weights = {weights_.data(), weights_.shape(0)};
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& field : table_.fields) result.push_back(field.name);
    return result;
  }

  std::string kind(const std::string& name) const {
    for (const auto& field : table_.fields) {
      if (field.name != name) continue;
      constexpr const char* kinds[] = {"integer", "real", "boolean", "word", "bag", "other"};
      return kinds[static_cast<std::size_t>(field.kind)];
    }
    return "";
  }

  std::optional<std::size_t> rows() const {
    if (streamed_) return std::nullopt;
    return batch_.rows;
  }

  std::unique_ptr<Source> open(const std::string& target, std::vector<std::string> missing) {
    if (streamed_ && opened_) throw Error(ErrorKind::usage, "X: a stream can be read once");
    opened_ = true;
    MemoryTable table = table_;
    table.missing = std::move(missing);
    if (!streamed_) {
      table.next = [batch = std::optional<data::Batch>(batch_)]() mutable {
        return std::exchange(batch, std::nullopt);
      };
    }
    return data::open_memory(std::move(table), target);
  }

 private:
  void add(data::MemoryField field, data::ColumnPointer column, std::size_t rows,
           bool of_matrix = false) {
    if (batch_.columns.empty()) batch_.rows = rows;
    table_.lends = table_.lends && of_matrix;
    if (rows != batch_.rows) {
      throw Error(ErrorKind::data, fmt::format("column \"{}\" has {} rows, the others have {}",
                                               field.name, rows, batch_.rows));
    }
    batch_.columns.push_back(std::move(column));
    table_.fields.push_back(std::move(field));
  }

  void keep(AnyArray array) { arrays_.push_back(std::move(array)); }

  MemoryTable table_;
  data::Batch batch_;
  bool streamed_ = false, opened_ = false;
  std::vector<AnyArray> arrays_;
  std::vector<std::shared_ptr<const void>> owners_;
  nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> label_codes_;
  nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> weights_;
};

// Whole numbers as their places among those that there are, sorted; nothing where they are too far
// apart for a table of all between.
using Whole = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
using Codes = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
std::optional<std::pair<Values, Codes>> encode_whole(const Whole& numbers) {
  const std::size_t count = numbers.shape(0);
  const std::int64_t* from = numbers.data();
  std::vector<std::int64_t> values;
  std::vector<std::int32_t> codes(count);
  {
    const nb::gil_scoped_release unlocked;
    if (count == 0) return std::nullopt;
    std::int64_t least = from[0], most = from[0];
    for (std::size_t i = 0; i < count; ++i) {
      least = std::min(least, from[i]);
      most = std::max(most, from[i]);
    }
    const auto first = static_cast<std::uint64_t>(least);
    const std::uint64_t range = static_cast<std::uint64_t>(most) - first;
    if (range > 2 * count) return std::nullopt;
    const auto place = [&](std::size_t i) { return static_cast<std::uint64_t>(from[i]) - first; };
    std::vector<std::int32_t> table(range + 1, 0);
    for (std::size_t i = 0; i < count; ++i) table[place(i)] = 1;
    for (std::uint64_t i = 0; i <= range; ++i) {
      if (table[i] == 0) continue;
      table[i] = static_cast<std::int32_t>(values.size());
      values.push_back(static_cast<std::int64_t>(first + i));
    }
    constexpr std::size_t part = std::size_t{1} << 16;
    parallel_for(0, (count + part - 1) / part, [&](std::size_t p) {
      const std::size_t end = std::min(count, (p + 1) * part);
      for (std::size_t i = p * part; i < end; ++i) codes[i] = table[place(i)];
    });
  }
  const std::size_t distinct = values.size();
  return std::pair{to_numpy<Values>(std::move(values), {distinct}),
                   to_numpy<Codes>(std::move(codes), {count})};
}

}  // namespace

void bind_frame(nb::module_& module) {
  module.def("encode_whole", &encode_whole, nb::arg("numbers"));
  nb::class_<Frame>(module, "Frame")
      .def(nb::init<>())
      .def_static("of_stream", &Frame::of_stream, nb::arg("capsule"), nb::arg("name") = "X")
      .def("add_numbers", &Frame::add_numbers, nb::arg("name"), nb::arg("array"),
           nb::arg("whole") = false)
      .def("add_matrix", &Frame::add_matrix, nb::arg("names"), nb::arg("array"),
           nb::arg("gaps") = true)
      .def("add_bag", &Frame::add_bag, nb::arg("name"), nb::arg("array"), nb::arg("features"),
           nb::arg("presences") = false)
      .def("add_booleans", &Frame::add_booleans, nb::arg("name"), nb::arg("array"))
      .def("add_words", &Frame::add_words, nb::arg("name"), nb::arg("cells"),
           nb::arg("documents") = false)
      .def("add_codes", &Frame::add_codes, nb::arg("name"), nb::arg("codes"), nb::arg("words"))
      .def("add_arrow", &Frame::add_arrow, nb::arg("name"), nb::arg("schema"), nb::arg("array"))
      .def("add_sparse", &Frame::add_sparse, nb::arg("name"), nb::arg("starts"),
           nb::arg("features"), nb::arg("counts"), nb::arg("width"), nb::arg("names") = nb::none())
      .def("add_unreadable", &Frame::add_unreadable, nb::arg("name"), nb::arg("type"),
           nb::arg("rows"))
      .def("rename", &Frame::rename, nb::arg("names"))
      .def("set_labels", &Frame::set_labels, nb::arg("codes"), nb::arg("names"))
      .def("set_weights", &Frame::set_weights, nb::arg("weights"))
      .def_prop_ro("names", &Frame::names)
      .def_prop_ro("rows", &Frame::rows)
      .def("kind", &Frame::kind, nb::arg("name"))
      // The source reads what the frame holds.
      .def("open", &Frame::open, nb::arg("target"), nb::arg("missing"), nb::keep_alive<0, 1>());
}

}  // namespace credence::python
