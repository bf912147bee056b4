// SPDX-License-Identifier: Apache-2.0
// What changes a model besides rows: windows, decay, classes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/model.hpp"
#include "families/statistics/domain.hpp"
#include "model/parts.hpp"
#include "model/renamed.hpp"

namespace credence {
namespace {

constexpr const char* nothing_left =
    "nothing would be left: delete the model instead (it is unchanged)";

}  // namespace

Parts Model::parts() const {
  if (parts_) return *parts_;
  return {{"", Statistics(*statistics_), decayed_}, {}};
}

void Model::adopt(Parts&& parts, const std::string& refusal) {
  if (const auto text = parts.defect(settings_.hand_written); !text.empty()) {
    if (refusal.empty()) throw Error(ErrorKind::data, text);
    const std::string hint =
        parts.windows.empty() ? "" : "; rows of a window are forgotten with " + setting("window");
    throw Error(ErrorKind::data,
                fmt::format("{}{}{} (the model is unchanged)", refusal, text, hint));
  }
  parts.canonicalise();
  if (parts.windows.empty()) {
    *statistics_ = std::move(parts.rest.statistics);
    decayed_ = parts.rest.decayed;
    parts_.reset();
    return;
  }
  Statistics total = parts.total();
  if (const auto text = total.defect(settings_.hand_written); !text.empty())
    throw Error(ErrorKind::data, text);
  *statistics_ = std::move(total);
  decayed_ = false;
  parts_ = std::make_unique<Parts>(std::move(parts));
}

void Model::decay(double factor) {
  if (!(factor > 0 && factor <= 1)) {
    throw Error(ErrorKind::usage,
                fmt::format("a decay by {}: a factor above 0 and at most 1 is needed", factor));
  }
  Parts changed = parts();
  changed.decay(factor);
  bool empty = true;
  changed.for_each([&](const Part& part) { empty = empty && part.statistics.classes().empty(); });
  if (empty && !classes().empty()) throw Error(ErrorKind::data, nothing_left);
  adopt(std::move(changed));
}

bool Model::decayed() const {
  if (!parts_) return decayed_;
  return rest_decayed() || std::any_of(parts_->windows.begin(), parts_->windows.end(),
                                       [](const Part& part) { return part.decayed; });
}

bool Model::rest_decayed() const { return parts_ ? parts_->rest.decayed : decayed_; }

void Model::put_into_window(const std::string& name) {
  if (name.empty()) throw Error(ErrorKind::usage, "a window has a name");
  Parts changed = parts();
  Parts moved{{"", changed.rest.statistics.empty()}, {}};
  std::swap(moved.rest, changed.rest);
  Part& window = changed.find_or_add(name);
  window.statistics.merge(moved.rest.statistics, 1);
  window.decayed = window.decayed || moved.rest.decayed;
  adopt(std::move(changed));
}

void Model::forget_window(const std::string& name) {
  Parts changed = parts();
  if (!changed.find(name)) {
    std::vector<std::string> names;
    for (const auto& window : changed.windows) names.push_back(window.name);
    throw Error(ErrorKind::usage, names.empty()
                                      ? fmt::format("no window \"{}\": this model has none", name)
                                      : fmt::format("no window \"{}\"{}; this model has {}", name,
                                                    suggestion(name, names), join(names, ", ")));
  }
  std::erase_if(changed.windows, [&](const Part& part) { return part.name == name; });
  if (changed.windows.empty() && changed.rest.statistics.classes().empty()) {
    throw Error(ErrorKind::data, nothing_left);
  }
  adopt(std::move(changed));
}

std::vector<Window> Model::windows() const {
  std::vector<Window> result;
  if (!parts_) return result;
  for (const auto& part : parts_->windows) {
    double weight = 0;
    for (const double each : part.statistics.class_weights().high()) weight += each;
    result.push_back({part.name, part.statistics.rows(), weight, part.decayed});
  }
  return result;
}

std::size_t Model::find_class(const std::string& name) const {
  const auto found = std::find(classes().begin(), classes().end(), name);
  if (found != classes().end()) return static_cast<std::size_t>(found - classes().begin());
  throw Error(ErrorKind::usage,
              fmt::format("\"{}\" is no class of this model{}; its classes are {}", name,
                          suggestion(name, classes()), join(classes(), ", ")));
}

double Model::rows_of(const std::string& cls) const {
  return statistics_->rows_of(find_class(cls));
}

// names[c] is what class c of this model is to be called.
void Model::relabel(const std::vector<std::string>& names) {
  const auto renamed = [&](const std::string& name) {
    const auto found = std::find(classes().begin(), classes().end(), name);
    return found == classes().end() ? name
                                    : names[static_cast<std::size_t>(found - classes().begin())];
  };
  Parts changed = parts();
  Domain first;
  for (const auto& name : schema_.classes) first.insert(renamed(name));
  changed.for_each([&](Part& part) {
    std::vector<std::string> own;
    for (const auto& name : part.statistics.classes()) own.push_back(renamed(name));
    part.statistics = part.statistics.renamed(own);
    part.statistics.put_first(first.values());
  });
  auto& prior = settings_.prior;
  std::vector<std::pair<std::string, double>> shares;
  for (const auto& [name, share] : prior.shares) {
    const auto to = renamed(name);
    const auto found = std::find_if(shares.begin(), shares.end(),
                                    [&](const auto& entry) { return entry.first == to; });
    if (found == shares.end()) {
      shares.emplace_back(to, share);
    } else {
      found->second += share;
    }
  }
  adopt(std::move(changed));
  prior.shares = std::move(shares);
  schema_.classes = first.values();
}

// What was measured of the classes holds: they are the same ones, though class before[c] is now
// called names[c] and may have another place.
void Model::keep_measured(const std::vector<std::string>& before,
                          const std::vector<std::string>& names) {
  auto& calibration = settings_.calibration;
  if (calibration && calibration->classes == before) {
    calibration = std::make_shared<const Calibration>(renamed(*calibration, names, classes()));
  }
  auto& novelty = settings_.novelty;
  if (novelty && novelty->classes == before) {
    novelty = std::make_shared<const Novelty>(renamed(*novelty, names, classes()));
  }
}

void Model::order_classes(const std::vector<std::string>& first) {
  Domain known;
  for (const auto& name : first) {
    if (known.find(name) != Domain::npos) {
      throw Error(ErrorKind::usage,
                  fmt::format("the class \"{}\" stands twice in the order", name));
    }
    known.insert(name);
  }
  const auto before = classes();
  Parts changed = parts();
  changed.for_each([&](Part& part) { part.statistics.put_first(first); });
  adopt(std::move(changed));
  schema_.classes = first;
  keep_measured(before, before);
}

void Model::rename_class(const std::string& from, const std::string& to) {
  const std::size_t place = find_class(from);
  if (to.empty()) throw Error(ErrorKind::usage, "a class has a name");
  if (std::find(classes().begin(), classes().end(), to) != classes().end()) {
    throw Error(ErrorKind::usage,
                fmt::format("rename \"{}\": there is a class \"{}\" already (join the two instead)",
                            from, to));
  }
  const auto before = classes();
  auto names = before;
  names[place] = to;
  relabel(names);
  keep_measured(before, names);
}

void Model::join_classes(const std::vector<std::string>& names, const std::string& into) {
  if (into.empty()) throw Error(ErrorKind::usage, "a class has a name");
  auto labels = classes();
  for (const auto& name : names) labels[find_class(name)] = into;
  if (std::count(labels.begin(), labels.end(), into) < 2) {
    throw Error(ErrorKind::usage,
                fmt::format("join into \"{}\": two classes or more are needed", into));
  }
  const auto own = std::find(classes().begin(), classes().end(), into);
  if (own != classes().end() && std::find(names.begin(), names.end(), into) == names.end()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("join into \"{}\": there is a class of that name already (name it among "
                    "those to join)",
                    into));
  }
  relabel(labels);
}

