// SPDX-License-Identifier: Apache-2.0
#include "serve/models/jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/io.hpp"
#include "io/file.hpp"
#include "serve/http/message.hpp"

namespace credence::serve {
namespace {

constexpr std::size_t most_running = 2, most_kept = 32;

// A folder that is gone with all in it when nobody needs it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "credence-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw HttpError(503, "no room for a table: " + pattern);
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw HttpError(503, "too many files are open");
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
  Descriptor read{-1}, write{-1};
};

// Calls take(line) for all that the process says.
void read_lines(int from, const std::function<void(const std::string&)>& take) {
  std::string line;
  char room[4096];
  for (;;) {
    const auto size = uninterrupted([&] { return ::read(from, room, sizeof room); });
    if (size <= 0) break;
    for (ssize_t i = 0; i < size; ++i) {
      if (room[i] != '\n') {
        line += room[i];
      } else {
        take(line);
        line.clear();
      }
    }
  }
  if (!line.empty()) take(line);
}

// Starts the program; what it prints goes to `out`, what it says to `err`.
pid_t started(const std::vector<std::string>& command, int out, int err) {
  std::vector<char*> arguments;
  for (const auto& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, 1);
  ::posix_spawn_file_actions_adddup2(&actions, err, 2);
  pid_t process = 0;
  const int failed =
      ::posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw HttpError(503, "no process could be started");
  return process;
}

int finished(pid_t process) {
  int status = 0;
  uninterrupted([&] { return ::waitpid(process, &status, 0); });
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// How far a process is, where a line tells it; else null.
Json progress_in(const std::string& line) {
  if (!line.starts_with("{\"progress\":")) return {};
  const auto json = Json::parse(line, nullptr, false);
  return json.is_object() && json["progress"].is_object() ? json["progress"] : Json();
}

// A line that the program says, without its own name.
std::string without_name(std::string line) {
  constexpr std::string_view name = "credence: ";
  if (line.starts_with(name)) line.erase(0, name.size());
  return line;
}

}  // namespace

Json Jobs::describe(const FitRequest& request) const {
  const ScratchFolder folder;
  write_atomically(folder.file("table.csv"), request.csv);
  const auto out = folder.file("described.json");
  const Descriptor written(::open(out.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  Pipe said;
  const auto process =
      started(program_.describe(folder.file("table.csv")), written.get(), said.write.get());
  said.write = Descriptor(-1);
  std::string problem;
  read_lines(said.read.get(), [&](const std::string& line) { problem = line; });
  if (finished(process) != 0) {
    const auto place = problem.find(folder.file("table.csv"));
    if (place != problem.npos) problem.replace(place, folder.file("table.csv").size(), "csv");
    throw HttpError(422, without_name(problem));
  }
  return Json::parse(read_model_bytes(out).view());
}

std::string Jobs::start(FitRequest request) {
  store_.require_free(request.name);
  const std::lock_guard lock(mutex_);
  const auto running = std::count_if(jobs_.begin(), jobs_.end(),
                                     [](const auto& job) { return job->state == "running"; });
  if (static_cast<std::size_t>(running) >= most_running) {
    throw HttpError(429, "enough models are being fitted (try again when one is done)");
  }
  while (jobs_.size() >= most_kept) {
    const auto over = std::find_if(jobs_.begin(), jobs_.end(),
                                   [](const auto& job) { return job->state != "running"; });
    if ((*over)->thread.joinable()) (*over)->thread.join();
    jobs_.erase(over);
  }
  auto job = std::make_unique<Job>();
  job->id = std::to_string(++begun_);
  if (request.name.empty()) request.name = "table-" + job->id;
  job->command = program_.typed(request.target, request.best);
  job->request = std::move(request);
  Job& kept = *jobs_.emplace_back(std::move(job));
  kept.thread = std::thread([this, &kept] { work(kept); });
  return kept.id;
}

void Jobs::work(Job& job) {
  std::string state = "failed", message;
  try {
    const ScratchFolder folder;
    const auto table = folder.file("table.csv"), model = folder.file("model.credence");
    write_atomically(table, job.request.csv);
    const auto command = program_.fit(table, job.request.target, job.request.best, model);
    const Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    Pipe said;
    {
      const std::lock_guard lock(mutex_);
      if (job.cancelled) throw HttpError(409, "cancelled");
      job.process = started(command, nowhere.get(), said.write.get());
    }
    said.write = Descriptor(-1);
    read_lines(said.read.get(), [&](std::string line) {
      if (auto progress = progress_in(line); !progress.is_null()) {
        const std::lock_guard lock(mutex_);
        job.progress = std::move(progress);
        return;
      }
      const auto place = line.find(table);
      if (place != line.npos) line.replace(place, table.size(), "table.csv");
      // What stands for the automatic choice.
      constexpr std::string_view same = "the same at once: ";
      const std::lock_guard lock(mutex_);
      if (line.starts_with(same)) job.command = line.substr(same.size());
      job.message = message = without_name(std::move(line));
    });
    const int status = finished(job.process);
    {
      const std::lock_guard lock(mutex_);
      job.process = 0;
      if (job.cancelled) throw HttpError(409, "cancelled");
    }
    if (status != 0) throw HttpError(422, message);
    store_.put(job.request.name, load(model));
    state = "done";
    message.clear();
  } catch (const std::exception& error) {
    message = error.what();
  }
  const std::lock_guard lock(mutex_);
  job.state = state;
  job.message = message;
  if (state == "done") job.model = job.request.name;
  std::string().swap(job.request.csv);
}

Jobs::Job& Jobs::find(const std::string& id) const {
  for (const auto& job : jobs_) {
    if (job->id == id) return *job;
  }
  throw HttpError(404, fmt::format("no job \"{}\"", id));
}

Json Jobs::state(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const Job& job = find(id);
  Json json = {{"job", job.id}, {"state", job.state}, {"progress", job.progress}};
  json["message"] = job.message;
  json["command"] = job.command;
  if (!job.model.empty()) json["model"] = job.model;
  return json;
}

void Jobs::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  Job& job = find(id);
  job.cancelled = true;
  if (job.process > 0) ::kill(job.process, SIGTERM);
}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& job : jobs_) {
      job->cancelled = true;
      if (job->process > 0) ::kill(job->process, SIGTERM);
    }
  }
  for (const auto& job : jobs_) {
    if (job->thread.joinable()) job->thread.join();
  }
}

}  // namespace credence::serve
