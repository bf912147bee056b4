// SPDX-License-Identifier: Apache-2.0
// A model is a schema, blocks, settings, and the statistics of the rows observed so far.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/journal.hpp"
#include "credence/rule.hpp"
#include "credence/schema.hpp"
#include "credence/source.hpp"

namespace credence {

class Statistics;
class Tensors;
struct Parts;
struct Calibration;
struct Novelty;

// A family over one or more columns of the schema. A row's log-likelihood is the sum over blocks.
struct BlockSpec {
  std::string family;                // "categorical", "gaussian", … (docs/families)
  std::vector<std::size_t> columns;  // places in the schema
  double weight = 1;                 // trust: multiplies the block's log-likelihood
  std::string parameters = {};       // what stands in parentheses: "full", "shrunk=0.3"

  bool operator==(const BlockSpec&) const = default;
};

// Applied when a Scorer is made from the model: changeable without data.
struct Settings {
  Rule rule;
  ClassPrior prior;
  bool reserve_unseen = false;  // keep one imaginary value for words never seen
  std::map<std::string, std::map<std::string, double>> shares =
      {};                     // p of the m-estimate, by column
  std::string reading = {};   // of pairs: "aode"; empty: as the block says
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

  const std::vector<std::string>& classes() const;  // those of the schema first, others sorted
  std::vector<double> class_weights() const;
  double rows() const;         // observed, each counted once
  double shared_rows() const;  // of these, rows without a class that classes share (docs/semi.md)
  double unlabelled() const { return unlabelled_; }  // rows passed over by learn(): no class

  // Learns from rows. The result does not depend on the number of threads (0: all of them).
  void observe(const Chunk& chunk);
  // learnt: is given the chunks in their order.
  void learn(Source& source, unsigned threads = 0, const Progress& progress = {},
             const std::function<void(const Chunk&)>& learnt = {});
  // The same model before any row.
  Model empty() const;

  // Adds what another model of the same schema and blocks observed, or takes it away again.
  // Taking away what was never observed is refused, and the model stays as it was.
  void merge(const Model& other);
  void forget(const Model& other);

  // Makes every row observed so far weigh `factor` times what it did; 0 < factor <= 1. rows()
  // stays. Rows cannot be forgotten from what has decayed: nobody knows what they weigh now.
  void decay(double factor);
  bool decayed() const;       // some row has
  bool rest_decayed() const;  // some row that is in no window has

  // Windows: merge() and forget() go window by window, by name. The rows of a model that are in
  // none go into this one; they can be taken out again without the data, exactly.
  void put_into_window(const std::string& name);
  void forget_window(const std::string& name);
  std::vector<Window> windows() const;  // by name

  // As if the rows had been labelled so from the start. A given prior follows.
  void rename_class(const std::string& from, const std::string& to);
  void join_classes(const std::vector<std::string>& names, const std::string& into);
  void drop_class(const std::string& name);  // as if its rows had never been there
  // As if the schema had begun with these classes from the start. Nothing else changes.
  void order_classes(const std::vector<std::string>& first);
  double rows_of(const std::string& cls) const;

  // Makes a given prior one over the classes that are there. Those it has no share for get their
  // share among the rows, and are returned with it; those without rows lose theirs to the others.
  // To be called when classes have come or gone.
  std::vector<std::pair<std::string, double>> complete_prior();

  // As if these had been the declared values of the columns from the start.
  void declare_values(const std::map<std::string, std::vector<std::string>>& values);
  // Whether every block understands the rows of Chunk::matrix.
  bool reads_rows() const;

  // Functions of this class write nothing here: who calls them knows what it is about. An entry
  // that says the same as the last one is counted with it; of more than 1,000 the older ones are
  // added up.
  const std::vector<JournalEntry>& journal() const { return journal_; }
  void record(JournalEntry entry);
  void record_all(const std::vector<JournalEntry>& entries);
  // The entries of a merged model, marked as those of the number-th one.
  void record_merged(const std::vector<JournalEntry>& entries, std::size_t number);
  // Without journal and windows: what it has observed in all, which is what answers come from.
  Model without_history() const;

  const Statistics& statistics() const { return *statistics_; }
  Statistics& statistics() { return *statistics_; }

  // Throws a model error that says what is wrong where a file must not hold this (docs/format.md).
  void check() const;

  // For files: all arrays, and back into a model that is described but has not observed any row.
  void save(Tensors& tensors) const;
  void load(const Tensors& tensors, const std::vector<Window>& windows, bool decayed);

 private:
  Parts parts() const;
  void adopt(Parts&& parts, const std::string& refusal = "");
  void relabel(const std::vector<std::string>& names);
  void keep_measured(const std::vector<std::string>& before, const std::vector<std::string>& names);
  std::size_t find_class(const std::string& name) const;

  Schema schema_;
  std::vector<BlockSpec> blocks_;
  Settings settings_;
  std::unique_ptr<Statistics> statistics_;  // of all rows
  std::unique_ptr<Parts> parts_;            // the same in parts; null: there are no windows
  bool decayed_ = false;                    // where there are no windows
  std::vector<JournalEntry> journal_;
  double unlabelled_ = 0;
};

// A family that was chosen by what the rows say, and why.
struct ChosenFamily {
  std::string family;
  std::string reason;
};

// What a person says about the columns; the rest is inferred from the source's profile.
struct Plan {
  std::string target;
  std::string weights;
  std::string model;                // "naive" (or ""), "lda", "qda": how numbers are blocked
  std::vector<std::string> as;      // "age, income: gaussian", "zip*: categorical", "id: ignore"
  std::vector<std::string> values;  // "size=small|medium|large"
  std::vector<std::string> missing = Schema{}.missing;
  Settings settings = {{}, {ClassPrior::Kind::usual, 1, {}}};
  // For "x: auto", by column: what choose_families() says.
  std::map<std::string, ChosenFamily> chosen = {};
  // "age=0.5, income=1.2": how often the evidence of columns counts.
  std::vector<std::string> trust = {};
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
