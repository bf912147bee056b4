// SPDX-License-Identifier: Apache-2.0
#include "families/text/word_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/text/cell_log.hpp"
#include "parallel/parallel.hpp"

namespace credence {

struct WordCounts::Listed {
  ByteStrings words;
  CellList cells;
};

struct WordCounts::Open {
  Interner words;
  CellLog cells;

  std::size_t place(const HashedBytes& word) { return static_cast<std::size_t>(words(word)); }
};

namespace {

const std::shared_ptr<const CountedWords>& no_words() {
  static const auto none = std::make_shared<const CountedWords>();
  return none;
}

}  // namespace

WordCounts::WordCounts() : counted_(no_words()) {}
WordCounts::WordCounts(WordCounts&&) noexcept = default;
WordCounts& WordCounts::operator=(WordCounts&&) noexcept = default;
WordCounts::~WordCounts() = default;
WordCounts::WordCounts(const WordCounts& other)
    : listed_(other.listed_ ? std::make_unique<Listed>(*other.listed_) : nullptr),
      open_(other.open_ ? std::make_unique<Open>(*other.open_) : nullptr),
      class_count_(other.class_count_),
      counted_(other.counted_) {}

// use(words, cells): the words, and all cells, which are not yet added up where they are a log.
template <typename Use>
auto WordCounts::with_parts(const Use& use) const {
  if (listed_) return use(listed_->words, std::as_const(listed_->cells));
  if (open_) return use(open_->words.strings(), open_->cells.cells());
  CellList cells;
  const auto& counted = *counted_;
  cells.reserve(counted.classes.size());
  for (std::size_t i = 0; i < counted.size(); ++i) {
    for (std::size_t k = counted.begin(i); k < counted.end(i); ++k) {
      cells.push_back({static_cast<std::uint32_t>(i),
                       static_cast<std::uint32_t>(counted.cls(k)),
                       {counted.weights.exact(k), counted.documents.exact(k)}});
    }
  }
  return use(counted.words, std::as_const(cells));
}

WordCounts::Open& WordCounts::open() {
  if (open_) return *open_;
  WordCounts before = std::move(*this);
  *this = WordCounts();
  class_count_ = before.class_count_;
  open_ = std::make_unique<Open>();
  std::vector<std::size_t> same(class_count_);
  std::iota(same.begin(), same.end(), std::size_t{0});
  merge(before, same, 1);
  return *open_;
}

std::vector<std::int32_t> WordCounts::place(const std::vector<std::string>& words) {
  std::vector<std::int32_t> result(words.size());
  if (canonical() && counted_->size() == 0) {
    listed_ = std::make_unique<Listed>();
    for (const auto& word : words) listed_->words.add(word);
    std::iota(result.begin(), result.end(), 0);
    return result;
  }
  auto& target = open();
  for (std::size_t i = 0; i < words.size(); ++i) {
    result[i] = static_cast<std::int32_t>(target.place(hash(words[i])));
  }
  return result;
}

void WordCounts::add(std::int32_t word, std::size_t cls, const CellSums& sums) {
  if (listed_) {
    listed_->cells.push_back(
        {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(cls), sums});
  } else {
    open_->cells.add(static_cast<std::size_t>(word), cls, sums);
  }
}

void WordCounts::rearrange_classes(std::span<const std::size_t> from) {
  const std::size_t before = class_count_;
  std::vector<std::size_t> to(before, ExactSums::npos);
  for (std::size_t c = 0; c < from.size(); ++c) {
    if (from[c] != ExactSums::npos) to[from[c]] = c;
  }
  bool same = true;
  for (std::size_t c = 0; c < before; ++c) same = same && to[c] == c;
  // Cells name their class: new ones change nothing.
  if (!same) open().cells.rearrange_classes(to);
  class_count_ = from.size();
}

void WordCounts::merge(const WordCounts& other, std::span<const std::size_t> class_map, int sign) {
  if (other.open_ && !other.open_->cells.added_up()) {
    WordCounts added_up(other);
    added_up.open_->cells.add_up();
    return merge(added_up, class_map, sign);
  }
  auto& target = open();
  other.with_parts([&](const ByteStrings& words, const CellList& cells) {
    // The table is larger than the processor's caches: what a word needs is fetched ahead of it.
    constexpr std::size_t ahead = 16;
    std::array<HashedBytes, ahead> hashes;
    std::vector<std::size_t> place(words.size());
    for (std::size_t next = 0; next < words.size() + ahead; ++next) {
      if (next >= ahead) {
        const std::size_t i = next - ahead;
        place[i] = target.place(hashes[i % ahead]);
      }
      if (next >= words.size()) continue;
      hashes[next % ahead] = hash(words[next]);
      target.words.prefetch(hashes[next % ahead]);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto cell = cells[i];
      target.cells.add(place[cell.word], class_map[cell.cls], sign < 0 ? -cell.sums : cell.sums);
    }
  });
}

void WordCounts::scale(double factor) {
  canonicalise();
  auto scaled = std::make_shared<CountedWords>(*counted_);
  ExactSums weights = scaled->weights.widened(), documents = scaled->documents.widened();
  weights.scale(factor);
  documents.scale(factor);
  bool vanished = false;  // what is too light to be told from nothing
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const bool gone = weights[k] == 0 || (documents[k] == 0 && scaled->documents[k] != 0);
    if (gone) weights.set(k, {});
    vanished = vanished || gone;
  }
  scaled->weights = NarrowSums(weights);
  scaled->documents = NarrowSums(documents);
  counted_ = std::move(scaled);
  if (!vanished) return;
  open();
  canonicalise();
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

struct WordInOrder {
  std::uint64_t key;
  std::uint32_t id;
};

// The words that have cells, as their bytes sort; those of word i end at ends[i + 1].
std::vector<WordInOrder> words_in_order(const ByteStrings& names,
                                        const std::vector<std::size_t>& ends) {
  std::vector<WordInOrder> order;
  order.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (ends[i] < ends[i + 1]) order.push_back({sort_key(names[i]), static_cast<std::uint32_t>(i)});
  }
  parallel_sort(order.begin(), order.end(), [&](const WordInOrder& a, const WordInOrder& b) {
    return a.key != b.key ? a.key < b.key : names[a.id] < names[b.id];
  });
  return order;
}

}  // namespace

