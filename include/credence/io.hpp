// SPDX-License-Identifier: Apache-2.0
// Model files. The format is described in docs/format.md, hand-written models in
// docs/handwritten.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "credence/model.hpp"

namespace credence {

class Descriptor;

// Writes to a temporary file beside `path`, syncs it and renames it: the old file or the new one
// is there at any time, never a part. "-" is standard output. A model that could not be read again
// is refused by a data error before anything is written.
void save(const Model& model, const std::string& path);

// Reads a model file, or a hand-written JSON model. Throws a model error for anything else.
Model load(const std::string& path);

// The same, to and from bytes in memory; `name` stands in messages.
std::string to_bytes(const Model& model);
Model from_bytes(std::string_view bytes, const std::string& name);

// Held from the reading of a model until its successor is in place, so that whatever programs
// change it at once, all their changes are in it. It is advisory: it keeps out those who ask for
// it, as the command line does. save() hands it on to the new file. A path that leads to no file
// needs none.
class ModelLock {
 public:
  // Waits for whoever holds it, after a call of `busy`; or throws a system error.
  explicit ModelLock(const std::string& path, bool wait = true,
                     const std::function<void()>& busy = {});
  void release() { held_.reset(); }  // before its time

 private:
  std::shared_ptr<Descriptor> held_;
};

// The checksum of the model's file as it would be without journal and windows: the same for two
// models of the same settings that have observed the same, whatever happened in between.
std::string fingerprint(const Model& model);

// A query for a database ("duckdb", "postgres" or "spark") that gives every row of a table the
// label `prediction` and, for every class, a column such as "P(spam)": docs/sql.md. The table may
// be anything that stands after FROM. Throws a usage error that names a column SQL cannot score.
std::string scoring_sql(const Model& model, const std::string& dialect,
                        const std::string& table = "data");

}  // namespace credence
