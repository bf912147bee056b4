// SPDX-License-Identifier: Apache-2.0
#include "words/gram_table.hpp"

#include <algorithm>

#include "credence/error.hpp"

namespace credence::text {

GramTable::Gram& GramTable::find_or_add(std::uint32_t prefix, std::int32_t term, bool& is_new) {
  if (3 * keys_.size() >= 2 * slots_.size()) grow();
  const std::uint64_t key = key_of(prefix, term);
  std::size_t i = place(key);
  while (slots_[i].key != key && slots_[i].key != empty) i = (i + 1) & (slots_.size() - 1);
  is_new = slots_[i].key == empty;
  if (is_new) {
    // A prefix has one bit less than a number, and the features must have numbers, too.
    if (keys_.size() >= std::size_t{1} << 30) {
      throw Error(ErrorKind::data, "more than a billion distinct n-grams in one chunk of rows");
    }
    slots_[i] = {key, static_cast<std::int32_t>(keys_.size()), -1};
    keys_.push_back(key);
  }
  return slots_[i];
}

void GramTable::terms_of(std::uint32_t prefix, std::vector<std::int32_t>& terms) const {
  terms.clear();
  while ((prefix & 1) != 0) {
    const std::uint64_t key = keys_[prefix >> 1];
    terms.push_back(static_cast<std::int32_t>(key & 0xFFFFFFFFu));
    prefix = static_cast<std::uint32_t>(key >> 32);
  }
  terms.push_back(static_cast<std::int32_t>(prefix >> 1));
  std::reverse(terms.begin(), terms.end());
}

void GramTable::clear() {
  if (slots_.size() > first_slots && 16 * keys_.size() < slots_.size()) {
    *this = GramTable();  // where few were used, wiping all would take longer than growing again
    return;
  }
  slots_.assign(slots_.size(), Gram{});
  keys_.clear();
}

void GramTable::grow() {
  std::vector<Gram> old(2 * slots_.size());
  old.swap(slots_);
  for (const Gram& gram : old) {
    if (gram.key == empty) continue;
    std::size_t i = place(gram.key);
    while (slots_[i].key != empty) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = gram;
  }
}

}  // namespace credence::text
