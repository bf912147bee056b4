// SPDX-License-Identifier: Apache-2.0
#include "serve/models/store.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/evaluate.hpp"
#include "io/file.hpp"
#include "serve/http/message.hpp"
#include "sources/absent.hpp"

namespace credence::serve {

std::pair<const Chunk*, std::size_t> DataRows::at(std::size_t row) const {
  for (const auto& chunk : chunks) {
    if (row < chunk.rows) return {&chunk, row};
    row -= chunk.rows;
  }
  return {nullptr, 0};
}

const std::string* DataRows::text(std::size_t chunk, std::size_t column, std::size_t row) const {
  if (chunk >= texts.size() || row >= texts[chunk][column].codes.size()) return nullptr;
  const auto& words = texts[chunk][column];
  const auto code = words.codes[row];
  return code < 0 ? nullptr : &words.dictionary[static_cast<std::size_t>(code)];
}

namespace {

// As the model reads them. with_texts: every document is read a second time, as one long word.
DataRows rows_of(const std::vector<std::string>& paths, Schema schema, bool with_texts) {
  ReadOptions options;
  options.missing = schema.missing;
  const auto source = open_source(paths, options);
  const std::size_t columns = schema.columns.size();
  std::vector<std::size_t> documents;
  for (std::size_t i = 0; i < columns && with_texts; ++i) {
    const ColumnSpec spec = schema.columns[i];
    if (spec.kind != ColumnKind::text) continue;
    schema.columns.push_back({spec.name, ColumnKind::category, {}, {}, {}, spec.in_file()});
    documents.push_back(i);
  }
  source->select(schema, false);
  DataRows data;
  data.chunks = read_all(*source);
  for (auto& chunk : data.chunks) {
    data.rows += chunk.rows;
    if (documents.empty()) continue;
    auto& texts = data.texts.emplace_back(columns);
    for (std::size_t k = 0; k < documents.size(); ++k) {
      texts[documents[k]] = std::get<Categories>(std::move(chunk.columns[columns + k]));
    }
    chunk.columns.resize(columns);
  }
  return data;
}

bool has_texts(const Schema& schema) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [](const auto& column) { return column.kind == ColumnKind::text; });
}

}  // namespace

ModelStore::FileMark ModelStore::mark_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, static_cast<std::uint64_t>(status.st_size),
          status.st_ino};
}

void ModelStore::open(const std::string& name, const std::string& path, bool learns) {
  for (const auto& other : names()) {
    if (other != name) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: there is a model \"{}\" already (write another=PATH)", path, name));
  }
  Entry entry{name, path, mark_of(path), {}};
  if (!learns) entry.now = std::make_shared<const Snapshot>(name, read_model_bytes(path).view(), 1);
  {
    const std::unique_lock lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  if (!learns) return;
  auto learner = std::make_shared<Learner>(
      name, path,
      [this, name](std::shared_ptr<const Snapshot> snapshot) {
        publish(name, std::move(snapshot));
      },
      log_);
  const std::unique_lock lock(mutex_);
  for (auto& one : entries_) {
    if (one.name == name) one.learner = std::move(learner);
  }
}

void ModelStore::publish(const std::string& name, std::shared_ptr<const Snapshot> snapshot) {
  constexpr std::size_t kept = 8;
  const std::unique_lock lock(mutex_);
  for (auto& entry : entries_) {
    if (entry.name != name) continue;
    entry.past.push_back(snapshot);
    if (entry.past.size() > kept) entry.past.erase(entry.past.begin() + 1);
    entry.now = std::move(snapshot);
    return;
  }
}

void ModelStore::refuse_file_name(const std::string& name) const {
  for (const auto& entry : entries_) {
    if (entry.name != name || entry.path.empty()) continue;
    throw HttpError(409, fmt::format("\"{}\" is the name of a model that has a file", name));
  }
}

void ModelStore::require_free(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  refuse_file_name(name);
}

void ModelStore::put(const std::string& name, Model model, bool hidden) {
  constexpr std::size_t most = 32;
  auto now = std::make_shared<const Snapshot>(name, std::move(model), 1);
  const std::unique_lock lock(mutex_);
  refuse_file_name(name);
  std::size_t others = 0;
  for (auto& entry : entries_) {
    if (entry.name != name) {
      others += entry.path.empty() && !entry.hidden;
      continue;
    }
    entry.now = std::move(now);
    return;
  }
  if (!hidden && others >= most) throw HttpError(429, "there are too many models");
  entries_.push_back({name, "", {}, std::move(now)});
  entries_.back().hidden = hidden;
}

