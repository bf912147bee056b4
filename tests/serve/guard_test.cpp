// SPDX-License-Identifier: Apache-2.0
#include "serve/http/guard.hpp"

#include <gtest/gtest.h>

namespace credence::serve {
namespace {

Request asked(const std::string& host, const std::string& origin = "") {
  Request request;
  request.method = "GET";
  request.target = "/v1/models/m";
  request.host = host;
  request.origin = origin;
  return request;
}

int status_of(const Guard& guard, const Request& request) {
  const auto refusal = guard.refusal(request);
  return refusal ? refusal->status : 200;
}

TEST(Guard, AnswersToNamesOfThisMachineAlone) {
  const Guard guard("127.0.0.1", "");
  for (const auto* host :
       {"localhost", "localhost:8080", "127.0.0.1:1", "127.9.9.9", "[::1]:80", "LOCALHOST:8080"}) {
    EXPECT_EQ(status_of(guard, asked(host)), 200) << host;
  }
  for (const auto* host : {"evil.example", "evil.example:8080", "localhost.evil.example",
                           "10.0.0.1", "[::2]:80", "127.evil.example", "127.0.0.1.evil.example:80",
                           "127.", "127.0.0.1@evil.example", "127.0.0.1:80:evil.example"}) {
    EXPECT_EQ(status_of(guard, asked(host)), 403) << host;
  }
  EXPECT_EQ(status_of(guard, asked("")), 400);
}

TEST(Guard, RefusesPagesOfOtherSites) {
  const Guard guard("127.0.0.1", "");
  EXPECT_EQ(status_of(guard, asked("localhost:80", "http://localhost:80")), 200);
  for (const auto* origin : {"null", "https://evil.example", "http://localhost:81",
                             "http://localhost:80.evil.example", "file://"}) {
    EXPECT_EQ(status_of(guard, asked("localhost:80", origin)), 403) << origin;
  }
}

TEST(Guard, WantsTheTokenForQuestionsButNotForThePage) {
  const Guard guard("0.0.0.0", "s3cret");
  auto request = asked("model.example");
  EXPECT_EQ(status_of(guard, request), 403);
  for (const auto* wrong :
       {"Bearer s3cre", "Bearer s3crets", "Bearer S3CRET", "s3cret", "Bearer "}) {
    request.authorization = wrong;
    EXPECT_EQ(status_of(guard, request), 403) << wrong;
  }
  request.authorization = "bearer s3cret";
  EXPECT_EQ(status_of(guard, request), 200);
  request.authorization.clear();
  request.cookie = "a=b; credence-token=s3cret";
  EXPECT_EQ(status_of(guard, request), 200);
  request.cookie.clear();
  request.target = "/overview";
  EXPECT_EQ(status_of(guard, request), 200);
}

TEST(Guard, LetsABrowserKeepTheToken) {
  const Guard guard("0.0.0.0", "s3cret");
  auto request = asked("model.example");
  request.target = "/plane?token=s3cret";
  const auto welcome = guard.welcome(request);
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->status, 303);
  EXPECT_EQ(welcome->headers[0].second, "/plane");
  request.target = "/plane?model=m&token=s3cret&x=a";
  EXPECT_EQ(guard.welcome(request)->headers[0].second, "/plane?model=m&x=a");
  request.target = "//evil.example/?token=s3cret";
  EXPECT_EQ(guard.welcome(request)->headers[0].second, "/evil.example/");
  request.target = "/plane?token=guess";
  EXPECT_FALSE(guard.welcome(request));
}

}  // namespace
}  // namespace credence::serve
