// SPDX-License-Identifier: Apache-2.0
// Two columns on a grid.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "serve/api/columns.hpp"
#include "serve/api/endpoints.hpp"

namespace credence::serve {
namespace {

// A grid of numbers, one inner array for each place of y.
template <typename Value>
Json grid_json(std::size_t across, std::size_t down, const Value& value) {
  Json rows = Json::array();
  for (std::size_t j = 0; j < down; ++j) {
    Json row = Json::array();
    for (std::size_t i = 0; i < across; ++i) row.push_back(number(value(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

// log p(x | c) + log p(y | c), as if the columns were independent given the class.
std::vector<double> as_if_independent(const plot::Slice& slice, std::size_t x, std::size_t y,
                                      const plot::Grid& grid) {
  const auto of_x = slice.log_density(x, Numbers{grid.x});
  const auto of_y = slice.log_density(y, Numbers{grid.y});
  const std::size_t classes = slice.classes().size();
  std::vector<double> result(grid.x.size() * grid.y.size() * classes);
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size(); ++i) {
      for (std::size_t c = 0; c < classes; ++c) {
        result[(j * grid.x.size() + i) * classes + c] =
            of_x[i * classes + c] + of_y[j * classes + c];
      }
    }
  }
  return result;
}

// Fixed columns as one writes them by hand.
std::string at_in(Fields& fields) {
  const auto at = fields.json("at");
  if (!at) return "";
  if (!at->is_object()) throw HttpError(422, "\"at\": an object of values by column is wanted");
  std::string text;
  for (const auto& [name, value] : at->items()) {
    if (value.is_null()) continue;
    const std::string cell = value.is_string() ? value.get<std::string>() : value.dump();
    if (cell.find('"') != cell.npos) throw HttpError(422, "\"at\": a value has a quote");
    text += fmt::format("{}\"{}={}\"", text.empty() ? "" : ",", name, cell);
  }
  return text;
}

}  // namespace

Response plane(const Call& call) {
  auto fields = call.fields();
  const auto snapshot = call.model(fields.overrides());
  const Model& model = snapshot->model("plane");
  const auto& classes = snapshot->classes();
  const auto x_name = fields.text("x"), y_name = fields.text("y");
  if (!x_name || !y_name)
    throw HttpError(422, "\"x\" and \"y\" are wanted: two columns of numbers");
  const auto size = fields.whole("size", 2, 200).value_or(80);
  const bool independent = fields.flag("independent");
  const auto at = at_in(fields);
  fields.finish();
  const std::size_t x = column_place(model.schema(), *x_name);
  const std::size_t y = column_place(model.schema(), *y_name);
  if (x == y) throw HttpError(422, "\"x\" and \"y\" are the same column");
  const plot::Slice slice(model, at);
  const auto data = call.store.data_of(call.names[0]);
  for (const auto place : {x, y}) {
    plot::require_number(model, place);
    slice.require_density(place);
  }
  const plot::Grid grid{values_along(slice, chunks_of(data), x, size).numbers,
                        values_along(slice, chunks_of(data), y, size).numbers,
                        {}};
  const auto densities =
      independent ? as_if_independent(slice, x, y, grid) : slice.log_density(x, y, grid);
  auto scores = independent ? densities : slice.scores(x, y, grid);
  const auto& log_prior = snapshot->scorer("plane").log_prior();
  for (std::size_t i = 0; independent && i < scores.size(); ++i) {
    scores[i] += log_prior[i % classes.size()];
  }
  std::vector<double> posteriors(scores.size());
  Posterior one;
  for (std::size_t i = 0; i < scores.size(); i += classes.size()) {
    posterior(std::span(scores).subspan(i, classes.size()), one);
    std::copy(one.probabilities.begin(), one.probabilities.end(),
              posteriors.begin() + static_cast<std::ptrdiff_t>(i));
  }
  Json density_json = Json::object(), posterior_json = Json::object();
  const std::size_t across = grid.x.size();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto from = [&](const std::vector<double>& all) {
      return [&, c](std::size_t i, std::size_t j) {
        return all[(j * across + i) * classes.size() + c];
      };
    };
    density_json[classes[c]] = grid_json(across, grid.y.size(), from(densities));
    posterior_json[classes[c]] = grid_json(across, grid.y.size(), from(posteriors));
  }
  std::vector<double> prior;
  for (const double log : log_prior) prior.push_back(std::exp(log));
  return json_response({{"x", grid.x},
                        {"y", grid.y},
                        {"columns", {*x_name, *y_name}},
                        {"classes", classes},
                        {"log_density", std::move(density_json)},
                        {"posterior", std::move(posterior_json)},
                        {"prior", by_class(classes, prior.data())}});
}

}  // namespace credence::serve
