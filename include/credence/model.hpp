// SPDX-License-Identifier: Apache-2.0
// A model is a schema, blocks, settings, and the statistics of the rows observed so far.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/rule.hpp"
#include "credence/schema.hpp"
#include "credence/source.hpp"

namespace credence {

class Statistics;
struct Calibration;
struct Novelty;

// A family over one or more columns of the schema. A row's log-likelihood is the sum over blocks.
struct BlockSpec {
  std::string family;                // "categorical", "gaussian", … (docs/families)
  std::vector<std::size_t> columns;  // places in the schema
  double weight = 1;                 // multiplies the block's log-likelihood
  std::string parameters = {};       // what stands in parentheses: "full", "shrunk=0.3"

  bool operator==(const BlockSpec&) const = default;
};

// Applied when a Scorer is made from the model: changeable without data.
struct Settings {
  Rule rule;
  ClassPrior prior;
  bool reserve_unseen = false;  // keep one imaginary value for words never seen
  std::map<std::string, std::map<std::string, double>> shares;  // p of the m-estimate, by column
  bool hand_written = false;  // probabilities typed in, not counted: usable, but not updatable
  std::shared_ptr<const Calibration> calibration =
      {};                                       // none: probabilities as Bayes' rule has them
  std::shared_ptr<const Novelty> novelty = {};  // what evidence rows usually have
};

class Model {
 public:
  Model(Schema schema, std::vector<BlockSpec> blocks, Settings settings = {});
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(Model) noexcept;
  ~Model();

  const Schema& schema() const { return schema_; }
  const std::vector<BlockSpec>& blocks() const { return blocks_; }
  const Settings& settings() const { return settings_; }
  Settings& settings() { return settings_; }

  const std::vector<std::string>& classes() const;  // sorted
  std::vector<double> class_weights() const;
  double rows() const;                               // observed, each counted once
  double unlabelled() const { return unlabelled_; }  // rows passed over by learn(): no class

  // Learns from rows. The result does not depend on the number of threads (0: all of them).
  void observe(const Chunk& chunk);
  void learn(Source& source, unsigned threads = 0, const Progress& progress = {});
  // The same model before any row.
  Model empty() const;

  // Adds what another model of the same schema and blocks observed, or takes it away again.
  // Taking away what was never observed is refused, and the model stays as it was.
  void merge(const Model& other);
  void forget(const Model& other);

  const Statistics& statistics() const { return *statistics_; }
  Statistics& statistics() { return *statistics_; }

 private:
  void replace(Statistics&& statistics);

  Schema schema_;
  std::vector<BlockSpec> blocks_;
  Settings settings_;
  std::unique_ptr<Statistics> statistics_;
  double unlabelled_ = 0;
};

// What a person says about the columns; the rest is inferred from the source's profile.
struct Plan {
  std::string target;
  std::string weights;
  std::string model;                // "naive" (or ""), "lda", "qda": how numbers are blocked
  std::vector<std::string> as;      // "age, income: gaussian", "zip*: categorical", "id: ignore"
  std::vector<std::string> values;  // "size=small|medium|large"
  std::vector<std::string> missing = Schema{}.missing;
  Settings settings;
};

struct PlannedColumn {
  std::string name;
  std::string family;  // or "ignored", "target", "weights"
  std::string reason;  // why, when it was inferred
};

// The model a plan asks for, before any row; `decisions` (if given) says how each column is used.
Model plan_model(const std::vector<ColumnProfile>& profile, const Plan& plan,
                 std::vector<PlannedColumn>* decisions = nullptr);

// plan_model and learn in one.
Model fit(Source& source, const Plan& plan, unsigned threads = 0, const Progress& progress = {});

}  // namespace credence
