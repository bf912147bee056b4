// SPDX-License-Identifier: Apache-2.0
#include "credence/model.hpp"

#include <fmt/format.h>

#include "credence/error.hpp"
#include "families/parameters.hpp"
#include "model/parts.hpp"
#include "notation/reading.hpp"
#include "parallel/stream.hpp"

namespace credence {

Model::Model(Schema schema, std::vector<BlockSpec> blocks, Settings settings)
    : schema_(std::move(schema)),
      blocks_(std::move(blocks)),
      settings_(std::move(settings)),
      statistics_(std::make_unique<Statistics>(schema_, blocks_)) {}

Model::Model(const Model& other)
    : schema_(other.schema_),
      blocks_(other.blocks_),
      settings_(other.settings_),
      statistics_(std::make_unique<Statistics>(*other.statistics_)),
      parts_(other.parts_ ? std::make_unique<Parts>(*other.parts_) : nullptr),
      decayed_(other.decayed_),
      journal_(other.journal_),
      unlabelled_(other.unlabelled_) {}

Model::Model(Model&&) noexcept = default;
Model::~Model() = default;

Model& Model::operator=(Model other) noexcept {
  std::swap(schema_, other.schema_);
  std::swap(blocks_, other.blocks_);
  std::swap(settings_, other.settings_);
  std::swap(statistics_, other.statistics_);
  std::swap(parts_, other.parts_);
  std::swap(decayed_, other.decayed_);
  std::swap(journal_, other.journal_);
  std::swap(unlabelled_, other.unlabelled_);
  return *this;
}

const std::vector<std::string>& Model::classes() const { return statistics_->classes(); }

std::vector<double> Model::class_weights() const { return statistics_->class_weights().high(); }

double Model::rows() const { return statistics_->rows(); }

double Model::shared_rows() const { return statistics_->shared_rows(); }

Model Model::empty() const { return {schema_, blocks_, settings_}; }

void Model::observe(const Chunk& chunk) {
  Statistics part = statistics_->empty();
  const std::size_t unlabelled = part.observe(chunk);
  Parts sum = parts();
  sum.rest.statistics.merge(part, 1);
  adopt(std::move(sum));
  unlabelled_ += static_cast<double>(unlabelled);
}

void Model::learn(Source& source, unsigned threads, const Progress& progress,
                  const std::function<void(const Chunk&)>& learnt) {
  struct Part {
    Statistics statistics;
    std::size_t unlabelled;
    Chunk chunk = {};
  };
  // A failure half-way must leave the model as it was.
  Parts total = parts();
  double unlabelled = 0;
  stream_chunks<Part>(
      source, threads, progress,
      [&](Chunk&& chunk) {
        Part part{statistics_->empty(), 0};
        part.unlabelled = part.statistics.observe(chunk);
        if (learnt) part.chunk = std::move(chunk);
        return part;
      },
      [&](Part part) {
        if (total.rest.statistics.untouched()) {
          total.rest.statistics = std::move(part.statistics);
        } else {
          total.rest.statistics.merge(part.statistics, 1);
        }
        unlabelled += static_cast<double>(part.unlabelled);
        if (learnt) learnt(part.chunk);
      });
  adopt(std::move(total));
  unlabelled_ += unlabelled;
}

namespace {

std::string block_name(const BlockSpec& block) {
  return block.parameters.empty() ? block.family
                                  : fmt::format("{}({})", block.family, block.parameters);
}

void check_compatible(const Model& a, const Model& b) {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::model, "the models do not fit together: " + why);
  };
  const auto& left = a.schema();
  const auto& right = b.schema();
  if (left.target != right.target) {
    refuse(fmt::format("the target is \"{}\" in one and \"{}\" in the other", left.target,
                       right.target));
  }
  if (left.columns.size() != right.columns.size() || a.blocks().size() != b.blocks().size()) {
    refuse(fmt::format("one has {} columns in {} blocks, the other {} in {}", left.columns.size(),
                       a.blocks().size(), right.columns.size(), b.blocks().size()));
  }
  for (std::size_t i = 0; i < left.columns.size(); ++i) {
    if (left.columns[i].name != right.columns[i].name) {
      refuse(fmt::format("column {} is \"{}\" in one and \"{}\" in the other", i + 1,
                         left.columns[i].name, right.columns[i].name));
    }
    if (left.columns[i].values != right.columns[i].values) {
      refuse(fmt::format("the declared values of column \"{}\" differ", left.columns[i].name));
    }
    if (left.columns[i].tokens != right.columns[i].tokens) {
      refuse(
          fmt::format("the text of column \"{}\" is cut by \"{}\" in one and by \"{}\" in the "
                      "other",
                      left.columns[i].name, left.columns[i].tokens, right.columns[i].tokens));
    }
  }
  for (std::size_t i = 0; i < left.columns.size(); ++i) {
    const auto& x = left.columns[i];
    const auto& y = right.columns[i];
    if (data::same_quantity(x.reading, y.reading) && x.from == y.from) continue;
    refuse(fmt::format("column \"{}\" is read as {} in one and as {} in the other", x.name,
                       x.reading.empty() ? "plain" : x.reading,
                       y.reading.empty() ? "plain" : y.reading));
  }
  for (std::size_t i = 0; i < a.blocks().size(); ++i) {
    const auto& x = a.blocks()[i];
    const auto& y = b.blocks()[i];
    if (x.family != y.family || x.columns != y.columns ||
        !same_parameters(x.parameters, y.parameters)) {
      refuse(fmt::format("column \"{}\" is {} in one and {} in the other",
                         left.columns[x.columns[0]].name, block_name(x), block_name(y)));
    }
  }
}

}  // namespace

void Model::merge(const Model& other) {
  check_compatible(*this, other);
  Parts sum = parts();
  sum.add(other.parts());
  adopt(std::move(sum));
  unlabelled_ += other.unlabelled_;
}

void Model::forget(const Model& other) {
  check_compatible(*this, other);
  Parts rest = parts();
  rest.take_away(other.parts());
  adopt(std::move(rest), "cannot forget what was not observed: ");
}

Model fit(Source& source, const Plan& plan, unsigned threads, const Progress& progress) {
  Plan complete = plan;
  if (complete.target.empty()) complete.target = source.default_target();
  Model model = plan_model(source.profile(), complete);
  source.select(model.schema(), true);
  model.learn(source, threads, progress);
  return model;
}

}  // namespace credence