void Model::drop_class(const std::string& name) {
  const std::size_t place = find_class(name);
  if (classes().size() < 2) throw Error(ErrorKind::data, nothing_left);
  auto prior = settings_.prior;
  if (prior.kind == ClassPrior::Kind::given) {
    std::erase_if(prior.shares, [&](const auto& entry) { return entry.first == name; });
    double total = 0;
    for (const auto& [other, share] : prior.shares) total += share;
    if (total == 0) {
      throw Error(
          ErrorKind::data,
          fmt::format("the model's prior gives every class but \"{}\" probability 0: without "
                      "it no prior is left (adapt the prior first)",
                      classes()[place]));
    }
    for (auto& entry : prior.shares) entry.second /= total;
  }
  Parts changed = parts();
  changed.for_each([&](Part& part) {
    const auto& labels = part.statistics.classes();
    part.statistics.drop_classes([&](std::size_t cls) { return labels[cls] == name; });
  });
  adopt(std::move(changed));
  settings_.prior = std::move(prior);
}

void Model::declare_values(const std::map<std::string, std::vector<std::string>>& values) {
  Schema schema = schema_;
  for (auto& column : schema.columns) {
    if (const auto found = values.find(column.name); found != values.end()) {
      column.values = found->second;
    }
  }
  const Statistics none(schema, blocks_);
  Parts changed = parts();
  changed.for_each([&](Part& part) {
    Statistics declared(none);
    declared.merge(part.statistics, 1);
    part.statistics = std::move(declared);
  });
  adopt(std::move(changed));
  schema_ = std::move(schema);
}

