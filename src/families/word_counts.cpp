// SPDX-License-Identifier: Apache-2.0
#include "families/word_counts.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/text.hpp"
#include "credence/error.hpp"

namespace credence {

void CellTable::add(std::size_t word, std::size_t cls, const CellSums& sums) {
  if (3 * (used_ + 1) > 2 * keys_.size()) grow();
  const std::uint64_t wanted = key(word, cls);
  std::size_t i = place(wanted);
  while (keys_[i] != wanted && keys_[i] != empty) i = (i + 1) & (keys_.size() - 1);
  if (keys_[i] == empty) {
    keys_[i] = wanted;
    ++used_;
  }
  weights_.add(i, sums.weight);
  documents_.add(i, sums.documents);
}

void CellTable::grow() {
  const auto old_keys = std::move(keys_);
  const auto old_weights = std::move(weights_);
  const auto old_documents = std::move(documents_);
  keys_.assign(std::max<std::size_t>(1024, 2 * old_keys.size()), empty);
  weights_ = ExactSums(keys_.size());
  documents_ = ExactSums(keys_.size());
  for (std::size_t k = 0; k < old_keys.size(); ++k) {
    if (old_keys[k] == empty) continue;
    std::size_t i = place(old_keys[k]);
    while (keys_[i] != empty) i = (i + 1) & (keys_.size() - 1);
    keys_[i] = old_keys[k];
    weights_.set(i, old_weights.exact(k));
    documents_.set(i, old_documents.exact(k));
  }
}

struct WordCounts::Listed {
  struct Cell {
    std::int32_t word, cls;
    CellSums sums;
  };
  ByteStrings words;
  std::vector<Cell> cells;
};

struct WordCounts::Open {
  Interner words;
  CellTable cells;

  std::int32_t place(std::string_view word) { return place(hash(word)); }
  std::int32_t place(const HashedBytes& word) { return words(word); }
};

WordCounts::WordCounts() = default;
WordCounts::WordCounts(WordCounts&&) noexcept = default;
WordCounts& WordCounts::operator=(WordCounts&&) noexcept = default;
WordCounts::~WordCounts() = default;
WordCounts::WordCounts(const WordCounts& other)
    : listed_(other.listed_ ? std::make_unique<Listed>(*other.listed_) : nullptr),
      open_(other.open_ ? std::make_unique<Open>(*other.open_) : nullptr),
      class_count_(other.class_count_),
      words_(other.words_),
      ends_(other.ends_),
      classes_(other.classes_),
      sums_(other.sums_),
      documents_(other.documents_) {}

double WordCounts::documents(std::size_t i) const {
  DoubleDouble sum;
  for (auto k = static_cast<std::size_t>(ends_[i]); k < static_cast<std::size_t>(ends_[i + 1]);
       ++k) {
    sum = sum + documents_.exact(k);
  }
  return sum.value();
}

// word(number, text) for every word, then cell(number of the word, class, sums).
template <typename Word, typename Cell>
void WordCounts::for_each(const Word& word, const Cell& cell) const {
  if (listed_) {
    const auto& names = listed_->words;
    for (std::size_t i = 0; i < names.size(); ++i) word(i, names[i]);
    for (const auto& [of, cls, sums] : listed_->cells) {
      cell(static_cast<std::size_t>(of), static_cast<std::size_t>(cls), sums);
    }
    return;
  }
  if (open_) {
    const auto& names = open_->words.strings();
    for (std::size_t i = 0; i < names.size(); ++i) word(i, names[i]);
    open_->cells.for_each(cell);
    return;
  }
  for (std::size_t i = 0; i < words_.size(); ++i) word(i, words_[i]);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (auto k = static_cast<std::size_t>(ends_[i]); k < static_cast<std::size_t>(ends_[i + 1]);
         ++k) {
      cell(i, static_cast<std::size_t>(classes_[k]), CellSums{sums_.exact(k), documents_.exact(k)});
    }
  }
}

WordCounts::Open& WordCounts::open() {
  if (open_) return *open_;
  auto opened = std::make_unique<Open>();
  std::vector<std::size_t> place;  // the dictionary of a chunk may name a word twice
  for_each(
      [&](std::size_t, std::string_view text) {
        place.push_back(static_cast<std::size_t>(opened->place(text)));
      },
      [&](std::size_t word, std::size_t cls, const CellSums& sums) {
        opened->cells.add(place[word], cls, sums);
      });
  const std::size_t classes = class_count_;
  *this = WordCounts();
  class_count_ = classes;
  open_ = std::move(opened);
  return *open_;
}

