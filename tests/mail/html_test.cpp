// SPDX-License-Identifier: Apache-2.0
#include "mail/html.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "mail/charset.hpp"
#include "mail/repeated.hpp"

namespace credence::text {
namespace {

TEST(Html, tags_go_and_words_stay) {
  EXPECT_EQ(html_to_text("<b>Buy</b> <i class=x>now</i>"), "Buy now\n");
}

TEST(Html, inline_tags_do_not_part_a_word) {
  EXPECT_EQ(html_to_text("V<b></b>i<!-- x -->a<font size=1>gra</font>"), "Viagra\n");
}

TEST(Html, blocks_and_br_begin_lines) {
  EXPECT_EQ(html_to_text("a<br>b<BR/>c<p>d<div>e</div>f<ul><li>g<li>h</ul>"),
            "a\nb\nc\nd\ne\nf\ng\nh\n");
}

TEST(Html, cells_of_a_table_are_parted) {
  EXPECT_EQ(html_to_text("<table><tr><td>a<td>b</tr><tr><th>c</th><th>d</th></tr></table>"),
            "a b\nc d\n");
}

TEST(Html, white_space_collapses_except_in_pre) {
  EXPECT_EQ(html_to_text(" a \r\n\t b &nbsp; c "), "a b c\n");
  EXPECT_EQ(html_to_text("<pre>a\n  b\r\nc</pre> d  e"), "a\n  b\nc\nd e\n");
}

TEST(Html, scripts_styles_and_comments_are_dropped_and_the_title_stays) {
  EXPECT_EQ(html_to_text("<html><head><title>Offer &amp; more</title>"
                         "<style>p { color: red }</style><script>if (a </b) x();</script></head>"
                         "<body>a<!-- b > c -->d</body></html>"),
            "Offer & more\nad\n");
}

TEST(Html, a_script_ends_at_its_own_end_tag_in_any_case) {
  EXPECT_EQ(html_to_text("a<SCRIPT>'</scripted>' <b>x</b></Script >b"), "ab\n");
  EXPECT_EQ(html_to_text("a<script>never closed"), "a\n");
}

TEST(Html, comments_end_as_in_browsers) {
  EXPECT_EQ(html_to_text("a<!-->b<!--->c<!-- -- > -->d<!doctype html>e<?xml?>f"), "abcdef\n");
  EXPECT_EQ(html_to_text("a<!-- never closed <p>b"), "a\n");
}

TEST(Html, named_references_are_decoded) {
  EXPECT_EQ(html_to_text("&lt;&gt;&amp;&quot;&apos; &eacute;&Eacute; &euro; &hellip; &zwnj;"),
            "<>&\"' éÉ € … \u200C\n");
  EXPECT_EQ(html_to_text("&AElig;&zwj;&yuml;&Alpha;&omega;"), "Æ\u200DÿΑω\n");
}

TEST(Html, only_the_oldest_references_need_no_semicolon) {
  EXPECT_EQ(html_to_text("AT&T R&D caf&eacute &copy 2001 &euro x &unknown; &; & &"),
            "AT&T R&D café © 2001 &euro x &unknown; &; & &\n");
}

TEST(Html, numeric_references_are_decoded_and_checked) {
  EXPECT_EQ(html_to_text("&#86;&#x69;&#X61;&#103 &#8364;&#x1F600;"), "Viag €😀\n");
  EXPECT_EQ(html_to_text("&#0;&#xD800;&#xDFFF;&#x110000;&#99999999999999999999;"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\n");
  EXPECT_EQ(html_to_text("&#146;&#128;&#129;"), "’€\u0081\n");
  EXPECT_EQ(html_to_text("&#;&#x;&#xg;"), "&#;&#x;&#xg;\n");
  EXPECT_EQ(html_to_text("a&#10;b"), "a b\n");
}

TEST(Html, hosts_of_links_and_images_are_words) {
  EXPECT_EQ(html_to_text("see<a href=\"http://Shop.Example:8080/buy?x=1\">here</a>"),
            "see shop.example here\n");
  EXPECT_EQ(html_to_text("<img src='https://track.example/p.gif'><img src=//cdn.example/x>"),
            "track.example cdn.example\n");
  EXPECT_EQ(html_to_text("<form action=http://a.example/><body background=http://b.example>"),
            "a.example\nb.example\n");
  EXPECT_EQ(html_to_text("<a href=mailto:ada@engine.example?subject=x>mail</a>"),
            "engine.example mail\n");
}

TEST(Html, disguised_hosts_are_seen_through) {
  EXPECT_EQ(html_to_text("<a href='http://bank.example@evil.example/'>x</a>"), "evil.example x\n");
  EXPECT_EQ(html_to_text("<a href='&#104;ttp:&#x2f;/evil.example'>x</a>"), "evil.example x\n");
  EXPECT_EQ(html_to_text("<a href=' ht\ntp:\\\\evil.example\\x'>x</a>"), "evil.example x\n");
  EXPECT_EQ(html_to_text("<a href='http://[::1]:80/'>x</a>"), "[::1]:80 x\n");
}

TEST(Html, addresses_without_a_host_leave_no_word) {
  EXPECT_EQ(html_to_text("<a href=page.html>a</a><a href=#top>b</a><img src=cid:1@x>"
                         "<img src='data:image/png;base64,//x'><a href=''>c</a><a href>d</a>"),
            "ab cd\n");
}

TEST(Html, a_bracket_alone_is_text) {
  EXPECT_EQ(html_to_text("1 < 2 <3 a<b>c</b> <"), "1 < 2 <3 ac <\n");
  EXPECT_EQ(html_to_text("<"), "<\n");
}

TEST(Html, a_tag_may_end_with_the_page) {
  EXPECT_EQ(html_to_text("a<b"), "a\n");
  EXPECT_EQ(html_to_text("a<a href=\"http://x.example/never closed"), "a x.example\n");
  EXPECT_EQ(html_to_text("a</"), "a\n");
  EXPECT_EQ(html_to_text("a<a href="), "a\n");
}

TEST(Html, a_bracket_within_quotes_does_not_end_the_tag) {
  EXPECT_EQ(html_to_text("a<img alt=\"x > y\" title='>'>b"), "a b\n");
}

TEST(Html, bytes_that_are_not_utf8_are_latin_1) {
  EXPECT_EQ(html_to_text("caf\xE9 <b>\xC3\xA9</b>"), "café é\n");
}

TEST(Html, nothing_gives_nothing) {
  EXPECT_EQ(html_to_text(""), "");
  EXPECT_EQ(html_to_text("<html><body> <br> </body></html>"), "");
}

// Any of these takes minutes when something looks ahead to the end again and again.
TEST(Html, floods_of_markup_take_no_longer_than_text) {
  const std::size_t many = 1000000;
  EXPECT_EQ(html_to_text(repeated("<", many)).size(), many + 1);
  EXPECT_EQ(html_to_text(repeated("<!--", many)), "");
  EXPECT_EQ(html_to_text(repeated("<!-- x ", many) + "-->y"), "y\n");
  EXPECT_EQ(html_to_text(repeated("&", many)).size(), many + 1);
  EXPECT_EQ(html_to_text(repeated("&#", many)).size(), 2 * many + 1);
  EXPECT_EQ(html_to_text("&#" + repeated("9", many) + ";"), "\uFFFD\n");
  EXPECT_EQ(html_to_text(repeated("<a href=\"", many)).size(), 0);
  EXPECT_EQ(html_to_text(repeated("<a b='", many)).size(), 0);
  EXPECT_EQ(html_to_text(repeated("<script>", many)), "");
  EXPECT_EQ(html_to_text("<script>" + repeated("</", many) + "</script>x"), "x\n");
  EXPECT_EQ(html_to_text(repeated("</", many)), "");
  EXPECT_EQ(html_to_text(repeated("<!", many)), "");
  EXPECT_EQ(html_to_text(repeated("<pre> ", many)), "");
  EXPECT_EQ(html_to_text("<b " + repeated("x=1 ", many) + ">y"), "y\n");
  EXPECT_EQ(html_to_text("<" + repeated("b", many) + ">y"), "y\n");
  EXPECT_EQ(html_to_text(repeated("<div>", many) + "y"), "y\n");
}

RC_GTEST_PROP(Html, any_bytes_become_valid_utf8, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::oneOf(
      rc::gen::element<std::string>("<", ">", "</", "<!--", "-->", "&", "&#", "&#x", ";", "\"", "'",
                                    "=", "a href=", "http://", "@", "<pre>", "<script", "\xC3",
                                    "\xE9", "\xF0\x9F", " ", "9"),
      rc::gen::container<std::string>(rc::gen::arbitrary<char>())));
  std::string html;
  for (const auto& word : words) html += word;
  const std::string text = html_to_text(html);
  RC_ASSERT(to_utf8(text) == text);
}

}  // namespace
}  // namespace credence::text
