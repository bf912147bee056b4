// SPDX-License-Identifier: Apache-2.0
#include "bytes/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bytes/stages.hpp"
#include "core/strings.hpp"

namespace credence::data {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  const char* what;
  const char* way_out = "";
};

constexpr const char* unpack_first = "unpack it first";
constexpr const char* as_csv = "write it as CSV with the program that made it";
constexpr const char* in_python = "write it as CSV in Python, by pandas and to_csv";
constexpr const char* in_r = "write it as CSV in R, by write.csv";
constexpr const char* sheet = "save the sheet as CSV, in its program or by libreoffice";

constexpr Signature signatures[] = {
    {"%PDF-", "a PDF document"},
    {"\x89PNG\r\n\x1A\n", "a PNG picture"},
    {"\xFF\xD8\xFF", "a JPEG picture"},
    {"GIF87a", "a GIF picture"},
    {"GIF89a", "a GIF picture"},
    {"II*\0"sv, "a TIFF picture"},
    {"MM\0*"sv, "a TIFF picture"},
    {"SQLite format 3\0"sv, "an SQLite database",
     "write it as CSV by sqlite3 -header -csv FILE 'select * from TABLE'"},
    {"\x89HDF\r\n\x1A\n", "an HDF5 file", in_python},
    {"X\n\0\0\0"sv, "an RDS file of R", in_r},
    {"RDX2\n", "an RData file of R", in_r},
    {"RDX3\n", "an RData file of R", in_r},
    {"RDA2\n", "an RData file of R", in_r},
    {"RDA3\n", "an RData file of R", in_r},
    {"\x80\x02", "a Python pickle", in_python},
    {"\x80\x03", "a Python pickle", in_python},
    {"\x80\x04\x95", "a Python pickle", in_python},
    {"\x80\x05\x95", "a Python pickle", in_python},
    {"\x93NUMPY", "a NumPy array", "write it as CSV in Python, by numpy.savetxt"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old Office file, such as an Excel workbook", sheet},
    {"\x7F"
     "ELF",
     "a program"},
    {"\xCF\xFA\xED\xFE", "a program"},
    {"7z\xBC\xAF\x27\x1C", "a 7z archive", unpack_first},
    {"Rar!\x1A\x07", "a RAR archive", unpack_first},
    {"\x04\x22\x4D\x18", "data packed by lz4", unpack_first},
    {"\x1F\x9D", "data packed by compress", unpack_first},
    {"ORC", "an ORC file", in_python},
    {"Obj\x01", "an Avro file", in_python},
    {"<stata_dta>", "a Stata file", as_csv},
    {"$FL2", "an SPSS file", as_csv},
    {"$FL3", "an SPSS file", as_csv},
    {"MATLAB 5.0 MAT-file", "a MATLAB file", as_csv},
    {"\xFF\xFE\0\0"sv, "a text in UTF-32", "convert it with iconv -f utf32 -t utf8"},
    {"\0\0\xFE\xFF"sv, "a text in UTF-32", "convert it with iconv -f utf32 -t utf8"},
    {"<?xml", "an XML file", as_csv},
    {"<!doctype html", "an HTML page", "download the table itself"},
    {"<html", "an HTML page", "download the table itself"},
};

[[noreturn]] void refuse_as(const std::string& name, std::string_view what,
                            std::string_view way_out) {
  refuse_bytes(name, fmt::format("{}, not a table{}", what,
                                 way_out.empty() ? "" : fmt::format(" ({})", way_out)));
}

// Some formats have short signatures, which a text may begin with: bytes that no text holds must
// follow.
bool holds_controls(std::string_view head) {
  return std::any_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1A';
  });
}

bool is_tar(std::string_view head) { return head.size() > 262 && head.substr(257, 5) == "ustar"; }

bool is_model(std::string_view head) {
  return head.size() > 8 && head.substr(8).starts_with(R"({"__metadata__":{"format":"credence")");
}

// A few stray NULs are damage to a text, which is reported where they are.
bool is_binary(std::string_view head) {
  const auto odd = std::count_if(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
  return head.find('\0') != head.npos && static_cast<std::size_t>(odd) * 10 > head.size();
}

}  // namespace

std::string_view columnar_kind(std::string_view head) {
  if (head.starts_with("PAR1")) return "Parquet";
  if (head.starts_with("FEA1")) return "Feather";
  if (head.starts_with("ARROW1\0\0"sv)) return "Arrow";
  if (head.size() > 12 && head.substr(8, 4) == "DUCK") return "DuckDB";  // behind its checksum
  return "";
}

void refuse_foreign(const std::string& name, std::string_view head) {
  if (is_model(head)) refuse_as(name, "a model of credence", "");
  if (is_tar(head)) refuse_as(name, "a tar archive", unpack_first);
  const std::string start = ascii_lower(head.substr(0, 32));
  for (const auto& [bytes, what, way_out] : signatures) {
    const bool markup = bytes.front() == '<';
    if (!(markup ? std::string_view(start) : head).starts_with(bytes)) continue;
    if (markup || bytes.size() > 8 || holds_controls(head) || bytes.starts_with("%PDF")) {
      refuse_as(name, what, way_out);
    }
  }
  if (is_binary(head)) refuse_as(name, "binary data of an unknown kind", as_csv);
}

void refuse_foreign_zip(const std::string& name, const std::vector<std::string>& members) {
  const auto has = [&](std::string_view start) {
    return std::any_of(members.begin(), members.end(),
                       [&](const std::string& member) { return member.starts_with(start); });
  };
  if (has("xl/")) refuse_as(name, "an Excel workbook", sheet);
  if (has("word/")) refuse_as(name, "a Word document", "");
  if (has("ppt/")) refuse_as(name, "a PowerPoint document", "");
  if (has("[Content_Types].xml")) refuse_as(name, "an Office document", sheet);
  if (has("mimetype")) refuse_as(name, "an OpenDocument file", sheet);
  const bool arrays = std::all_of(members.begin(), members.end(), [](const std::string& member) {
    return member.ends_with(".npy");
  });
  if (arrays && !members.empty()) refuse_as(name, "NumPy arrays", in_python);
}

}  // namespace credence::data