void ModelStore::read_data(Entry& entry) const {
  if (data_.empty()) return;
  const auto& schema = entry.now->schema();
  if (has_texts(schema)) {
    try {
      entry.data = std::make_shared<DataRows>(rows_of(data_, schema, true));
    } catch (const Error& error) {
      // Words are found in other bytes than UTF-8, too: the rows may be good to judge by.
      entry.data = std::make_shared<DataRows>(rows_of(data_, schema, false));
      log_(fmt::format("{}: the texts of these rows are shown as bags of words: {}", entry.name,
                       error.what()));
    }
    return;
  }
  entry.data = std::make_shared<DataRows>(rows_of(data_, schema, false));
}

void ModelStore::use_data(const std::vector<std::string>& paths) {
  const std::unique_lock lock(mutex_);
  data_ = paths;
  std::exception_ptr problem;
  bool any = false;
  for (auto& entry : entries_) {
    const auto why = judge_by_data(entry);
    any = any || !why;
    if (!problem) problem = why;
  }
  if (!any && problem) std::rethrow_exception(problem);
}

std::exception_ptr ModelStore::judge_by_data(Entry& entry) const {
  entry.data = nullptr;
  try {
    read_data(entry);
    return nullptr;
  } catch (const Error& error) {
    log_(fmt::format("{}: the model cannot be judged by these rows: {}", entry.name, error.what()));
    return std::current_exception();
  }
}

const ModelStore::Entry& ModelStore::entry(const std::string& name) const {
  for (const auto& entry : entries_) {
    if (entry.name == name) return entry;
  }
  if (name == "default" && !entries_.empty()) return entries_.front();
  std::vector<std::string> known;
  for (const auto& entry : entries_) {
    if (!entry.hidden) known.push_back(entry.name);
  }
  throw HttpError(404,
                  fmt::format("no model {}{}; there is {}", json_text(name.substr(0, 100)),
                              suggestion(name, known), known.empty() ? "none" : join_some(known)));
}

std::shared_ptr<const Snapshot> ModelStore::find(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  return entry(name).now;
}

std::shared_ptr<const Snapshot> ModelStore::find(const std::string& name,
                                                 std::uint64_t version) const {
  const std::shared_lock lock(mutex_);
  const auto& found = entry(name);
  if (found.now->version() == version) return found.now;
  for (const auto& past : found.past) {
    if (past->version() == version) return past;
  }
  throw HttpError(404, fmt::format("version {} of \"{}\" is not kept any more", version, name));
}

std::shared_ptr<Learner> ModelStore::learner(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  auto found = entry(name).learner;
  if (!found)
    throw HttpError(403, "this model does not learn: the server was not started to teach it");
  return found;
}

bool ModelStore::learns(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  return entry(name).learner != nullptr;
}

std::shared_ptr<const DataRows> ModelStore::data_of(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  return entry(name).data;
}

std::vector<std::string> ModelStore::names() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> result;
  for (const auto& entry : entries_) {
    if (!entry.hidden) result.push_back(entry.name);
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> ModelStore::problems() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& entry : entries_) {
    const auto problem = entry.learner ? entry.learner->problem() : entry.problem;
    if (!problem.empty()) result.emplace_back(entry.name, problem);
  }
  return result;
}

void ModelStore::tick() {
  std::vector<Entry> changed;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& entry : entries_) {
      if (entry.learner) {
        entry.learner->tick();
      } else if (!entry.path.empty() && mark_of(entry.path) != entry.mark) {
        changed.push_back(entry);
      }
    }
  }
  // They are read while the old ones answer.
  for (auto& entry : changed) {
    const auto& path = entry.path;
    entry.mark = mark_of(path);
    try {
      const auto bytes = read_model_bytes(path);
      entry.now =
          std::make_shared<const Snapshot>(entry.name, bytes.view(), entry.now->version() + 1);
      entry.problem.clear();
      log_(fmt::format("{}: read again, as {} has changed", entry.name, path));
    } catch (const std::exception& error) {
      entry.problem = error.what();
      log_(fmt::format("{}: {} has changed but cannot be used: {}; the model answers as before",
                       entry.name, path, entry.problem));
    }
    if (entry.problem.empty()) judge_by_data(entry);
    const std::unique_lock lock(mutex_);
    for (auto& other : entries_) {
      if (other.name == entry.name && other.path == entry.path) other = entry;
    }
  }
}

}  // namespace credence::serve
