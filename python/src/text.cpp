// SPDX-License-Identifier: Apache-2.0
// Documents as counts of tokens, cut as the text family cuts them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "bindings.hpp"
#include "core/interner.hpp"
#include "credence/error.hpp"
#include "parallel/parallel.hpp"
#include "words/bag_builder.hpp"

namespace credence::python {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;
using Starts = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
using Places = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using Counts = std::tuple<Starts, Places, Starts>;  // of a CSR matrix: starts, columns, counts

// Python's strings, as UTF-8 where they lie. The tuple keeps them while others have the lock.
class Documents {
 public:
  explicit Documents(const nb::object& texts) : held_(nb::tuple(texts)) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const nb::handle text = held_[i];
      if (!PyUnicode_Check(text.ptr())) {
        const std::string type = nb::cast<std::string>(text.type().attr("__name__"));
        throw nb::type_error(
            fmt::format("documents[{}]: a text is wanted, not {}", i, type).c_str());
      }
      Py_ssize_t size = 0;
      const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
      if (!bytes) throw nb::python_error();
      views_.emplace_back(bytes, static_cast<std::size_t>(size));
      bytes_ += views_.back().size();
    }
  }

  std::size_t size() const { return views_.size(); }
  std::string_view operator[](std::size_t i) const { return views_[i]; }

  // Where to cut them so that each part is worth a dictionary of its own.
  std::vector<std::size_t> cuts() const {
    const std::size_t wanted = std::max<std::size_t>(std::size_t{1} << 19, bytes_ / 32);
    std::vector<std::size_t> result{0};
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      bytes += views_[i].size();
      if (bytes < wanted && i + 1 < views_.size()) continue;
      result.push_back(i + 1);
      bytes = 0;
    }
    return result;
  }

 private:
  nb::tuple held_;
  std::vector<std::string_view> views_;
  std::size_t bytes_ = 0;
};

template <typename Body>
void for_each_part(unsigned threads, std::size_t parts, const Body& body) {
  if (parts == 1) {
    body(0);
  } else {
    parallel_for(threads, parts, body);
  }
}

// Which column of a matrix each token has, and how documents are cut into them.
class Vocabulary {
 public:
  Vocabulary(const Options& options, const std::vector<std::string>& names)
      : options_(text::parse_token_options(options)) {
    for (const auto& name : names) {
      if (name.empty() || name.find('\0') != std::string::npos) {
        throw Error(ErrorKind::data, "vocabulary: a token is empty or holds a NUL");
      }
      const std::size_t before = columns_.size();
      columns_(name);
      if (columns_.size() == before) {
        throw Error(ErrorKind::data,
                    fmt::format("vocabulary: the token \"{}\" stands twice", name));
      }
    }
  }

  // Counts tokens and makes the vocabulary of them, in the order of their code points.
  Counts learn(const nb::object& texts, unsigned threads) {
    const Documents documents(texts);
    Result result;
    {
      const nb::gil_scoped_release unlocked;
      const auto bags = cut(documents, threads);
      Interner all;
      std::vector<std::vector<std::int32_t>> columns(bags.size());
      for (std::size_t part = 0; part < bags.size(); ++part) {
        for (const auto& token : bags[part].dictionary) columns[part].push_back(all(token));
      }
      std::vector<std::int32_t> order(all.size()), place(all.size());
      std::iota(order.begin(), order.end(), 0);
      const auto token = [&](std::int32_t id) {
        return all.strings()[static_cast<std::size_t>(id)];
      };
      std::sort(order.begin(), order.end(),
                [&](std::int32_t a, std::int32_t b) { return token(a) < token(b); });
      ByteStrings sorted;
      for (std::size_t i = 0; i < order.size(); ++i) {
        place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
        sorted.add(token(order[i]));
      }
      for (auto& part : columns) {
        for (auto& column : part) column = place[static_cast<std::size_t>(column)];
      }
      columns_ = Interner(std::move(sorted));
      result = joined(bags, columns, threads);
    }
    return std::move(result).counts();
  }

