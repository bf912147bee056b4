// SPDX-License-Identifier: Apache-2.0
#include "serve/http/assets.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace credence::serve {
namespace {

constexpr std::string_view no_page = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>credence</title>
<h1>The server runs, but this program was built without its page</h1>
<p>Build the page with <code>npm ci &amp;&amp; npm run build</code> in the folder web, then the program with
<code>make build</code>. Programs are answered under <a href="/v1">/v1</a>, as
<a href="/v1/openapi.json">openapi.json</a> says.</p></html>
)";

const Asset* find_asset(std::string_view path) {
  for (const auto& asset : assets()) {
    if (asset.path == path) return &asset;
  }
  return nullptr;
}

std::string unpacked(std::string_view gzip) {
  z_stream stream{};
  std::string result;
  if (::inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return result;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  char room[1 << 14];
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(room);
    stream.avail_out = sizeof room;
    state = ::inflate(&stream, Z_NO_FLUSH);
    result.append(room, sizeof room - stream.avail_out);
  }
  ::inflateEnd(&stream);
  return result;
}

Response sent(const Asset& asset, const Request& request, std::string_view caching) {
  Response response;
  response.type = asset.type;
  const auto tag = fmt::format("\"{}\"", asset.tag);
  response.headers = {
      {"ETag", tag}, {"Cache-Control", std::string(caching)}, {"Vary", "Accept-Encoding"}};
  if (request.if_none_match.find(tag) != std::string::npos) {
    response.status = 304;
  } else if (request.accept_encoding.find("gzip") != std::string::npos) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.lasting = asset.gzip;
  } else {
    response.body = unpacked(asset.gzip);
  }
  return response;
}

}  // namespace

Response static_file(const Request& request, std::string_view path) {
  // Names of files that are made anew with every change hold a hash.
  const bool hashed = path.starts_with("/assets/");
  if (const auto* asset = find_asset(path)) {
    return sent(*asset, request, hashed ? "public, max-age=31536000, immutable" : "no-cache");
  }
  if (path.substr(path.rfind('/') + 1).find('.') != path.npos || hashed) {
    return error_response(404, fmt::format("no file {}", json_text(path)));
  }
  if (const auto* page = find_asset("/index.html")) return sent(*page, request, "no-cache");
  Response response;
  response.type = "text/html; charset=utf-8";
  response.lasting = no_page;
  return response;
}

Response openapi_file(const Request& request) {
  const auto* file = find_asset("openapi.json");
  return file ? sent(*file, request, "no-cache") : error_response(404, "no file openapi.json");
}

}  // namespace credence::serve
