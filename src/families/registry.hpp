// SPDX-License-Identifier: Apache-2.0
// The families there are. Each describes itself once, in its own file: whoever has to know
// something of a family asks its description, never its name.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/strings.hpp"
#include "credence/schema.hpp"
#include "families/family.hpp"

namespace credence {

// The columns of one block, as a family sees them.
struct BlockColumns {
  std::vector<std::size_t> indices;  // in the chunk
  std::vector<std::string> names;
  ColumnKind kind;
  std::vector<std::string> values;     // declared, of the first column
  std::vector<ColumnSpec> specs = {};  // of every column

  std::string title() const { return join(names, ", "); }
  // Whether rows of a matrix with these columns alone have them in this order.
  bool in_order() const {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] != i) return false;
    }
    return true;
  }
};

// What a column looks like before anybody has said what it is.
enum class ColumnLook {
  words,
  zero_one,
  numbers,
  features,  // a set of names, each present or absent
  counts,    // a set of named counts
  documents,
};

// What is known of a column's numbers before anything is fitted.
struct ValueLook {
  std::size_t present = 0;
  std::size_t distinct = 0;
  bool whole = true;  // and not negative
  bool zero_one = true;
};

// What stands under "given" where a model is written by hand.
enum class HandWriting {
  none,
  table,      // a probability for each value
  draws,      // a probability for each feature of a bag, and its length
  presences,  // a probability for each feature of a bag, or one
  moments,    // mean and sd, or of several columns mean and covariance
  documents,  // a probability for each word of a text
  rate,
  tree,  // a probability for each value, and each value of the column above
};

// What `estimate` reads from a column.
enum class Distribution { binomial, multinomial, poisson, gaussian };

struct Estimate {
  Distribution distribution;
  const char* name;  // besides the family's own
};

// A way to look at columns that the automatic choice tries besides what they are taken for.
struct RaceEntry {
  int place;                   // among those of all families: the simplest comes first
  std::vector<ColumnLook> of;  // the columns it is for
  std::string parameters = "";
  std::string beside = "";  // parameters of a second block over the same columns; empty: none
  std::size_t least_columns = 1, most_columns = static_cast<std::size_t>(-1);
  bool keeps_tables = false;     // of every value in every class, in each fold
  bool adds_all_values = false;  // a row's density is a sum over all rows' values
};

// A name for all columns of numbers in one block with these parameters.
struct NamedModel {
  std::string name, parameters;
};

struct Family {
  const char* name;               // what users write in Plan::as
  std::vector<ColumnKind> kinds;  // it reads; the first one is how a plain column is read for it
  std::unique_ptr<BlockStatistics> (*make)(const BlockColumns& columns,
                                           const std::string& parameters);
  bool takes_parameters = false;
  // Whether several columns of one line of Plan::as form one block, with these parameters.
  bool (*joins)(const std::string& parameters) = [](const std::string&) { return false; };
  bool mixes_kinds = false;   // and they may be of several kinds
  bool bins_numbers = false;  // it counts numbers in bins: ColumnSpec::values has their edges
  bool has_readings = false;  // Settings::reading says how its counts are read
  // The parameters with how much each factor of the density is trusted; null where a density is
  // one factor.
  std::string (*trusting)(const std::string& parameters,
                          const std::vector<double>& trust) = nullptr;

  // What it is taken for without being asked, and the column it may be chosen for once rows are
  // seen: the simplest, which has the lowest rank, is preferred. Rank 0 is never chosen.
  std::vector<ColumnLook> usual_for = {};
  int rank = 0;
  bool (*suits)(const ValueLook& values) = nullptr;

  std::vector<RaceEntry> tried = {};
  std::vector<NamedModel> models = {};

  HandWriting by_hand = HandWriting::none;
  std::optional<Estimate> estimate = {};
  std::vector<ColumnKind> takes_shares = {};  // kinds of columns for which a prior's p can be given

  // Its parameters are the probabilities of a column's values, of which a row has one.
  bool one_of_values = false;
  // Under bayes its density is that of the mean parameters: integrating them out changes nothing.
  bool predicts_at_mean = false;
  // Only whether a feature is there counts, not how often.
  bool (*presence_only)(const std::string& parameters) = [](const std::string&) { return false; };
  // All classes share one covariance; where there is none at all: a null pointer.
  bool (*one_covariance)(const std::string& parameters) = nullptr;
  // A score tells classes apart but does not say how probable a row is: what it is called, and
  // which family would say it.
  struct Score {
    std::string what, instead;
  };
  std::optional<Score> (*score)(const std::string& parameters) =
      [](const std::string&) -> std::optional<Score> { return std::nullopt; };
  // Why every row that is left out is estimated anew; empty: there is a shorter way.
  const char* (*long_way)(const std::string& parameters) = [](const std::string&) { return ""; };
};

const std::vector<Family>& families();
std::vector<std::string> family_names();
// Throws a usage error with a suggestion when there is none of that name.
const Family& find_family(const std::string& name);
const Family& usual_family(ColumnLook look);
bool reads(const Family& family, ColumnKind kind);

// What Plan::model may say, the simplest first, and the parameters it gives to the usual family of
// numbers: empty where each column is by itself. No such model: null.
std::vector<std::string> model_names();
const NamedModel* find_model(const std::string& name);

// The candidates for a column of numbers, the simplest first.
std::vector<const Family*> suitable_families(const ValueLook& values);

}  // namespace credence
