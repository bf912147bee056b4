// SPDX-License-Identifier: Apache-2.0
#include "serve/http/session.hpp"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/status.hpp>
#include <ctime>
#include <utility>

#include "serve/http/header.hpp"

namespace credence::serve {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr std::size_t read_at_once = 4096, most_at_once = std::size_t{1} << 16;
constexpr std::uint32_t most_header = 16 << 10;
constexpr std::size_t copied_bodies = std::size_t{1} << 16;  // larger ones are sent where they lie

// What every answer says: a page runs nothing but its own scripts, has no style but its own files,
// is shown in no other page, and no type is guessed.
constexpr std::string_view safety =
    "X-Content-Type-Options: nosniff\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; font-src "
    "'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

// The time as HTTP writes it; made once a second.
std::string_view date_now() {
  thread_local std::time_t made = 0;
  thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now != made) {
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char room[64];
    text.assign(room, std::strftime(room, sizeof room, "%a, %d %b %Y %H:%M:%S GMT", &parts));
    made = now;
  }
  return text;
}

void write_head(const Response& response, std::size_t length, bool keep_alive, std::string& out) {
  out.clear();
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} ", response.status);
  const auto reason = http::obsolete_reason(static_cast<http::status>(response.status));
  out.append(reason.data(), reason.size());
  out.append("\r\nDate: ").append(date_now());
  if (response.status != 304) out.append("\r\nContent-Type: ").append(response.type);
  if (response.next) {
    out.append("\r\nTransfer-Encoding: chunked");
  } else if (response.status != 304) {
    out.append("\r\nContent-Length: ").append(std::to_string(length));
  }
  if (!keep_alive) out.append("\r\nConnection: close");
  bool cached = false;
  for (const auto& [name, value] : response.headers) {
    out.append("\r\n").append(name).append(": ").append(value);
    cached = cached || name == "Cache-Control";
  }
  if (!cached) out.append("\r\nCache-Control: no-store");
  out.append("\r\n").append(safety).append("\r\n");
}

}  // namespace

Session::Session(asio::ip::tcp::socket socket, Lane& lane, Shared& shared)
    : socket_(std::move(socket)), lane_(lane), shared_(shared) {
  lane_.sessions.insert(this);
}

Session::~Session() {
  lane_.sessions.erase(this);
  --shared_.connections;
}

void Session::start() {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  await_request();
}

void Session::set(Doing doing, std::chrono::seconds time) {
  doing_ = doing;
  deadline_ = Clock::now() + time;
}

void Session::await_request() {
  parser_.emplace();
  parser_->eager(true);
  parser_->header_limit(most_header);
  parser_->body_limit(shared_.limits.body);
  header_seen_ = answered_ = false;
  set(Doing::idle, shared_.limits.idle);
  if (buffer_.size() > 0) return parse();
  read_more();
}

void Session::read_more() {
  const auto room = doing_ == Doing::idle ? read_at_once : most_at_once;
  socket_.async_read_some(buffer_.prepare(room),
                          [self = shared_from_this()](error_code error, std::size_t size) {
                            if (error == asio::error::operation_aborted) return;
                            if (error) return self->close();
                            self->buffer_.commit(size);
                            self->parse();
                          });
}

void Session::parse() {
  if (doing_ == Doing::idle) {
    set(Doing::reading, shared_.limits.request);
    began_ = Clock::now();
  }
  error_code error;
  const std::size_t used = parser_->put(buffer_.data(), error);
  buffer_.consume(used);
  if (error == http::error::need_more) error = {};
  if (error == http::error::body_limit) {
    return refuse(413, fmt::format("the body is larger than {} bytes (send fewer rows at a time)",
                                   shared_.limits.body));
  }
  if (error == http::error::header_limit) return refuse(431, "the header is too large");
  if (error) return refuse(400, "this is no HTTP: " + error.message());
  if (parser_->is_header_done() && !header_seen_) {
    header_seen_ = true;
    if (!welcome_header()) return;
  }
  if (parser_->is_done()) return take_request();
  read_more();
}

bool Session::welcome_header() {
  const auto& header = parser_->get();
  take_header(header, request_);
  keep_alive_ = parser_->keep_alive() && !shared_.stopping;
  auto refusal = shared_.guard.welcome(request_);
  if (!refusal) refusal = shared_.guard.refusal(request_);
  if (refusal) {
    // What is still to come of the request is not worth reading.
    keep_alive_ = keep_alive_ && parser_->is_done();
    respond(std::move(*refusal));
    return false;
  }
  if (!parser_->is_done() && http::token_list{header[http::field::expect]}.exists("100-continue")) {
    static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    error_code ignored;
    asio::write(socket_, asio::buffer(go_on.data(), go_on.size()), ignored);
  }
  return true;
}

