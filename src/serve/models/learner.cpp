// SPDX-License-Identifier: Apache-2.0
#include "serve/models/learner.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <utility>

#include "core/strings.hpp"
#include "credence/calibration.hpp"
#include "credence/error.hpp"
#include "credence/novelty.hpp"
#include "io/container.hpp"
#include "io/file.hpp"
#include "serve/api/json_text.hpp"
#include "serve/http/message.hpp"

namespace credence::serve {
namespace {

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char room[32];
  return {room, std::strftime(room, sizeof room, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Model counted(const std::string& path) {
  Model model = load(path);
  if (model.settings().hand_written) {
    throw Error(ErrorKind::model,
                fmt::format("{}: a hand-written model has probabilities, not counts: it cannot be "
                            "updated",
                            path));
  }
  return model;
}

// How the model file says which changes of which journal it holds.
std::string mark_of(const Journal& journal) {
  return fmt::format("journal {}, change ", journal.id());
}

}  // namespace

bool can_learn(const std::string& path) { return is_container(read_model_bytes(path).view()); }

void settle(Model& model) {
  auto& settings = model.settings();
  if (settings.calibration && !settings.calibration->fits(model)) settings.calibration.reset();
  if (settings.novelty && !settings.novelty->fits(model)) settings.novelty.reset();
  model.complete_prior();
}

Learner::Learner(std::string name, std::string path, Publish publish, Log log)
    : name_(std::move(name)),
      path_(std::move(path)),
      publish_(std::move(publish)),
      log_(std::move(log)),
      lock_(path_, false),
      model_(counted(path_)) {
  reader_ = std::make_unique<const data::JsonRows>(model_.schema(), true);
  journal_ = std::make_unique<Journal>(path_ + ".journal", fingerprint(model_));
  replay();
  publish_(std::make_shared<const Snapshot>(name_, model_, version_));
  thread_ = std::thread([this] { run(); });
}

Learner::~Learner() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  fold();
}

void Learner::replay() {
  const auto mark = mark_of(*journal_);
  bool known = false;
  for (const auto& entry : model_.journal()) {
    if (!entry.detail.starts_with(mark)) continue;
    const auto number = to_number(std::string_view(entry.detail).substr(mark.size()));
    folded_ = static_cast<std::uint64_t>(number.value_or(0));
    known = true;
  }
  if (!known && journal_->last() > 0 && journal_->base() != fingerprint(model_)) {
    throw Error(ErrorKind::model,
                fmt::format("{0}.journal is about another state of {0}: put that back, or move the "
                            "journal away to begin a new one",
                            path_));
  }
  version_ = folded_;
  for (const auto& change : journal_->after(folded_)) {
    put(change);
    version_ = change.version;
  }
  if (version_ > folded_) {
    log_(fmt::format("{}: {} changes of the journal done again", name_, version_ - folded_));
  }
}

Chunk Learner::rows_of(const JournalChange& change) const {
  Chunk rows = reader_->read(elements_of(change.body));
  if (rows.rows == 0) throw HttpError(422, "\"rows\": there is none");
  if (change.weight != 1) {
    if (rows.weights.empty()) rows.weights.assign(rows.rows, 1.0);
    for (auto& weight : rows.weights) weight *= change.weight;
  }
  return rows;
}

// As `update` and `forget` do. Where it is refused the model stays as it was.
void Learner::put(const JournalChange& change) {
  Model rows = model_.empty();
  rows.observe(rows_of(change));
  change.adds ? model_.merge(rows) : model_.forget(rows);
  if (model_.classes().empty()) {
    model_.merge(rows);
    throw Error(ErrorKind::data, "nothing would be left of the model (it is unchanged)");
  }
  settle(model_);
  rows_since_ += rows.rows();
}

void Learner::find_undone(const ChangeRequest& request, JournalChange& change) {
  const auto before =
      request.version > 0 ? journal_->at(request.version) : journal_->last_standing();
  if (!before) throw HttpError(409, "there is no such change to take back");
  if (before->undone > 0 || before->undoes > 0) {
    throw HttpError(409, fmt::format("change {} {}", before->version,
                                     before->undone > 0 ? "has been taken back already"
                                                        : "takes back another (do that again)"));
  }
  change.kind = "undo";
  change.adds = !before->adds;
  change.undoes = before->version;
  change.body = before->body;
  change.weight = before->weight;
}

ChangeAnswer Learner::apply(const ChangeRequest& request) {
  using Kind = ChangeRequest::Kind;
  JournalChange change;
  change.kind = request.kind == Kind::update ? "update" : "forget";
  change.adds = request.kind == Kind::update;
  change.weight = request.weight;
  change.body = request.rows;
  change.key = request.key;
  if (!request.key.empty()) {
    if (const auto known = journal_->with_key(request.key)) {
      const bool undo = request.kind == Kind::undo;
      const bool same = undo ? known->undoes > 0
                             : known->kind == change.kind && known->body == change.body &&
                                   known->weight == change.weight;
      if (!same) {
        throw HttpError(422, "the Idempotency-Key was used for another request (choose a new one)");
      }
      return {known->version, known->total, known->rows, true};
    }
  }
  if (request.kind == Kind::undo) find_undone(request, change);
  const double before = model_.rows();
  put(change);
  change.version = version_ + 1;
  change.rows = std::abs(model_.rows() - before);
  change.total = model_.rows();
  change.time = now_text();
  journal_->put(change);
  version_ = change.version;
  return {change.version, change.total, change.rows, false};
}

ChangeAnswer Learner::change(ChangeRequest request) {
  std::future<ChangeAnswer> answer;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw HttpError(503, "the server is about to stop");
    waiting_.push_back({std::move(request), {}});
    answer = waiting_.back().answer.get_future();
  }
  wake_.notify_one();
  return answer.get();
}

// Requests that came while the last ones were written are written together.
void Learner::run() {
  while (true) {
    std::vector<Waiting> batch;
    bool fold_now = false;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || fold_wanted_ || !waiting_.empty(); });
      if (waiting_.empty() && stopping_) return;
      batch.swap(waiting_);
      fold_now = std::exchange(fold_wanted_, false);
    }
    if (!batch.empty()) work_on(batch);
    if (fold_now) fold();
  }
}