std::vector<std::int32_t> WordCounts::place(const std::vector<std::string>& words) {
  std::vector<std::int32_t> result(words.size());
  if (canonical() && size() == 0) {
    listed_ = std::make_unique<Listed>();
    for (const auto& word : words) listed_->words.add(word);
    std::iota(result.begin(), result.end(), 0);
    return result;
  }
  auto& target = open();
  for (std::size_t i = 0; i < words.size(); ++i) result[i] = target.place(words[i]);
  return result;
}

void WordCounts::add(std::int32_t word, std::size_t cls, const CellSums& sums) {
  if (listed_) {
    listed_->cells.push_back({word, static_cast<std::int32_t>(cls), sums});
  } else {
    open_->cells.add(static_cast<std::size_t>(word), cls, sums);
  }
}

void WordCounts::rearrange_classes(std::span<const std::size_t> from) {
  const std::size_t before = class_count_;
  class_count_ = from.size();
  std::vector<std::size_t> to(before, ExactSums::npos);
  for (std::size_t c = 0; c < from.size(); ++c) {
    if (from[c] != ExactSums::npos) to[from[c]] = c;
  }
  bool same = true;
  for (std::size_t c = 0; c < before; ++c) same = same && to[c] == c;
  if (same) return;  // cells name their class: new ones change nothing
  auto& target = open();
  CellTable cells;
  target.cells.for_each([&](std::size_t word, std::size_t cls, const CellSums& sums) {
    if (to[cls] != ExactSums::npos) cells.add(word, to[cls], sums);
  });
  target.cells = std::move(cells);
}

void WordCounts::merge(const WordCounts& other, std::span<const std::size_t> class_map, int sign) {
  auto& target = open();
  // The tables are larger than the processor's caches: what an item needs is fetched ahead of it.
  constexpr std::size_t ahead = 16;
  std::vector<HashedBytes> words;
  struct Cell {
    std::size_t word, cls;
    CellSums sums;
  };
  std::vector<Cell> cells;
  other.for_each([&](std::size_t, std::string_view text) { words.push_back(hash(text)); },
                 [&](std::size_t word, std::size_t cls, const CellSums& sums) {
                   cells.push_back({word, class_map[cls],
                                    sign < 0 ? CellSums{-sums.weight, -sums.documents} : sums});
                 });
  std::vector<std::size_t> place(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + ahead < words.size()) target.words.prefetch(words[i + ahead]);
    place[i] = static_cast<std::size_t>(target.place(words[i]));
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i + ahead < cells.size()) {
      target.cells.prefetch(place[cells[i + ahead].word], cells[i + ahead].cls);
    }
    target.cells.add(place[cells[i].word], cells[i].cls, cells[i].sums);
  }
}

void WordCounts::scale(double factor) {
  canonicalise();
  documents_.scale(factor);
  sums_.scale(factor);
}

namespace {

// The first eight bytes as a number that sorts as they do.
std::uint64_t sort_key(std::string_view text) {
  unsigned char head[8] = {};
  std::memcpy(head, text.data(), std::min<std::size_t>(8, text.size()));
  std::uint64_t key = 0;
  for (const unsigned char byte : head) key = key << 8 | byte;
  return key;
}

}  // namespace