  // Tokens that the vocabulary does not have are left out.
  Counts count(const nb::object& texts, unsigned threads) const {
    const Documents documents(texts);
    Result result;
    {
      const nb::gil_scoped_release unlocked;
      const auto bags = cut(documents, threads);
      std::vector<std::vector<std::int32_t>> columns(bags.size());
      for_each_part(threads, bags.size(), [&](std::size_t part) {
        for (const auto& token : bags[part].dictionary) {
          columns[part].push_back(columns_.find(hash(token)));
        }
      });
      result = joined(bags, columns, threads);
    }
    return std::move(result).counts();
  }

  std::vector<std::string> names() const { return columns_.strings().to_vector(); }
  std::string options() const { return text::to_string(options_); }

 private:
  struct Result {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> values;

    Counts counts() && {
      const std::size_t rows = starts.size(), items = columns.size();
      return {to_numpy<Starts>(std::move(starts), {rows}),
              to_numpy<Places>(std::move(columns), {items}),
              to_numpy<Starts>(std::move(values), {items})};
    }
  };

  std::vector<Bags> cut(const Documents& documents, unsigned threads) const {
    const auto cuts = documents.cuts();
    std::vector<Bags> bags(cuts.size() - 1);
    for_each_part(threads, bags.size(), [&](std::size_t part) {
      text::BagBuilder builder(options_);
      for (std::size_t i = cuts[part]; i < cuts[part + 1]; ++i) builder.add_document(documents[i]);
      bags[part] = builder.finish();
    });
    return bags;
  }

  // columns: of each part's tokens; negative: left out.
  static Result joined(const std::vector<Bags>& bags,
                       const std::vector<std::vector<std::int32_t>>& columns, unsigned threads) {
    Result result;
    result.starts.push_back(0);
    std::vector<std::size_t> first_row;
    for (std::size_t part = 0; part < bags.size(); ++part) {
      first_row.push_back(result.starts.size() - 1);
      const auto& offsets = bags[part].offsets;
      for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
        std::int64_t items = 0;
        for (std::size_t i = offsets[row]; i < offsets[row + 1]; ++i) {
          items += columns[part][static_cast<std::size_t>(bags[part].features[i])] >= 0;
        }
        result.starts.push_back(result.starts.back() + items);
      }
    }
    result.columns.resize(static_cast<std::size_t>(result.starts.back()));
    result.values.resize(result.columns.size());
    for_each_part(threads, bags.size(), [&](std::size_t part) {
      const Bags& bag = bags[part];
      std::vector<std::pair<std::int32_t, std::int64_t>> items;
      for (std::size_t row = 0; row + 1 < bag.offsets.size(); ++row) {
        items.clear();
        for (std::size_t i = bag.offsets[row]; i < bag.offsets[row + 1]; ++i) {
          const auto column = columns[part][static_cast<std::size_t>(bag.features[i])];
          if (column >= 0) items.emplace_back(column, static_cast<std::int64_t>(bag.counts[i]));
        }
        std::sort(items.begin(), items.end());
        auto to = static_cast<std::size_t>(result.starts[first_row[part] + row]);
        for (const auto& [column, value] : items) {
          result.columns[to] = column;
          result.values[to++] = value;
        }
      }
    });
    return result;
  }

  text::TokenOptions options_;
  Interner columns_;
};

}  // namespace

void bind_text(nb::module_& module) {
  nb::class_<Vocabulary>(module, "Vocabulary")
      .def(nb::init<const Options&, const std::vector<std::string>&>(), nb::arg("options"),
           nb::arg("names"))
      .def("learn", &Vocabulary::learn, nb::arg("documents"), nb::arg("threads"))
      .def("count", &Vocabulary::count, nb::arg("documents"), nb::arg("threads"))
      .def_prop_ro("names", &Vocabulary::names)
      .def_prop_ro("options", &Vocabulary::options);
}

}  // namespace credence::python