void WordCounts::canonicalise() {
  if (canonical()) return;
  open().cells.add_up();
  open().cells.drop_weightless();
  const auto opened = std::move(open_);
  const auto& names = opened->words.strings();
  const auto& cells = opened->cells.cells();
  const auto ends = opened->cells.ends(names.size());
  if (cells.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error(ErrorKind::data, "more than two billion counts of words (hash them: hash=20)");
  }
  const auto order = words_in_order(names, ends);
  // Where each word goes, then all of them, several parts at a time.
  std::vector<std::int32_t> cell_ends(order.size() + 1, 0);
  std::vector<std::size_t> byte_ends(order.size() + 1, 0);
  for (std::size_t r = 0; r < order.size(); ++r) {
    const std::size_t id = order[r].id;
    cell_ends[r + 1] = cell_ends[r] + static_cast<std::int32_t>(ends[id + 1] - ends[id]);
    byte_ends[r + 1] = byte_ends[r] + names[id].size();
  }
  std::vector<char> bytes(byte_ends.back());
  std::vector<std::int32_t> classes(cells.size());
  std::vector<double> weights(cells.size()), documents(cells.size());
  std::vector<double> low_weights(cells.has_lows() ? cells.size() : 0), low_documents(low_weights);
  constexpr std::size_t words_in_part = 4096, ahead = 16;
  parallel_for(0, (order.size() + words_in_part - 1) / words_in_part, [&](std::size_t part) {
    const std::size_t behind = std::min(order.size(), (part + 1) * words_in_part);
    for (std::size_t r = part * words_in_part; r < behind; ++r) {
      if (r + ahead < behind) {
        cells.prefetch(ends[order[r + ahead].id]);
        __builtin_prefetch(names[order[r + ahead].id].data());
      }
      const std::size_t id = order[r].id;
      std::memcpy(bytes.data() + byte_ends[r], names[id].data(), names[id].size());
      auto to = static_cast<std::size_t>(cell_ends[r]);
      for (std::size_t from = ends[id]; from < ends[id + 1]; ++from, ++to) {
        const auto cell = cells[from];
        classes[to] = static_cast<std::int32_t>(cell.cls);
        weights[to] = cell.sums.weight.hi;
        documents[to] = cell.sums.documents.hi;
        if (low_weights.empty()) continue;
        low_weights[to] = cell.sums.weight.lo;
        low_documents[to] = cell.sums.documents.lo;
      }
    }
  });
  counted_ = std::make_shared<const CountedWords>(CountedWords{
      ByteStrings(std::move(bytes), std::move(byte_ends)), std::move(cell_ends),
      NarrowNumbers(classes), NarrowSums(NarrowNumbers(weights), std::move(low_weights)),
      NarrowSums(NarrowNumbers(documents), std::move(low_documents))});
}

std::string WordCounts::defect(const std::string& column,
                               const std::vector<std::string>& classes) const {
  const auto all_sound = [](const NarrowSums& sums) {
    bool sound = true;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sound &= sums[i] >= 0 && sums[i] <= std::numeric_limits<double>::max();
    }
    return sound;
  };
  if (canonical() && all_sound(counted_->documents) && all_sound(counted_->weights)) return "";
  return with_parts([&](const ByteStrings& words, const CellList& cells) -> std::string {
    // Where nothing was taken away and all of it has a sum, each part has: no need to add up.
    double all = 0, least = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      all += cells.weight(i);
      least = std::min({least, cells.weight(i), cells.documents(i)});
    }
    if (least >= 0 && std::isfinite(all)) return "";
    if (open_ && !open_->cells.added_up()) {
      WordCounts added_up(*this);
      added_up.open_->cells.add_up();
      return added_up.defect(column, classes);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto cell = cells[i];
      if (cell.sums.documents.hi < 0) {
        return fmt::format(
            "column \"{}\": {} more documents of class \"{}\" with \"{}\" than were observed",
            column, format_number(-cell.sums.documents.hi), classes[cell.cls], words[cell.word]);
      }
      if (cell.sums.weight.hi < 0) {
        return fmt::format("column \"{}\": \"{}\" has {} more in class \"{}\" than was observed",
                           column, words[cell.word], format_number(-cell.sums.weight.hi),
                           classes[cell.cls]);
      }
      if (!std::isfinite(cell.sums.weight.hi)) {
        return fmt::format("column \"{}\": the counts of \"{}\" are too large to add up", column,
                           words[cell.word]);
      }
    }
    return "";
  });
}

void WordCounts::save(Tensors& tensors, const std::string& prefix) const {
  counted_->save(tensors, prefix);
}

void WordCounts::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  *this = WordCounts();
  class_count_ = classes;
  counted_ = std::make_shared<const CountedWords>(CountedWords::load(tensors, prefix, classes));
}

}  // namespace credence
