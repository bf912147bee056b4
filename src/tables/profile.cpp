// SPDX-License-Identifier: Apache-2.0
#include "tables/profile.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace credence::data {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Words of some letters, by how often they are there; of the first cells alone, which tell enough.
std::vector<std::string> frequent_words(const std::vector<std::string>& cells) {
  constexpr std::size_t most_cells = 1000, most_bytes = 500, most_words = 500;
  std::unordered_map<std::string, std::size_t> counts;
  for (std::size_t i = 0; i < cells.size() && i < most_cells; ++i) {
    std::string word;
    for (const char c : cells[i].substr(0, most_bytes) + " ") {
      const auto byte = static_cast<unsigned char>(c);
      const bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
      if (letter || byte >= 0x80) {
        word += letter ? static_cast<char>(byte | 0x20) : c;
      } else if (!word.empty()) {
        ++counts[word];
        word.clear();
      }
    }
  }
  std::vector<std::pair<std::size_t, std::string>> ordered;
  for (const auto& [word, count] : counts) ordered.emplace_back(count, word);
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < ordered.size() && i < most_words; ++i) {
    result.push_back(std::move(ordered[i].second));
  }
  return result;
}

// Takes one in `stride` of what comes, in their order. Where more are kept than are needed, every
// other one goes.
template <typename T>
void sample_evenly(std::vector<T>& sample, std::size_t& stride, std::size_t before, T value) {
  constexpr std::size_t enough = 4096;
  if (before % stride != 0) return;
  if (sample.size() == enough) {
    for (std::size_t i = 0; 2 * i < sample.size(); ++i) sample[i] = sample[2 * i];
    sample.resize(enough / 2);
    stride *= 2;
    if (before % stride != 0) return;
  }
  sample.push_back(value);
}

bool is_whole(double value) { return value >= 0 && std::trunc(value) == value; }

}  // namespace

std::size_t Profiler::column(std::string_view name) {
  const auto [code, is_new] = dictionary_.insert(name, names_);
  if (is_new) columns_.emplace_back().profile.name = name;
  return static_cast<std::size_t>(code);
}

void Profiler::cell(std::size_t column, std::string_view text, bool typed) {
  if (missing_.contains(text)) return;
  Seen& seen = columns_[column];
  const std::size_t before = seen.profile.present++;
  seen.spaces += static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
  const auto code = seen.dictionary.insert(text, seen.words).first;
  sample_evenly(seen.cells, seen.cells_stride, before, code);
  const auto bare = trimmed(text);
  if (is_digits(bare)) {
    seen.profile.codes = seen.profile.codes || (bare.size() > 1 && bare[0] == '0');
    seen.profile.long_digits = seen.profile.long_digits || bare.size() > 15;
  } else {
    seen.digits = false;
  }
  double value = 0;
  const NumberState state = parse_number(bare, value);
  if (state != NumberState::not_a_number) {
    count_number(seen, state == NumberState::finite, value);
    typed ? seen.recogniser.typed() : seen.recogniser.plain(bare);
  } else {
    seen.recogniser.other(bare);
  }
}

void Profiler::number(std::size_t column, double value) {
  ++columns_[column].profile.present;
  count_number(columns_[column], std::isfinite(value), value);
}

void Profiler::count_number(Seen& seen, bool finite, double value) {
  if (finite) sample_evenly(seen.profile.sample, seen.stride, seen.profile.numbers, value);
  const bool first = seen.profile.numbers == 0;
  seen.rising = seen.rising && (first || value > seen.last);
  seen.falling = seen.falling && (first || value < seen.last);
  seen.least = first ? value : std::min(seen.least, value);
  seen.largest = first ? value : std::max(seen.largest, value);
  seen.last = value;
  if (!seen.shared && seen.whole) {
    seen.shared = !finite || !is_whole(value) || !seen.own.insert(value).second;
    if (seen.shared) seen.own = {};
  }
  ++seen.profile.numbers;
  if (finite && (value == 0 || value == 1)) ++seen.zero_or_one;
  if (!finite || !is_whole(value)) seen.whole = false;
}

void Profiler::bag(std::size_t column) {
  columns_[column].profile.bag = true;
  ++columns_[column].profile.present;
}

void Profiler::bag_item(std::size_t column, std::string_view name, double count) {
  if (count == 0) return;
  Seen& seen = columns_[column];
  seen.dictionary.insert(name, seen.words);
  if (!is_whole(count)) seen.whole = false;
  if (count != 1) seen.unit = false;
}

void Profiler::recognise(const Seen& seen, const TableMarks& marks, ColumnProfile& profile) {
  if (profile.bag || profile.text) return;
  auto found = seen.recogniser.finish(marks);
  profile.doubt = std::move(found.doubt);
  if (found.reading.empty()) return;
  profile.reading = std::move(found.reading);
  profile.numbers = found.numbers;
  if (!found.as_plain) {
    profile.zero_one = profile.whole = profile.codes = false;
    profile.row_numbers = profile.own_numbers = profile.without_gaps = false;
  }
}

std::vector<ColumnProfile> Profiler::finish() {
  std::vector<ColumnProfile> out;
  TableMarks marks = marks_;
  for (const Seen& seen : columns_) seen.recogniser.mark(marks);
  // Two columns of sentences may be one document.
  const auto sentences = [](const Seen& seen) {
    const auto& profile = seen.profile;
    return !profile.bag && seen.spaces >= 3 * profile.present && profile.numbers == 0 &&
           seen.words.size() * 2 > profile.present && profile.present >= 3;
  };
  if (std::count_if(columns_.begin(), columns_.end(), sentences) > 1) {
    for (Seen& seen : columns_) {
      if (sentences(seen)) seen.profile.frequent = frequent_words(seen.words);
    }
  }
  for (Seen& seen : columns_) {
    ColumnProfile& profile = out.emplace_back(std::move(seen.profile));
    profile.distinct = seen.words.size();
    if (!seen.words.empty()) profile.example = seen.words.front().substr(0, 30);
    profile.zero_one = profile.present > 0 && seen.zero_or_one == profile.present;
    profile.whole = seen.whole && (profile.bag || profile.numbers > 0);
    profile.unit = profile.bag && seen.unit;
    // A gap in the numbers is a row that says nothing; a word would say that they are none.
    profile.own_numbers =
        profile.whole && !seen.shared && profile.numbers == profile.present && !profile.bag;
    profile.row_numbers = profile.own_numbers && (seen.rising || seen.falling);
    profile.without_gaps = profile.own_numbers &&
                           seen.largest - seen.least + 1 == static_cast<double>(profile.numbers);
    profile.codes = profile.codes && seen.digits;
    // How they are read is not settled before the model is planned: someone may know better.
    if (profile.numbers < profile.present && !profile.bag && !profile.text) {
      for (const auto code : seen.cells) {
        profile.cells.push_back(seen.words[static_cast<std::size_t>(code)]);
      }
    }
    recognise(seen, marks, profile);
    if (profile.present > 0 && !profile.bag) {
      profile.words = 1 + static_cast<double>(seen.spaces) / static_cast<double>(profile.present);
    }
  }
  return out;
}

}  // namespace credence::data
