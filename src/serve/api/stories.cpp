// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "credence/error.hpp"
#include "credence/io.hpp"
#include "serve/api/endpoints.hpp"
#include "serve/http/assets.hpp"
#include "serve/models/memory_file.hpp"

namespace credence::serve {
namespace {

// Written by whoever wrote the stories: it is part of the program.
const Json& all_stories() {
  static const Json all = Json::parse(named_file("stories.json"));
  return all;
}

// One written by hand, or one fitted to a table.
Model model_of(const Json& described) {
  const auto name = described.at("file").get<std::string>();
  const auto bytes = named_file(name);
  if (!described.contains("target")) return from_bytes(bytes, name);
  const MemoryFile file(bytes);
  const auto source = open_source({file.path()});
  Plan plan;
  plan.target = described.at("target").get<std::string>();
  if (described.contains("as")) plan.as = described.at("as").get<std::vector<std::string>>();
  plan.settings.rule = parse_rule(described.at("rule").get<std::string>());
  if (described.contains("prior")) {
    plan.settings.prior = parse_class_prior(described.at("prior").get<std::string>());
  }
  return fit(*source, plan);
}

Json answer_to(const Call& call, const std::string& model, const Json& ask) {
  const auto endpoint = ask.at("endpoint").get<std::string>();
  Request request;
  request.method = "POST";
  request.content_type = "application/json";
  request.body = ask.at("body").dump();
  const Call asked{request, call.store, call.jobs, {model}, Query("")};
  return Json::parse(endpoint_named("/" + endpoint)(asked).body);
}

}  // namespace

Response stories(const Call&) {
  Json list = Json::array();
  for (const auto& story : all_stories()) {
    list.push_back(
        {{"id", story.at("id")}, {"title", story.at("title")}, {"lecture", story.at("lecture")}});
  }
  return json_response(list);
}

Response story(const Call& call) {
  for (const auto& story : all_stories()) {
    if (story.at("id") != call.names.at(0)) continue;
    const std::string model = "story-" + call.names[0];
    call.store.put(model, model_of(story.at("model")), true);
    Json steps = Json::array();
    for (const auto& told : story.at("steps")) {
      Json step = told;
      step["model"] = model;
      step["answer"] = answer_to(call, model, told.at("ask"));
      steps.push_back(std::move(step));
    }
    return json_response({{"id", story.at("id")},
                          {"title", story.at("title")},
                          {"lecture", story.at("lecture")},
                          {"model", model},
                          {"steps", std::move(steps)}});
  }
  throw HttpError(404, fmt::format("no story \"{}\": /v1/stories lists them", call.names.at(0)));
}

}  // namespace credence::serve
