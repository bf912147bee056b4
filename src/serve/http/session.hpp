// SPDX-License-Identifier: Apache-2.0
// One connection: reads requests one after the other and writes their answers.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "serve/http/guard.hpp"
#include "serve/http/message.hpp"
#include "serve/http/server.hpp"

namespace credence::serve {

class Session;

// What all connections share.
struct Shared {
  Limits limits;
  Guard guard;
  Handler& handler;
  boost::asio::thread_pool& workers;
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> waiting{0};  // requests that were handed to the workers
  std::atomic<bool> stopping{false};
};

// A thread that reads and writes, and its connections, which no other thread touches.
struct Lane {
  std::unordered_set<Session*> sessions;  // each takes itself out when its last step is over
  boost::asio::io_context context{1};
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(boost::asio::ip::tcp::socket socket, Lane& lane, Shared& shared);
  ~Session();

  void start();
  // Called once every second: ends what has taken too long.
  void check_time(std::chrono::steady_clock::time_point now);
  // No more requests after the one at hand.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  enum class Doing { idle, reading, working, writing, draining };

  void await_request();
  void read_more();
  void parse();
  // Whether the request may go on once its header is there; else it has been answered.
  bool welcome_header();
  void take_request();
  void work();
  void respond(Response response);
  void refuse(int status, const std::string& message);
  void write_piece();
  void write(std::size_t from);
  void written();
  void drain();
  void close();
  void set(Doing doing, std::chrono::seconds time);

  boost::asio::ip::tcp::socket socket_;
  Lane& lane_;
  Shared& shared_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  Request request_;
  Response response_;
  std::string out_;
  Doing doing_ = Doing::idle;
  Clock::time_point deadline_ = {}, began_ = {};
  bool keep_alive_ = true;
  bool header_seen_ = false;
  bool answered_ = false;  // while somebody still works on it: it took too long
};

}  // namespace credence::serve
