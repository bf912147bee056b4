// SPDX-License-Identifier: Apache-2.0
#include "serve/journal/journal.hpp"

#include <fmt/format.h>

#include <random>

namespace credence::serve {
namespace {

std::string fresh_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

SqlValue number(std::uint64_t value) {
  if (value == 0) return std::monostate();
  return static_cast<std::int64_t>(value);
}

}  // namespace

Journal::Journal(const std::string& path, const std::string& base) : database_(path) {
  // A commit returns when the disk has it. Readers, and a copy of the file, never see half of one.
  database_.run("PRAGMA journal_mode=WAL");
  database_.run("PRAGMA synchronous=FULL");
  database_.run("CREATE TABLE IF NOT EXISTS state(name TEXT PRIMARY KEY, value TEXT)");
  database_.run(
      "CREATE TABLE IF NOT EXISTS changes(version INTEGER PRIMARY KEY, kind TEXT, adds INTEGER, "
      "rows REAL, total REAL, weight REAL, time TEXT, key TEXT UNIQUE, undoes INTEGER UNIQUE, "
      "body TEXT)");
  database_.run("INSERT OR IGNORE INTO state VALUES('id', ?)", {fresh_id()});
  database_.run("INSERT OR IGNORE INTO state VALUES('base', ?)", {base});
  id_ = text(database_.run("SELECT value FROM state WHERE name='id'")[0][0]);
  base_ = text(database_.run("SELECT value FROM state WHERE name='base'")[0][0]);
}

std::uint64_t Journal::last() {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint64_t>(
      whole(database_.run("SELECT coalesce(max(version), 0) FROM changes")[0][0]));
}

void Journal::begin() {
  const std::lock_guard lock(mutex_);
  database_.run("BEGIN IMMEDIATE");
}

void Journal::put(const JournalChange& change) {
  const std::lock_guard lock(mutex_);
  const SqlValue key = change.key.empty() ? SqlValue() : SqlValue(change.key);
  database_.run(
      "INSERT INTO changes VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      {number(change.version), change.kind, std::int64_t{change.adds}, change.rows, change.total,
       change.weight, change.time, key, number(change.undoes), change.body});
}

void Journal::commit() {
  const std::lock_guard lock(mutex_);
  database_.run("COMMIT");
}

void Journal::roll_back() {
  const std::lock_guard lock(mutex_);
  try {
    database_.run("ROLLBACK");
  } catch (const std::exception&) {
    // After some errors, such as a full disk, SQLite has done so itself.
  }
}

std::vector<JournalChange> Journal::select(const std::string& condition,
                                           const std::vector<SqlValue>& values, bool bodies) {
  const std::lock_guard lock(mutex_);
  std::vector<JournalChange> result;
  const auto rows = database_.run(
      fmt::format("SELECT version, kind, adds, rows, total, weight, time, key, undoes, (SELECT "
                  "version FROM changes AS later WHERE later.undoes = changes.version), {} FROM "
                  "changes {}",
                  bodies ? "body" : "''", condition),
      values);
  for (const auto& row : rows) {
    result.push_back({static_cast<std::uint64_t>(whole(row[0])), text(row[1]), whole(row[2]) != 0,
                      real(row[3]), real(row[4]), real(row[5]), text(row[6]), text(row[7]),
                      static_cast<std::uint64_t>(whole(row[8])),
                      static_cast<std::uint64_t>(whole(row[9])), text(row[10])});
  }
  return result;
}

namespace {

std::optional<JournalChange> first_of(std::vector<JournalChange> changes) {
  if (changes.empty()) return std::nullopt;
  return std::move(changes.front());
}

}  // namespace

std::optional<JournalChange> Journal::with_key(const std::string& key) {
  return first_of(select("WHERE key = ?", {key}));
}

std::optional<JournalChange> Journal::at(std::uint64_t version) {
  return first_of(select("WHERE version = ?", {static_cast<std::int64_t>(version)}));
}

std::optional<JournalChange> Journal::last_standing() {
  return first_of(
      select("WHERE undoes IS NULL AND version NOT IN (SELECT undoes FROM changes WHERE undoes IS "
             "NOT NULL) ORDER BY version DESC LIMIT 1",
             {}));
}

std::vector<JournalChange> Journal::after(std::uint64_t version) {
  return select("WHERE version > ? ORDER BY version", {static_cast<std::int64_t>(version)});
}

std::vector<JournalChange> Journal::listed(std::size_t most) {
  return select("ORDER BY version DESC LIMIT ?", {static_cast<std::int64_t>(most)}, false);
}

}  // namespace credence::serve