void WordCounts::canonicalise() {
  if (canonical()) return;
  open();
  const auto opened = std::move(open_);
  const auto& names = opened->words.strings();
  std::vector<std::int32_t> count(names.size(), 0);
  opened->cells.for_each([&](std::size_t word, std::size_t, const CellSums& sums) {
    if (sums.weight.hi != 0) ++count[word];
  });
  struct Entry {
    std::uint64_t key;
    std::uint32_t id;
  };
  std::vector<Entry> order;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (count[i] > 0) order.push_back({sort_key(names[i]), static_cast<std::uint32_t>(i)});
  }
  oneapi::tbb::parallel_sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : names[a.id] < names[b.id];
  });
  WordCounts result;
  result.class_count_ = class_count_;
  std::vector<std::int32_t> rank(names.size(), -1);
  result.ends_.reserve(order.size() + 1);
  std::size_t cells = 0;
  for (std::size_t r = 0; r < order.size(); ++r) {
    const std::size_t id = order[r].id;
    rank[id] = static_cast<std::int32_t>(r);
    result.words_.add(names[id]);
    cells += static_cast<std::size_t>(count[id]);
    if (cells > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw Error(ErrorKind::data, "more than two billion counts of words (hash them: hash=20)");
    }
    result.ends_.push_back(static_cast<std::int32_t>(cells));
  }
  struct Cell {
    std::int32_t cls;
    CellSums sums;
  };
  std::vector<Cell> placed(cells);
  std::vector<std::int32_t> next(result.ends_.begin(), result.ends_.end() - 1);
  opened->cells.for_each([&](std::size_t word, std::size_t cls, const CellSums& sums) {
    if (sums.weight.hi == 0) return;
    auto& at = next[static_cast<std::size_t>(rank[word])];
    placed[static_cast<std::size_t>(at++)] = {static_cast<std::int32_t>(cls), sums};
  });
  result.classes_.resize(cells);
  result.sums_ = ExactSums(cells);
  result.documents_ = ExactSums(cells);
  for (std::size_t r = 0; r < order.size(); ++r) {
    const auto begin = result.ends_[r], end = result.ends_[r + 1];
    std::sort(placed.begin() + begin, placed.begin() + end,
              [](const Cell& a, const Cell& b) { return a.cls < b.cls; });
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      result.classes_[k] = placed[k].cls;
      result.sums_.set(k, placed[k].sums.weight);
      result.documents_.set(k, placed[k].sums.documents);
    }
  }
  *this = std::move(result);
}

std::string WordCounts::defect(const std::string& column,
                               const std::vector<std::string>& classes) const {
  std::string result;
  const auto text_of = [&](std::size_t word) {
    return listed_ ? listed_->words[word] : open_ ? open_->words.strings()[word] : words_[word];
  };
  for_each(
      [](std::size_t, std::string_view) {},
      [&](std::size_t word, std::size_t cls, const CellSums& sums) {
        if (!result.empty()) return;
        if (sums.documents.hi < 0) {
          result = fmt::format(
              "column \"{}\": {} more documents of class \"{}\" with \"{}\" than were observed",
              column, format_number(-sums.documents.hi), classes[cls], text_of(word));
        } else if (sums.weight.hi < 0) {
          result =
              fmt::format("column \"{}\": \"{}\" has {} more in class \"{}\" than was observed",
                          column, text_of(word), format_number(-sums.weight.hi), classes[cls]);
        } else if (!std::isfinite(sums.weight.hi)) {
          result = fmt::format("column \"{}\": the counts of \"{}\" are too large to add up",
                               column, text_of(word));
        }
      });
  return result;
}

void WordCounts::save(Tensors& tensors, const std::string& prefix) const {
  tensors.put(prefix + ".words", words_);
  tensors.put(prefix + ".documents", documents_, {documents_.size()});
  tensors.put(prefix + ".ends", ends_);
  tensors.put(prefix + ".classes", classes_);
  tensors.put(prefix + ".counts", sums_, {sums_.size()});
}

void WordCounts::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  *this = WordCounts();
  class_count_ = classes;
  words_ = tensors.byte_strings(prefix + ".words");
  ends_ = tensors.integers(prefix + ".ends");
  classes_ = tensors.integers(prefix + ".classes");
  sums_ = tensors.sums(prefix + ".counts", {classes_.size()});
  const auto documents = tensors.all.find(prefix + ".documents");
  if (documents != tensors.all.end() && classes_.size() != words_.size() &&
      documents->second.shape == Tensors::Shape{words_.size()}) {
    throw Error(ErrorKind::model,
                fmt::format("\"{}.documents\" counts documents by word, not by word and class, as "
                            "an early credence did: fit the model again",
                            prefix));
  }
  documents_ = tensors.sums(prefix + ".documents", {classes_.size()});
  bool good = ends_.size() == words_.size() + 1 && ends_.front() == 0 &&
              static_cast<std::size_t>(ends_.back()) == classes_.size();
  good = good && words_.bytes().find('\0') == std::string_view::npos;
  for (std::size_t i = 0; good && i < words_.size(); ++i) {
    good = ends_[i] <= ends_[i + 1] && ends_[i + 1] <= ends_.back() && !words_[i].empty() &&
           (i == 0 || words_[i - 1] < words_[i]);
    for (auto k = ends_[i]; good && k < ends_[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      good = classes_[at] >= 0 && static_cast<std::size_t>(classes_[at]) < classes &&
             sums_[at] > 0 && documents_[at] >= 0 &&
             (k == ends_[i] || classes_[at - 1] < classes_[at]);
    }
  }
  if (!good) throw Error(ErrorKind::model, prefix + ": the counts of words do not fit together");
}

}  // namespace credence
