// SPDX-License-Identifier: Apache-2.0
// Tables that come through the Arrow C data interface, read in place.
// https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tables/memory/memory.hpp"

// The structures are an agreement between libraries: names, fields and guards are theirs.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}
#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}
#endif  // ARROW_C_STREAM_INTERFACE

namespace credence::data {

// Takes the stream over; its columns are the fields of a struct.
MemoryTable arrow_table(ArrowArrayStream& stream);

// Takes one array and its type over: a column of a table made of other parts.
struct ArrowColumn {
  MemoryField field;
  std::size_t rows = 0;
  std::shared_ptr<const MemoryColumn> column;
  std::shared_ptr<const void> owner;
};
ArrowColumn arrow_column(const std::string& name, ArrowSchema& schema, ArrowArray& array);

}  // namespace credence::data
