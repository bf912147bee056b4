// SPDX-License-Identifier: Apache-2.0
#include "serve/http/server.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <thread>
#include <utility>
#include <vector>

#include "credence/error.hpp"
#include "parallel/crew.hpp"
#include "serve/http/session.hpp"

namespace credence::serve {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// As many files as the system allows, and what of them connections may have.
std::size_t allowed_connections(std::size_t wanted) {
  constexpr std::size_t for_others = 64;
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto files = static_cast<std::size_t>(limit.rlim_cur);
  return std::max<std::size_t>(1, std::min(wanted, files > for_others ? files - for_others : 1));
}

}  // namespace

struct Server::State {
  State(const ServerOptions& options, Guard guard, Handler& handler)
      : threads(options.threads == 0 ? usable_cores() : options.threads),
        lanes(threads),
        workers(std::max(2u, threads)),
        shared{options.limits, std::move(guard), handler, workers},
        acceptor(lanes[0].context),
        signals(lanes[0].context),
        retry(lanes[0].context) {
    shared.limits.connections = allowed_connections(options.limits.connections);
    for (auto& lane : lanes) ticks.emplace_back(lane.context);
  }

  void listen(const ServerOptions& options);
  void accept();
  void accepted(error_code error, tcp::socket socket, Lane& lane);
  void tick(std::size_t lane);
  void stop();  // on the first lane
  void run();

  unsigned threads;
  std::vector<Lane> lanes;
  asio::thread_pool workers;
  Shared shared;
  tcp::acceptor acceptor;
  asio::signal_set signals;
  asio::steady_timer retry;
  std::vector<asio::steady_timer> ticks;
  std::vector<std::function<void()>> tasks;
  std::atomic<bool> tasks_run{false};
  std::size_t next_lane = 0;
  std::chrono::steady_clock::time_point stop_by = {};
};

void Server::State::listen(const ServerOptions& options) {
  const auto fail = [&](const error_code& error) {
    throw Error(ErrorKind::system,
                fmt::format("{}:{}: cannot listen here: {} (another {} may be free)", options.host,
                            options.port, error.message(), setting("port")));
  };
  error_code error;
  tcp::resolver resolver(lanes[0].context);
  const auto found =
      resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive, error);
  if (error) fail(error);
  const tcp::endpoint endpoint = *found.begin();
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(4096, error);
  if (error) fail(error);
}

void Server::State::accept() {
  Lane& lane = lanes[next_lane++ % lanes.size()];
  acceptor.async_accept(lane.context, [this, &lane](error_code error, tcp::socket socket) {
    accepted(error, std::move(socket), lane);
  });
}

void Server::State::accepted(error_code error, tcp::socket socket, Lane& lane) {
  if (shared.stopping) return;
  if (error) {
    // No more files: some connection will end.
    retry.expires_after(std::chrono::milliseconds(50));
    return retry.async_wait([this](error_code) { accept(); });
  }
  if (shared.connections >= shared.limits.connections) {
    static constexpr std::string_view full =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n"
        "Retry-After: 1\r\n\r\n";
    socket.non_blocking(true, error);
    socket.write_some(asio::buffer(full.data(), full.size()), error);
    return accept();
  }
  ++shared.connections;
  asio::post(lane.context, [this, &lane, socket = std::move(socket)]() mutable {
    std::make_shared<Session>(std::move(socket), lane, shared)->start();
  });
  accept();
}

void Server::State::tick(std::size_t number) {
  auto& timer = ticks[number];
  timer.expires_after(std::chrono::seconds(1));
  timer.async_wait([this, number](error_code error) {
    if (error) return;
    Lane& lane = lanes[number];
    const auto now = std::chrono::steady_clock::now();
    // A session whose time is over may be gone before the next is looked at.
    const std::vector<Session*> all(lane.sessions.begin(), lane.sessions.end());
    for (auto* session : all) {
      if (lane.sessions.contains(session)) session->check_time(now);
    }
    if (number == 0 && !tasks_run.exchange(true)) {
      asio::post(workers, [this] {
        for (const auto& task : tasks) task();
        tasks_run = false;
      });
    }
    if (shared.stopping && (lane.sessions.empty() || now > stop_by)) {
      return lane.context.stop();
    }
    tick(number);
  });
}

void Server::State::stop() {
  if (shared.stopping) return;
  stop_by = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  shared.stopping = true;
  error_code ignored;
  acceptor.close(ignored);
  signals.cancel(ignored);
  retry.cancel();
  for (auto& lane : lanes) {
    asio::post(lane.context, [&lane] {
      const std::vector<Session*> all(lane.sessions.begin(), lane.sessions.end());
      for (auto* session : all) {
        if (lane.sessions.contains(session)) session->finish();
      }
      // What is idle has ended by the time the next step is taken: nobody waits for a second.
      asio::post(lane.context, [&lane] {
        if (lane.sessions.empty()) lane.context.stop();
      });
    });
  }
}

void Server::State::run() {
  signals.add(SIGINT);
  signals.add(SIGTERM);
  signals.async_wait([this](error_code error, int) {
    if (!error) stop();
  });
  for (std::size_t i = 0; i < lanes.size(); ++i) tick(i);
  accept();
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < lanes.size(); ++i) {
    others.emplace_back([this, i] { lanes[i].context.run(); });
  }
  lanes[0].context.run();
  for (auto& thread : others) thread.join();
  workers.join();
}

Server::Server(const ServerOptions& options, Guard guard, Handler& handler)
    : state_(std::make_unique<State>(options, std::move(guard), handler)) {
  state_->listen(options);
}

Server::~Server() {
  state_->workers.stop();
  state_->workers.join();
}

std::uint16_t Server::port() const { return state_->acceptor.local_endpoint().port(); }

void Server::each_second(std::function<void()> task) { state_->tasks.push_back(std::move(task)); }

void Server::run() { state_->run(); }

void Server::stop() {
  asio::post(state_->lanes[0].context, [state = state_.get()] { state->stop(); });
}

}  // namespace credence::serve
