// SPDX-License-Identifier: Apache-2.0
#include "notation/recogniser.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace credence::data {
namespace {

constexpr std::size_t longest_cell = 60;
constexpr std::array<DateOrder, 3> all_orders = {DateOrder::ymd, DateOrder::dmy, DateOrder::mdy};

bool reads(std::string_view text, DecimalMark mark, double& value) {
  return parse_written(text, mark, value) == NumberState::finite;
}

}  // namespace

void Recogniser::look_at_plain(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) {
    long_digits_ = long_digits_ || text.size() > 3;
    return;
  }
  double value = 0;
  if (reads(text, DecimalMark::comma, value)) {
    ++plain_grouped_;
  } else {
    plain_decimals_ = true;
    looks_at_plain_ = false;  // nothing more is to be learnt
  }
}

void Recogniser::look_at_other(std::string_view text) {
  if (text.size() > longest_cell) return;
  if (std::none_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return;
  if (look_at_number(text) || look_at_date(text) || look_at_time(text)) ++recognised_;
}

bool Recogniser::look_at_number(std::string_view text) {
  const auto [unit, number] = take_unit(text);
  double point = 0, comma = 0;
  const bool by_point = reads(number, DecimalMark::point, point);
  const bool by_comma = reads(number, DecimalMark::comma, comma);
  if (!by_point && !by_comma) return false;
  if (!unit.empty() && unit_.empty()) unit_ = unit;
  if (!unit.empty() && unit != unit_) return true;  // no column has two units
  Numbers& seen = unit.empty() ? bare_ : with_unit_;
  if (by_point && by_comma) {
    ++(point == comma ? seen.same : seen.either);
  } else {
    ++(by_point ? seen.point : seen.comma);
  }
  groups_ = true;
  return true;
}

bool Recogniser::look_at_date(std::string_view text) {
  std::size_t fitting = 0, last = 0;
  for (std::size_t i = 0; i < all_orders.size(); ++i) {
    const auto moment = parse_moment(text, all_orders[i]);
    if (!moment) continue;
    ++dates_[i][moment->zone ? 1 : 0];
    ++fitting;
    last = i;
  }
  if (fitting == 1) ++one_order_[last];
  if (fitting > 0) ++dates_in_all_;
  return fitting > 0;
}

bool Recogniser::look_at_time(std::string_view text) {
  if (const auto clock = parse_clock(text)) {
    ++clocks_[clock->parts == 2 ? 0 : 1][clock->half_days ? 1 : 0];
    long_clock_ = long_clock_ || !clock->of_day;
    return true;
  }
  if (!parse_duration(text)) return false;
  ++durations_;
  return true;
}

// A stray word among numbers is more likely a mistake, which is reported where it stands.
bool Recogniser::covers(std::size_t cells) const {
  const std::size_t words = plain_ + others_ - cells;
  return cells > 0 && (words * 10 <= plain_ + others_ || (words == 1 && cells >= 3));
}

void Recogniser::mark(TableMarks& marks) const {
  const Numbers& seen = unit_.empty() ? bare_ : with_unit_;
  if (seen.comma > 0 && covers(seen.all(DecimalMark::comma) + (unit_.empty() ? plain_ : 0))) {
    marks.comma = true;
  }
  if (plain_decimals_ && covers(plain_)) marks.point = true;
  if (seen.point > 0 && covers(seen.all(DecimalMark::point) + (unit_.empty() ? plain_ : 0))) {
    marks.point = true;
  }
}

Recogniser::Result Recogniser::number_result(const TableMarks& marks) const {
  const bool prefers_comma = marks.comma != marks.point ? marks.comma : marks.semicolons;
  Reading reading{Reading::Kind::number};
  reading.unit = unit_;
  if (!groups_) {
    // 1.234 beside columns with decimal commas is a thousand and more, and may come behind 7.
    const bool commas =
        marks.comma && !marks.point && !plain_decimals_ && !typed_ && covers(plain_);
    if (!commas) return {"", plain_, "", true};
    reading.mark = DecimalMark::comma;
    return {to_string(reading), plain_, "", plain_grouped_ == 0};
  }
  const Numbers& seen = unit_.empty() ? bare_ : with_unit_;
  const std::size_t plain = unit_.empty() ? plain_ : 0;
  // 1,234 is no thousand where other thousands are written without a mark.
  const bool no_groups = long_digits_ && seen.point == 0 && unit_.empty();
  const std::size_t point = seen.all(DecimalMark::point) + plain - (no_groups ? seen.either : 0);
  const std::size_t comma =
      plain_decimals_ ? seen.all(DecimalMark::comma) : seen.all(DecimalMark::comma) + plain;
  const bool by_comma = comma > point || (comma == point && prefers_comma);
  reading.mark = by_comma ? DecimalMark::comma : DecimalMark::point;
  const std::size_t read = by_comma ? comma : point;
  if (!covers(read)) {
    const bool both = seen.point + (plain_decimals_ ? plain_ : 0) > 0 && seen.comma > 0;
    return {"", plain_, both ? "some numbers have decimal commas and some decimal points" : ""};
  }
  const bool needs_point = seen.point + seen.either + seen.same > 0;
  if (!by_comma && unit_.empty() && (!needs_point || (no_groups && seen.point + seen.same == 0))) {
    return {"", plain_, ""};
  }
  return {to_string(reading), read, ""};
}

Recogniser::Result Recogniser::date_result() const {
  std::size_t best = 0;
  const auto count = [&](std::size_t i) { return dates_[i][0] + dates_[i][1]; };
  for (std::size_t i = 1; i < all_orders.size(); ++i) {
    if (count(i) > count(best)) best = i;
  }
  for (std::size_t i = 0; i < all_orders.size(); ++i) {
    if (i == best) continue;
    if (one_order_[i] > 0) return {"", plain_, "dates in more than one order"};
    if (count(i) == count(best)) {
      return {"", plain_,
              "dates whose day and month cannot be told apart: date(dmy) or date(mdy)?"};
    }
  }
  if (dates_[best][0] > 0 && dates_[best][1] > 0) {
    return {"", plain_, "dates some of which have a time zone"};
  }
  Reading reading{Reading::Kind::date};
  reading.order = all_orders[best];
  reading.zone = dates_[best][1] > 0;
  return {to_string(reading), count(best), ""};
}

Recogniser::Result Recogniser::time_result() const {
  const std::size_t two = clocks_[0][0] + clocks_[0][1], three = clocks_[1][0] + clocks_[1][1];
  const std::size_t halves = clocks_[0][1] + clocks_[1][1];
  if (two > 0 && three > 0)
    return {"", plain_, "times some of which have seconds: time or duration?"};
  if (halves > 0 && halves < two + three) return {"", plain_, "times some of which have AM or PM"};
  Reading reading{long_clock_ ? Reading::Kind::duration : Reading::Kind::time};
  reading.clock = two > 0 ? Reading::Clock::hm : Reading::Clock::hms;
  reading.halves = halves > 0;
  return {to_string(reading), two + three, ""};
}

Recogniser::Result Recogniser::finish(const TableMarks& marks) const {
  const std::size_t clocks = clocks_[0][0] + clocks_[0][1] + clocks_[1][0] + clocks_[1][1];
  if (covers(dates_in_all_)) return date_result();
  if (covers(clocks)) return time_result();
  if (covers(durations_)) {
    Reading reading{Reading::Kind::duration};
    reading.clock = Reading::Clock::units;
    return {to_string(reading), durations_, ""};
  }
  return number_result(marks);
}

}  // namespace credence::data
