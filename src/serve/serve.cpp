// SPDX-License-Identifier: Apache-2.0
#include "serve/serve.hpp"

#include <fmt/format.h>

#include "credence/error.hpp"
#include "serve/api/api.hpp"
#include "serve/models/jobs.hpp"
#include "serve/models/store.hpp"

namespace credence::serve {

void serve(const ServeOptions& options, const std::function<void(const std::string&)>& log,
           const std::function<void(const std::string&)>& ready) {
  const auto& host = options.server.host;
  if (!is_loopback(host) && options.token.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: others than this machine could ask: a {} is needed",
                            setting("host", host), setting("token")));
  }
  ModelStore store(log);
  const bool one = options.models.size() == 1;
  for (const auto& [name, path] : options.models) {
    // One that cannot learn is served beside others that do; alone, it is a mistake to say so.
    const bool learns = options.learn && (one || can_learn(path));
    store.open(name, path, learns);
    if (options.learn && !learns)
      log(fmt::format("{}: has no counts of rows, and does not learn", name));
  }
  if (!options.data.empty()) store.use_data(options.data);
  Jobs jobs(store, options.program);
  Api api(store, jobs);
  Server server(options.server, Guard(host, options.token), api);
  server.each_second([&] { store.tick(); });
  const bool six = host.find(':') != std::string::npos && !host.starts_with('[');
  ready(fmt::format("http://{}:{}/", six ? "[" + host + "]" : host, server.port()));
  server.run();
}

}  // namespace credence::serve
