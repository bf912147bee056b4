// SPDX-License-Identifier: Apache-2.0
#include "serve/journal/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/shared_library.hpp"
#include "credence/error.hpp"

namespace credence::serve {
namespace {

struct SqliteLibrary {
#ifdef __APPLE__
  SharedLibrary library{"libsqlite3.dylib", "a server that learns needs"};
#else
  SharedLibrary library{"libsqlite3.so.0", "a server that learns needs"};
#endif

#define CREDENCE_SQLITE(name) \
  decltype(&sqlite3_##name) name = library.function<decltype(&sqlite3_##name)>("sqlite3_" #name)
  CREDENCE_SQLITE(bind_double);
  CREDENCE_SQLITE(bind_int64);
  CREDENCE_SQLITE(bind_null);
  CREDENCE_SQLITE(bind_text64);
  CREDENCE_SQLITE(busy_timeout);
  CREDENCE_SQLITE(close_v2);
  CREDENCE_SQLITE(column_bytes);
  CREDENCE_SQLITE(column_count);
  CREDENCE_SQLITE(column_double);
  CREDENCE_SQLITE(column_int64);
  CREDENCE_SQLITE(column_text);
  CREDENCE_SQLITE(column_type);
  CREDENCE_SQLITE(errmsg);
  CREDENCE_SQLITE(finalize);
  CREDENCE_SQLITE(open_v2);
  CREDENCE_SQLITE(prepare_v2);
  CREDENCE_SQLITE(step);
#undef CREDENCE_SQLITE
};

const SqliteLibrary& sqlite() {
  static const SqliteLibrary loaded;
  return loaded;
}

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite().finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

void bind(sqlite3_stmt* statement, int place, const SqlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    sqlite().bind_int64(statement, place, *number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite().bind_double(statement, place, *real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite().bind_text64(statement, place, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  } else {
    sqlite().bind_null(statement, place);
  }
}

SqlValue cell(sqlite3_stmt* statement, int place) {
  switch (sqlite().column_type(statement, place)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite().column_int64(statement, place)};
    case SQLITE_FLOAT:
      return sqlite().column_double(statement, place);
    case SQLITE_NULL:
      return std::monostate();
    default: {
      const auto* bytes = reinterpret_cast<const char*>(sqlite().column_text(statement, place));
      const auto size = static_cast<std::size_t>(sqlite().column_bytes(statement, place));
      return std::string(bytes ? bytes : "", size);
    }
  }
}

}  // namespace

Database::Database(const std::string& path) : path_(path) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite().open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string why = handle_ ? sqlite().errmsg(handle_) : "out of memory";
    sqlite().close_v2(handle_);
    throw Error(ErrorKind::system, fmt::format("{}: the journal cannot be opened: {}", path, why));
  }
  sqlite().busy_timeout(handle_, 5000);
}

Database::~Database() { sqlite().close_v2(handle_); }

void Database::fail(const std::string& what) const {
  throw Error(ErrorKind::system, fmt::format("{}: the journal cannot be {}: {}", path_, what,
                                             sqlite().errmsg(handle_)));
}

std::vector<SqlRow> Database::run(const std::string& statement,
                                  const std::vector<SqlValue>& values) {
  sqlite3_stmt* made = nullptr;
  if (sqlite().prepare_v2(handle_, statement.data(), static_cast<int>(statement.size()), &made,
                          nullptr) != SQLITE_OK) {
    fail("read");
  }
  const Statement owned(made);
  for (std::size_t i = 0; i < values.size(); ++i) bind(made, static_cast<int>(i) + 1, values[i]);
  std::vector<SqlRow> rows;
  while (true) {
    const int state = sqlite().step(made);
    if (state == SQLITE_DONE) return rows;
    if (state != SQLITE_ROW) fail("written");
    SqlRow row;
    for (int i = 0; i < sqlite().column_count(made); ++i) row.push_back(cell(made, i));
    rows.push_back(std::move(row));
  }
}

std::int64_t whole(const SqlValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number ? *number : static_cast<std::int64_t>(real(value));
}

double real(const SqlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  const auto* number = std::get_if<double>(&value);
  return number ? *number : 0;
}

std::string text(const SqlValue& value) {
  const auto* found = std::get_if<std::string>(&value);
  return found ? *found : "";
}

}  // namespace credence::serve
