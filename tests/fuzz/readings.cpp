// SPDX-License-Identifier: Apache-2.0
// Cells as people write numbers, dates and durations: each line is a cell of one column.
#include <cmath>

#include "core/strings.hpp"
#include "fuzz/fuzz.hpp"
#include "notation/recogniser.hpp"

namespace credence::fuzz {
namespace {

const Registered readings{"readings", [](std::string_view bytes) {
                            data::Recogniser recogniser;
                            const auto cells = split(bytes, '\n');
                            for (const auto& cell : cells) recogniser.other(cell);
                            data::TableMarks marks;
                            recogniser.mark(marks);
                            const auto found = recogniser.finish(marks);
                            const auto reading = data::parse_reading(found.reading);
                            require(data::to_string(reading) == found.reading,
                                    "the name of a reading reads back");
                            std::size_t numbers = 0;
                            for (const auto& cell : cells) {
                              double value = 0;
                              if (reading.number(cell, value) != data::NumberState::finite)
                                continue;
                              require(std::isfinite(value), "what is read is finite");
                              ++numbers;
                            }
                            require(found.reading.empty() || numbers >= found.numbers,
                                    "a reading reads what it was chosen for");
                          }};

}  // namespace
}  // namespace credence::fuzz