void Learner::work_on(std::vector<Waiting>& batch) {
  const Model before = model_;
  const auto version = version_;
  std::vector<ChangeAnswer> answers(batch.size());
  std::vector<std::exception_ptr> errors(batch.size());
  std::exception_ptr failed;
  std::shared_ptr<const Snapshot> snapshot;
  try {
    journal_->begin();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      try {
        answers[i] = apply(batch[i].request);
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::system) throw;  // the journal's own: all of it fails
        errors[i] = std::current_exception();
      } catch (const HttpError&) {
        errors[i] = std::current_exception();
      }
    }
    // A rule that has nothing to go on is refused before it is written.
    if (version_ != version) snapshot = std::make_shared<const Snapshot>(name_, model_, version_);
    journal_->commit();
    remember_journal("");
  } catch (const Error& error) {
    failed = std::current_exception();
    if (error.kind() == ErrorKind::system) remember_journal(error.what());
  } catch (...) {
    failed = std::current_exception();
  }
  if (!failed) {
    if (snapshot) publish_(snapshot);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      errors[i] ? batch[i].answer.set_exception(errors[i]) : batch[i].answer.set_value(answers[i]);
    }
    return;
  }
  journal_->roll_back();
  model_ = before;
  version_ = version;
  if (batch.size() == 1) return batch[0].answer.set_exception(failed);
  // One of them may be to blame: each on its own.
  for (auto& one : batch) {
    std::vector<Waiting> alone;
    alone.push_back(std::move(one));
    work_on(alone);
  }
}

void Learner::tick() {
  constexpr auto every = std::chrono::seconds(60);
  const std::lock_guard lock(mutex_);
  if (std::chrono::steady_clock::now() - folded_at_ < every) return;
  folded_at_ = std::chrono::steady_clock::now();
  fold_wanted_ = true;
  wake_.notify_one();
}

void Learner::fold() {
  if (version_ == folded_) return;
  std::string problem;
  try {
    // The file says which changes it holds: whatever happens next, none is done twice.
    Model marked = model_;
    marked.record({"serve", rows_since_, "", mark_of(*journal_) + std::to_string(version_)});
    save(marked, path_);
    model_ = std::move(marked);
    rows_since_ = 0;
    folded_ = version_;
  } catch (const std::exception& error) {
    problem = fmt::format("{} cannot be written: {} (its changes are in the journal)", path_,
                          error.what());
    log_(fmt::format("{}: {}", name_, problem));
  }
  const std::lock_guard lock(mutex_);
  problem_ = problem;
}

void Learner::remember_journal(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  if (problem == journal_problem_) return;
  if (!problem.empty()) log_(fmt::format("{}: {}", name_, problem));
  journal_problem_ = problem;
}

std::string Learner::problem() const {
  const std::lock_guard lock(mutex_);
  return journal_problem_.empty() ? problem_ : journal_problem_;
}

}  // namespace credence::serve
