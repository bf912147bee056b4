// SPDX-License-Identifier: Apache-2.0
#include "credence/journal.hpp"

#include <unordered_map>

#include "credence/model.hpp"

namespace credence {
namespace {

// A journal that is longer is folded: its older part becomes one entry for each thing that was
// done.
constexpr std::size_t most_entries = 1000;
constexpr std::size_t kept_entries = most_entries / 2;

void fold(std::vector<JournalEntry>& journal) {
  if (journal.size() <= most_entries) return;
  std::vector<JournalEntry> folded;
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i + kept_entries < journal.size(); ++i) {
    const auto& entry = journal[i];
    const auto at = place.try_emplace(entry.what, folded.size()).first->second;
    if (at == folded.size()) folded.push_back({entry.what, 0, "", "before, added up", "", 0});
    folded[at].rows += entry.rows;
    folded[at].times += entry.times;
  }
  folded.insert(folded.end(), journal.end() - kept_entries, journal.end());
  journal = std::move(folded);
}

bool same_but_for_rows(const JournalEntry& a, const JournalEntry& b) {
  return a.what == b.what && a.when == b.when && a.detail == b.detail && a.from == b.from;
}

}  // namespace

void Model::record(JournalEntry entry) { record_all({std::move(entry)}); }

void Model::record_all(const std::vector<JournalEntry>& entries) {
  for (const auto& entry : entries) {
    if (journal_.empty() || !same_but_for_rows(journal_.back(), entry)) {
      journal_.push_back(entry);
      continue;
    }
    journal_.back().rows += entry.rows;
    journal_.back().times += entry.times;
  }
  fold(journal_);
}

void Model::record_merged(const std::vector<JournalEntry>& entries, std::size_t number) {
  for (auto entry : entries) {
    entry.from = std::to_string(number) + (entry.from.empty() ? "" : "." + entry.from);
    journal_.push_back(std::move(entry));
  }
  fold(journal_);
}

}  // namespace credence
