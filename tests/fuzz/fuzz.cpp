// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/strings.hpp"
#include "credence/credence.hpp"

namespace credence::fuzz {
namespace {

// What begins like Parquet must not start a Python each time.
const int no_python = ::setenv("CREDENCE_PYTHON", "/nowhere", 1);

std::vector<Target>& known() {
  static std::vector<Target> list;
  return list;
}

void write_all(int file, std::string_view bytes) {
  require(::ftruncate(file, 0) == 0 && ::lseek(file, 0, SEEK_SET) == 0, "a file can be emptied");
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    require(written > 0, "a file in memory can be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void score(const Scorer& scorer, const Chunk& chunk) {
  for (const double joint : scorer.log_joint(chunk)) {
    require(!std::isnan(joint), "no score is NaN");
  }
  for (const auto& answer : posteriors(scorer, chunk)) require_distribution(answer);
  if (chunk.rows > 0) scorer.explain(chunk, 0);
}

void read_again(const Model& model) {
  const std::string bytes = to_bytes(model);
  const Model again = from_bytes(bytes, "again");
  require(to_bytes(again) == bytes, "a model that was written and read is the same");
}

}  // namespace

const std::vector<Target>& targets() {
  auto& list = known();
  std::sort(list.begin(), list.end(),
            [](const Target& a, const Target& b) { return a.name < b.name; });
  return list;
}

Registered::Registered(std::string name, std::function<void(std::string_view)> run) {
  known().push_back({std::move(name), std::move(run)});
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void require_distribution(const Posterior& answer) {
  if (answer.undecidable()) return;
  double sum = 0;
  for (const double p : answer.probabilities) {
    require(p >= 0 && p <= 1, "a probability is between 0 and 1");
    sum += p;
  }
  require(std::abs(sum - 1) < 1e-6, "probabilities sum to 1");
}

bool accepted(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    require(!std::string_view(error.what()).empty(), "an error has a message");
    return false;
  }
}

std::string file_of(std::string_view bytes) {
  static const int file = ::memfd_create("fuzz", 0);
  write_all(file, bytes);
  return "/proc/self/fd/" + std::to_string(file);
}

std::string_view take_line(std::string_view& bytes) {
  const auto end = std::min(bytes.find('\n'), bytes.size());
  const auto line = bytes.substr(0, end);
  bytes.remove_prefix(std::min(end + 1, bytes.size()));
  return line;
}

const Model& mixed_model() {
  static const Model model = [] {
    const std::string rows =
        "{\"class\":\"a\",\"size\":1.5,\"count\":2,\"flag\":1,\"word\":\"red\",\"bag\":{\"x\":2,"
        "\"y\":1},\"text\":\"one two two\"}\n"
        "{\"class\":\"b\",\"size\":-2,\"count\":0,\"flag\":0,\"word\":\"blue\",\"bag\":{\"y\":1},"
        "\"text\":\"three\"}\n"
        "{\"class\":\"a\",\"size\":3,\"count\":7,\"flag\":1,\"word\":\"green\",\"bag\":{},\"text\":"
        "\"two words\"}\n"
        "{\"class\":\"b\",\"size\":0.25,\"count\":1,\"flag\":1,\"word\":\"red\",\"text\":\"\"}\n";
    ReadOptions options;
    options.format = FileFormat::json_lines;
    const auto source = open_source({file_of(rows)}, options);
    Plan plan;
    plan.target = "class";
    plan.as = {"size: gaussian",    "count: poisson",   "flag: bernoulli",
               "word: categorical", "bag: multinomial", "text: text(multinomial)"};
    return fit(*source, plan, 1);
  }();
  return model;
}

void use(const Model& model) {
  read_again(model);
  accepted([&] {
    const Scorer scorer(model);
    if (scorer.classes().empty()) return;
    accepted([&] { score(scorer, parse_given(model.schema(), {""})); });
    accepted([&] { score(scorer, scorer.sample(3, 1)); });
    scorer.tables();
    accepted([&] { scorer.linear_form(); });
  });
  accepted([&] {
    Model changed(model);
    changed.decay(0.5);
    read_again(changed);
  });
}

void learn(std::string_view bytes, FileFormat format, std::string_view as) {
  // Mixtures that start more than once, as they do unless told, take a fuzzer seconds each.
  if (as.find("mixture") != as.npos && as.find("starts=1)") == as.npos) return;
  const std::string path = file_of(bytes);
  accepted([&] {
    ReadOptions options;
    options.format = format;
    const auto source = open_source({path}, options);
    Plan plan;
    plan.as = split(as, ';');
    std::erase(plan.as, "");
    plan.target = source->default_target();
    if (plan.target.empty()) plan.target = source->profile().front().name;
    Model model = fit(*source, plan, 1);
    if (model.classes().empty()) return;
    use(model);
    accepted([&] {
      const Scorer scorer(model);
      const auto again = open_source({path}, options);
      again->select(model.schema(), false);
      RawChunk raw;
      while (again->read(raw)) score(scorer, again->parse(raw));
    });
    const Model all(model);
    model.forget(all);
    require(model.rows() == 0, "what was learnt can be forgotten");
  });
}

}  // namespace credence::fuzz
