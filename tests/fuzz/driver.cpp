// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without libFuzzer: changes sample mails at random, the same way for the same
// seed.   driver SEED SECONDS   or   driver FILE...   to run inputs again.
// Before every run the input is written to fuzz-input, so that a crash leaves it there.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "words/sample_mails.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const std::vector<std::string> pieces = {"\n",
                                         "\n\n",
                                         "\r\n",
                                         "\r",
                                         "--",
                                         "--b\n",
                                         "--b--\n",
                                         "=?",
                                         "?=",
                                         "?q?",
                                         "=?utf-8?b?",
                                         "=E9",
                                         "=",
                                         "\xE9",
                                         "\xC3",
                                         "\xF0\x9F\x98",
                                         std::string(1, '\0'),
                                         "(",
                                         "\"",
                                         "\\",
                                         ";",
                                         ":",
                                         "*0*=",
                                         "''%",
                                         "<",
                                         "</",
                                         "<!--",
                                         "-->",
                                         "&#",
                                         "&#x",
                                         "&",
                                         "<script",
                                         "<pre>",
                                         "<a href='",
                                         "http://",
                                         "@",
                                         "Content-Type: multipart/mixed; boundary=b\n",
                                         "Content-Type: multipart/alternative; boundary=b\n",
                                         "Content-Type: message/rfc822\n",
                                         "Content-Type: text/html; charset=utf-7\n",
                                         "Content-Transfer-Encoding: base64\n",
                                         "Content-Transfer-Encoding: quoted-printable\n",
                                         "Content-Transfer-Encoding: x-uuencode\n",
                                         "begin 644 x\n",
                                         "charset=iso-2022-jp",
                                         "charset=gb18030",
                                         "charset=utf-16",
                                         "charset=euc-tw",
                                         "charset=tscii",
                                         "charset=iso-2022-cn-ext",
                                         "charset=big5-hkscs",
                                         "From ",
                                         ">From ",
                                         "Subject: ",
                                         "boundary=",
                                         "filename*0*=utf-8''%"};

class Changes {
 public:
  explicit Changes(std::uint64_t seed) : random_(seed), corpus_(credence::text::sample_mails()) {}

  std::string next() {
    std::string input = corpus_[below(corpus_.size())];
    for (std::size_t n = 1 + below(8); n > 0; --n) change(input);
    if (below(100) == 0) keep(input);
    return input;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  // What was changed once is changed further, so inputs wander away from the samples.
  void keep(const std::string& input) {
    const std::size_t most = 4000;
    if (input.size() > 20000) return;
    if (corpus_.size() < most) {
      corpus_.push_back(input);
    } else {
      corpus_[samples_ + below(most - samples_)] = input;
    }
  }

  void change(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    const std::size_t length = 1 + below(below(2) ? 8 : 200);
    switch (below(7)) {
      case 0:
        input.erase(at, length);
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(random_());
        break;
      case 2:
        input.insert(at, pieces[below(pieces.size())]);
        break;
      case 3:
        input.insert(at, input.substr(below(input.size() + 1), length));
        break;
      case 4: {
        const std::string& other = corpus_[below(corpus_.size())];
        input.insert(at, other.substr(below(other.size() + 1), 10 * length));
        break;
      }
      case 5: {
        std::string piece = pieces[below(pieces.size())];
        for (std::size_t n = below(100); n > 0; --n) input.insert(at, piece);
        break;
      }
      default:
        input.resize(at);
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> corpus_;
  std::size_t samples_ = corpus_.size();
};

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

void write(const std::string& input) { std::ofstream("fuzz-input", std::ios::binary) << input; }

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() == 2 && is_number(arguments[0]) && is_number(arguments[1])) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(std::stoul(arguments[1]));
    Changes changes(std::stoull(arguments[0]));
    std::uint64_t runs = 0;
    double longest = 0;
    for (; Clock::now() < end; ++runs) {
      const std::string input = changes.next();
      write(input);
      const auto start = Clock::now();
      run(input);
      longest = std::max(longest, std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::printf("%llu runs, the longest took %.3f s\n", static_cast<unsigned long long>(runs),
                longest);
    return 0;
  }
  for (const auto& name : arguments) {
    std::ifstream file(name, std::ios::binary);
    run(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return arguments.empty() ? 2 : 0;
}