void Session::take_request() {
  request_.body = std::move(parser_->get().body());
  if (shared_.handler.is_quick(request_)) return respond(shared_.handler.answer(request_));
  if (shared_.waiting >= shared_.limits.waiting) {
    Response busy = error_response(429, "too many requests are waiting (try again in a second)");
    busy.headers.emplace_back("Retry-After", "1");
    return respond(std::move(busy));
  }
  work();
}

// The request is lent to a worker. Nothing else happens to the session meanwhile, but that its
// time may run out.
void Session::work() {
  set(Doing::working, shared_.limits.work);
  ++shared_.waiting;
  asio::post(shared_.workers, [self = shared_from_this()]() mutable {
    auto response = std::make_shared<Response>(self->shared_.handler.answer(self->request_));
    --self->shared_.waiting;
    auto& context = self->lane_.context;
    asio::post(context, [self = std::move(self), response] {
      if (!self->answered_) self->respond(std::move(*response));
    });
  });
}

void Session::refuse(int status, const std::string& message) {
  keep_alive_ = false;
  respond(error_response(status, message));
}

void Session::respond(Response response) {
  answered_ = true;
  response_ = std::move(response);
  if (request_.method == "HEAD") response_.next = {};
  shared_.handler.count(request_, response_.status,
                        std::chrono::duration<double>(Clock::now() - began_).count());
  const std::string_view body =
      response_.lasting.empty() ? std::string_view(response_.body) : response_.lasting;
  write_head(response_, body.size(), keep_alive_, out_);
  set(Doing::writing, shared_.limits.request);
  if (request_.method == "HEAD" || response_.status == 304) {
    response_.body.clear();
    response_.lasting = {};
    return write(0);
  }
  if (body.size() <= copied_bodies) {
    out_.append(body);
    return write(0);
  }
  write(body.size());
}

// `beyond`: so many bytes of a body that lies elsewhere follow.
void Session::write(std::size_t beyond) {
  const std::string_view body =
      response_.lasting.empty() ? std::string_view(response_.body) : response_.lasting;
  const std::array<asio::const_buffer, 2> parts{asio::buffer(out_),
                                                asio::buffer(body.data(), beyond)};
  asio::async_write(socket_, parts, [self = shared_from_this()](error_code error, std::size_t) {
    error ? self->close() : self->written();
  });
}

// The next piece of a body that is made while it is sent.
void Session::write_piece() {
  set(Doing::working, shared_.limits.work);
  asio::post(shared_.workers, [self = shared_from_this()]() mutable {
    std::string piece;
    bool more = false, failed = false;
    try {
      more = self->response_.next(piece);
    } catch (const std::exception&) {
      failed = true;  // the status has gone out: all that can be done is to end before the end
    }
    auto& context = self->lane_.context;
    asio::post(context, [self = std::move(self), piece = std::move(piece), more, failed] {
      if (failed) self->close();
      if (!self->socket_.is_open()) return;
      self->out_ = piece.empty() ? "" : fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
      if (!more) {
        self->out_ += "0\r\n\r\n";
        self->response_.next = {};
      }
      self->set(Doing::writing, self->shared_.limits.request);
      self->write(0);
    });
  });
}

void Session::written() {
  if (response_.next) return write_piece();
  response_ = {};
  if (out_.capacity() > most_at_once) std::string().swap(out_);
  if (keep_alive_ && !shared_.stopping) return await_request();
  drain();
}

// Who still sends would otherwise be told that the connection broke before reading the answer.
void Session::drain() {
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  if (doing_ != Doing::draining) set(Doing::draining, std::chrono::seconds(2));
  buffer_.consume(buffer_.size());
  socket_.async_read_some(buffer_.prepare(most_at_once),
                          [self = shared_from_this()](error_code error, std::size_t) {
                            if (error) return self->close();
                            self->drain();
                          });
}

void Session::close() {
  error_code ignored;
  socket_.close(ignored);
}

void Session::check_time(Clock::time_point now) {
  if (now < deadline_) return;
  if (doing_ == Doing::reading) {
    error_code ignored;
    socket_.cancel(ignored);
    return refuse(408, "the request took too long to come");
  }
  if (doing_ == Doing::working && !response_.next) {
    return refuse(503, fmt::format("no answer within {} s", shared_.limits.work.count()));
  }
  close();
}

void Session::finish() {
  keep_alive_ = false;
  if (doing_ == Doing::idle) close();
}

}  // namespace credence::serve