bool Model::reads_rows() const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (!statistics_->block(b).reads_rows()) return false;
  }
  return true;
}

Model Model::without_history() const {
  Model result(*this);
  result.journal_.clear();
  result.parts_.reset();
  result.decayed_ = false;
  return result;
}

void Model::save(Tensors& tensors) const {
  statistics_->save(tensors);
  if (!parts_) return;
  parts_->rest.statistics.save(tensors, "rest.");
  for (std::size_t i = 0; i < parts_->windows.size(); ++i) {
    parts_->windows[i].statistics.save(tensors, fmt::format("window.{}.", i));
  }
}

void Model::load(const Tensors& tensors, const std::vector<Window>& windows, bool decayed) {
  statistics_->load(tensors);
  if (windows.empty()) {
    decayed_ = decayed;
    return;
  }
  Parts parts{{"", statistics_->empty(), decayed}, {}};
  parts.rest.statistics.load(tensors, "rest.");
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i].name.empty() || (i > 0 && !natural_less(windows[i - 1].name, windows[i].name))) {
      throw Error(ErrorKind::model, "the windows are not sorted by name");
    }
    parts.windows.push_back({windows[i].name, statistics_->empty(), windows[i].decayed});
    parts.windows.back().statistics.load(tensors, fmt::format("window.{}.", i));
  }
  parts_ = std::make_unique<Parts>(std::move(parts));
}

std::vector<std::pair<std::string, double>> Model::complete_prior() {
  auto& prior = settings_.prior;
  std::vector<std::pair<std::string, double>> added;
  if (prior.kind != ClassPrior::Kind::given) return added;
  const auto weights = class_weights();
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  Domain named;
  for (const auto& [name, share] : prior.shares) named.insert(name);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const auto& name = classes()[c];
    if (named.find(name) != Domain::npos) continue;
    const double share = weights[c] / all;
    for (auto& entry : prior.shares) entry.second *= 1 - share;
    prior.shares.emplace_back(name, share);
    added.emplace_back(name, share);
  }
  const Domain known(classes());
  const auto gone = std::erase_if(
      prior.shares, [&](const auto& entry) { return known.find(entry.first) == Domain::npos; });
  double total = 0;
  for (const auto& entry : prior.shares) total += entry.second;
  if (gone == 0 || total == 0) return added;
  for (auto& entry : prior.shares) entry.second /= total;
  return added;
}

}  // namespace credence
