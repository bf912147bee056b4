// SPDX-License-Identifier: Apache-2.0
// Models: planned, learned, merged, forgotten, and as bytes.
#include <nanobind/stl/map.h>

#include <cmath>

#include "bindings.hpp"
#include "core/tensors.hpp"
#include "credence/credence.hpp"

namespace credence::python {
namespace {

using Shares = std::map<std::string, std::map<std::string, double>>;
// Hears what was read so far and what there is in all, 0 where nobody knows.
using Watcher = nb::typed<nb::callable, void(std::uint64_t, std::uint64_t)>;
constexpr const char* kind_names[] = {"number",   "amount", "count", "binary",
                                      "category", "bag",    "text"};

Plan wishes(const std::string& target, const std::string& weights, const std::string& model,
            const std::vector<std::string>& blocks, const std::vector<std::string>& values,
            const std::vector<std::string>& missing, const std::string& rule,
            const std::string& prior, const Shares& shares, bool reserve_unseen) {
  Plan plan{target, weights, model, blocks, values, missing, {}};
  plan.settings.rule = parse_rule(rule);
  plan.settings.prior =
      prior == "usual" ? ClassPrior{ClassPrior::Kind::usual, 1, {}} : parse_class_prior(prior);
  plan.settings.shares = shares;
  plan.settings.reserve_unseen = reserve_unseen;
  return plan;
}

std::pair<Model, std::vector<Use>> plan(const Source& source, const Plan& wishes) {
  std::vector<PlannedColumn> columns;
  Model planned = plan_model(source.profile(), wishes, &columns);
  return {std::move(planned), uses_of(columns)};
}

// A model whose columns and blocks are known, without a look at any rows.
using ColumnTuple = std::tuple<std::string, std::string, std::vector<std::string>>;
using BlockTuple = std::tuple<std::string, std::vector<std::size_t>, std::string>;

ColumnKind kind_of(const std::string& name) {
  for (std::size_t i = 0; i < std::size(kind_names); ++i) {
    if (name == kind_names[i]) return static_cast<ColumnKind>(i);
  }
  throw Error(ErrorKind::usage, "no kind of column \"" + name + "\"");
}

Model describe(const std::string& target, const std::vector<ColumnTuple>& columns,
               const std::vector<BlockTuple>& blocks, const std::string& rule,
               const std::string& prior, const Shares& shares) {
  Schema schema;
  schema.target = target;
  for (const auto& [name, kind, values] : columns) {
    schema.columns.push_back({name, kind_of(kind), values});
  }
  std::vector<BlockSpec> specs;
  for (const auto& [family, places, parameters] : blocks) {
    specs.push_back({family, places, 1, parameters});
  }
  Settings settings;
  settings.rule = parse_rule(rule);
  settings.prior = parse_class_prior(prior);
  settings.shares = shares;
  return {std::move(schema), std::move(specs), std::move(settings)};
}

// The numbers of the model's file by their names there (docs/format.md).
using Arrays = nb::typed<nb::dict, std::string, nb::ndarray<nb::numpy, double>>;
Arrays arrays_of(const Model& model) {
  Tensors tensors;
  model.save(tensors);
  Arrays result;
  for (const auto& [name, tensor] : tensors.all) {
    if (name.ends_with(".low") || name.ends_with(".offsets") || tensors.has(name + ".offsets")) {
      continue;
    }
    const ExactSums sums = tensors.sums(name, tensor.shape);
    std::vector<double> values;
    for (std::size_t i = 0; i < sums.size(); ++i) values.push_back(sums.exact(i).value());
    auto* held = new std::vector<double>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    result[name.c_str()] = nb::ndarray<nb::numpy, double>(held->data(), tensor.shape.size(),
                                                          tensor.shape.data(), owner);
  }
  return result;
}

// All classes as one.
Model joined(const Model& model) {
  Model result(model);
  result.settings().prior = {};
  if (result.classes().size() > 1) result.join_classes(result.classes(), "all");
  return result;
}

// The same statistics of one block, read with other parameters.
Model reread(const Model& model, const std::string& parameters) {
  Tensors tensors;
  model.save(tensors);
  auto blocks = model.blocks();
  blocks.at(0).parameters = parameters;
  Model result(model.schema(), blocks, model.settings());
  result.load(tensors, {}, false);
  return result;
}

nb::bytes bytes_of(const Model& model) {
  std::string bytes;
  {
    const nb::gil_scoped_release unlocked;
    bytes = to_bytes(model);
  }
  return nb::bytes(bytes.data(), bytes.size());
}

Model model_of(const nb::bytes& bytes, const std::string& name) {
  const std::string_view view(static_cast<const char*>(bytes.data()), bytes.size());
  const nb::gil_scoped_release unlocked;
  return from_bytes(view, name);
}

std::vector<std::string> column_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& column : model.schema().columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> column_kinds(const Model& model) {
  std::vector<std::string> result;
  for (const auto& column : model.schema().columns) {
    result.emplace_back(kind_names[static_cast<std::size_t>(column.kind)]);
  }
  return result;
}

// "age, income: gaussian(full)", as a line of Plan::as.
std::vector<std::string> blocks_of(const Model& model) {
  std::vector<std::string> result;
  for (const auto& block : model.blocks()) {
    std::string text;
    for (const std::size_t column : block.columns) {
      text += (text.empty() ? "" : ", ") + model.schema().columns[column].name;
    }
    text += ": " + block.family;
    std::string parameters = block.parameters;
    const auto& first = model.schema().columns[block.columns[0]];
    if (first.kind == ColumnKind::text) {
      const bool grams = first.tokens.find("ngrams=") != std::string::npos ||
                         first.tokens.find("chars=") != std::string::npos;
      // Without any, pairs of words would be meant as well.
      const auto tokens = grams                  ? first.tokens
                          : first.tokens.empty() ? "ngrams=1"
                                                 : "ngrams=1, " + first.tokens;
      parameters += (parameters.empty() ? "" : ", ") + tokens;
    }
    if (!parameters.empty()) text += "(" + parameters + ")";
    result.push_back(std::move(text));
  }
  return result;
}

// What can be read from a model, and the settings that can be changed without data.
void bind_what_is_known(nb::class_<Model>& model) {
  model.def_prop_ro("classes", [](const Model& model) { return model.classes(); })
      .def_prop_ro("class_weights", &Model::class_weights)
      .def_prop_ro("rows", &Model::rows)
      .def_prop_ro("unlabelled", &Model::unlabelled)
      .def_prop_ro("target", [](const Model& model) { return model.schema().target; })
      .def_prop_ro("weights", [](const Model& model) { return model.schema().weights; })
      .def_prop_ro("missing", [](const Model& model) { return model.schema().missing; })
      .def_prop_ro("hand_written", [](const Model& model) { return model.settings().hand_written; })
      .def("declare", &Model::declare_values, nb::arg("values"), Unlocked())
      .def("joined", &joined, Unlocked())
      .def("reread", &reread, nb::arg("parameters"), Unlocked())
      .def("arrays", &arrays_of)
      .def_prop_ro("reads_rows", &Model::reads_rows)
      .def_prop_ro("values",
                   [](const Model& model) {
                     std::vector<std::vector<std::string>> result;
                     for (const auto& column : model.schema().columns) {
                       result.push_back(column.values);
                     }
                     return result;
                   })
      .def_prop_ro("columns", &column_names)
      .def_prop_ro("kinds", &column_kinds)
      .def_prop_ro("blocks", &blocks_of)
      .def_prop_rw(
          "rule", [](const Model& model) { return to_string(model.settings().rule); },
          [](Model& model, const std::string& text) { model.settings().rule = parse_rule(text); })
      .def_prop_rw(
          "prior", [](const Model& model) { return to_string(model.settings().prior); },
          [](Model& model, const std::string& text) {
            model.settings().prior = parse_class_prior(text);
          })
      .def(
          "set_shares",
          [](Model& model, std::vector<std::pair<std::string, double>> shares) {
            // scikit-learn's need not sum to 1, and classes may have no rows yet; a model's do.
            double total = 0;
            for (const auto& [name, share] : shares) total += share;
            const bool other = total > 0 && std::isfinite(total) && std::abs(total - 1) > 1e-6;
            for (auto& [name, share] : shares) share /= other ? total : 1;
            model.settings().prior = {ClassPrior::Kind::given, 1, std::move(shares)};
          },
          nb::arg("shares"))
      .def_prop_ro("value_shares", [](const Model& model) { return model.settings().shares; })
      .def_prop_ro("reserve_unseen",
                   [](const Model& model) { return model.settings().reserve_unseen; })
      .def_prop_ro("shares", [](const Model& model) { return model.settings().prior.shares; });
}

void bind_lock(nb::module_& module) {
  nb::class_<ModelLock>(module, "ModelLock")
      .def(
          "__init__",
          [](ModelLock* lock, const std::string& path, bool wait) {
            const nb::gil_scoped_release unlocked;
            new (lock) ModelLock(path, wait);
          },
          nb::arg("path"), nb::arg("wait"))
      .def("release", &ModelLock::release);
}

// sample: keeps some of the rows.
void learn_rows(Model& model, Source& source, unsigned threads,
                const std::optional<Watcher>& progress, RowSample* sample) {
  const nb::gil_scoped_release unlocked;
  source.select(model.schema(), true);
  if (model.reads_rows()) source.lend_rows();
  Progress watch;
  if (progress) {
    watch = [&](std::uint64_t done, std::uint64_t all) {
      const nb::gil_scoped_acquire locked;
      (*progress)(done, all);
    };
  }
  std::function<void(const Chunk&)> learnt;
  if (sample) learnt = [&](const Chunk& chunk) { sample->add(chunk); };
  model.learn(source, threads, watch, learnt);
}

}  // namespace

std::vector<Use> uses_of(const std::vector<PlannedColumn>& columns) {
  std::vector<Use> uses;
  for (const auto& column : columns) uses.emplace_back(column.name, column.family, column.reason);
  return uses;
}

void bind_models(nb::module_& module) {
  nb::class_<Model> model(module, "Model");
  model.def_static("load", &load, nb::arg("path"), Unlocked())
      .def_static("from_bytes", &model_of, nb::arg("bytes"), nb::arg("name"))
      .def(
          "save", [](const Model& model, const std::string& path) { save(model, path); },
          nb::arg("path"), Unlocked())
      .def("to_bytes", &bytes_of)
      .def("to_sql", &scoring_sql, nb::arg("dialect"), nb::arg("table"), Unlocked())
      .def(
          "copy", [](const Model& model) { return Model(model); }, Unlocked())
      .def("empty", &Model::empty, Unlocked())
      .def("learn", &learn_rows, nb::arg("source"), nb::arg("threads"),
           nb::arg("progress").none() = nb::none(), nb::arg("sample").none() = nb::none())
      .def(
          "record",
          [](Model& model, const std::string& what, double rows) {
            model.record({what, rows});
          },
          nb::arg("what"), nb::arg("rows"))
      .def_prop_ro("history",
                   [](const Model& model) {
                     std::vector<std::pair<std::string, double>> result;
                     for (const auto& entry : model.journal()) {
                       result.emplace_back(entry.what, entry.rows);
                     }
                     return result;
                   })
      .def(
          "record_merged",
          [](Model& model, const Model& other) { model.record_merged(other.journal(), 2); },
          nb::arg("other"))
      .def("merge", &Model::merge, nb::arg("other"), Unlocked())
      .def("forget", &Model::forget, nb::arg("other"), Unlocked())
      .def("put_into_window", &Model::put_into_window, nb::arg("name"), Unlocked())
      .def("forget_window", &Model::forget_window, nb::arg("name"), Unlocked())
      .def_prop_ro("windows",
                   [](const Model& model) {
                     std::vector<std::pair<std::string, double>> result;
                     for (const auto& window : model.windows()) {
                       result.emplace_back(window.name, window.rows);
                     }
                     return result;
                   })
      .def("complete_prior", &Model::complete_prior, Unlocked());
  bind_what_is_known(model);
  bind_lock(module);
  nb::class_<Plan>(module, "Wishes")
      .def(nb::new_(&wishes), nb::arg("target"), nb::arg("weights"), nb::arg("model"),
           nb::arg("blocks"), nb::arg("values"), nb::arg("missing"), nb::arg("rule"),
           nb::arg("prior"), nb::arg("shares"), nb::arg("reserve_unseen"));
  module.def("plan", &plan, nb::arg("source"), nb::arg("wishes"), Unlocked());
  module.def("describe", &describe, nb::arg("target"), nb::arg("columns"), nb::arg("blocks"),
             nb::arg("rule"), nb::arg("prior"), nb::arg("shares"), Unlocked());
  module.def("fingerprint", &fingerprint, nb::arg("model"), Unlocked());
}

}  // namespace credence::python
