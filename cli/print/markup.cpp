// SPDX-License-Identifier: Apache-2.0
#include "cli/print/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/utf8.hpp"
#include "plot/report/html.hpp"

namespace credence::cli {
namespace {

// 0: too little to show, up to 3.
int strength(double weight, double largest) {
  if (weight == 0 || largest == 0) return 0;
  const double share = std::isinf(weight) ? 1 : std::abs(weight) / largest;
  return share > 0.5 ? 3 : share > 0.2 ? 2 : share > 0.05 ? 1 : 0;
}

// Without control characters, but for line ends and tabs.
std::string harmless(std::string_view utf8) {
  std::string result;
  for (const char* at = utf8.data(); at < utf8.data() + utf8.size();) {
    const char* begin = at;
    const auto point = decode_utf8(at);
    const bool control =
        (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7F && point < 0xA0);
    if (!control)
      result.append(begin, at);
    else if (point != '\r')
      result += ' ';
  }
  return result;
}

// The text in pieces, those between words and the words: use(piece, word or null).
template <typename Use>
void for_each_piece(const MarkedText& text, const Use& use) {
  const std::string_view all = text.text;
  std::size_t at = 0;
  for (const auto& word : text.words) {
    if (word.begin > at) use(all.substr(at, word.begin - at), nullptr);
    use(all.substr(word.begin, word.end - word.begin), &word);
    at = word.end;
  }
  if (at < all.size()) use(all.substr(at), nullptr);
}

}  // namespace

double largest_weight(const std::vector<MarkedText>& texts) {
  double largest = 0;
  for (const auto& text : texts) {
    for (const auto& word : text.words) {
      if (std::isfinite(word.weight)) largest = std::max(largest, std::abs(word.weight));
    }
  }
  return largest;
}

std::string to_terminal(const MarkedText& text, double largest) {
  static constexpr int blue[] = {0, 153, 111, 75};
  static constexpr int orange[] = {0, 223, 216, 208};
  std::string result;
  for_each_piece(text, [&](std::string_view piece, const MarkedWord* word) {
    const int shade = word ? strength(word->weight, largest) : 0;
    if (shade == 0) {
      result += harmless(piece);
    } else if (word->weight > 0) {
      result += fmt::format("\x1b[38;5;16;48;5;{}m{}\x1b[0m", blue[shade], harmless(piece));
    } else {
      result += fmt::format("\x1b[4;38;5;16;48;5;{}m{}\x1b[0m", orange[shade], harmless(piece));
    }
  });
  return result;
}

std::string to_html(const MarkedText& text, double largest) {
  std::string result = "<pre class=\"document\">";
  const auto lines = [&](std::string_view piece) {
    for (std::size_t at = 0;;) {
      const auto end = piece.find('\n', at);
      result += plot::escaped(piece.substr(at, end == piece.npos ? end : end - at));
      if (end == piece.npos) break;
      result += '\n';
      at = end + 1;
    }
  };
  for_each_piece(text, [&](std::string_view piece, const MarkedWord* word) {
    if (!word || word->weight == 0) return lines(piece);
    const double share = std::isinf(word->weight) ? 1
                         : largest == 0           ? 0
                                                  : std::abs(word->weight) / largest;
    result += fmt::format("<span class=\"{}\" style=\"--a:{:.2f}\" title=\"{:+.4g}\">",
                          word->weight > 0 ? "for" : "against", 0.75 * share, word->weight);
    lines(piece);
    result += "</span>";
  });
  return result + "</pre>\n";
}

}  // namespace credence::cli
