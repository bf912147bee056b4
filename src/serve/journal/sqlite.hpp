// SPDX-License-Identifier: Apache-2.0
// A database in one file, as much of it as a journal needs. SQLite is loaded by those who learn.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

struct sqlite3;

namespace credence::serve {

// What a cell holds; nothing is NULL.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;
using SqlRow = std::vector<SqlValue>;

// Used by one thread at a time.
class Database {
 public:
  // Makes the file where there is none. Throws Error system.
  explicit Database(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // One statement, with values in the places of ?.
  std::vector<SqlRow> run(const std::string& statement, const std::vector<SqlValue>& values = {});

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  sqlite3* handle_ = nullptr;
};

std::int64_t whole(const SqlValue& value);
double real(const SqlValue& value);
std::string text(const SqlValue& value);

}  // namespace credence::serve
