// SPDX-License-Identifier: Apache-2.0
#include "bytes/columnar.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "credence/error.hpp"

extern char** environ;

namespace credence::data {
namespace {

constexpr int no_module = 9;

// Values are written as a frame in memory has them: booleans as Python's words, 32-bit numbers with
// the digits of the double that they become. Modules of the current folder are not imported.
constexpr const char* script = R"(
import sys
sys.path = [place for place in sys.path if place not in ("", ".")]
try:
    import pyarrow as pa, pyarrow.csv, pyarrow.compute as pc
    if sys.argv[2] == "DuckDB":
        import duckdb
except ImportError:
    sys.exit(9)

def plain(a):
    if pa.types.is_dictionary(a.type):
        a = a.dictionary_decode()
    if pa.types.is_boolean(a.type):
        return pc.if_else(a, "True", "False")
    if pa.types.is_time(a.type):
        return a.cast(pa.string())
    if pa.types.is_duration(a.type):
        micros = a.cast(pa.duration("us"), safe=False).cast(pa.int64()).to_pylist()
        write = lambda v: f"{'-' * (v < 0)}{abs(v) // 10**6}.{abs(v) % 10**6:06} s"
        return pa.array([None if v is None else write(v) for v in micros], pa.string())
    if pa.types.is_floating(a.type) or pa.types.is_decimal(a.type):
        return a.cast(pa.float64())
    return a

def database(path, table):
    with duckdb.connect(path, read_only=True) as base:
        known = [name for (name,) in base.execute("select table_name from information_schema.tables order by 1").fetchall()]
        if not table and len(known) == 1:
            table = known[0]
        if table not in known:
            names = ", ".join(known) or "none"
            what = f"no table {table}" if table else "several tables" if known else "no table"
            raise ValueError(f"{what}: name one as FILE?table=NAME, of these: {names}")
        yield from base.execute('from "' + table.replace('"', '""') + '"').to_arrow_reader(65536)

def batches(path, kind, table):
    if kind == "DuckDB":
        yield from database(path, table)
    elif kind == "Parquet":
        import pyarrow.parquet
        file = pyarrow.parquet.ParquetFile(path)
        yield pa.RecordBatch.from_pylist([], schema=file.schema_arrow)
        yield from file.iter_batches()
    elif kind == "Arrow":
        with pa.ipc.open_file(path) as file:
            yield pa.RecordBatch.from_pylist([], schema=file.schema)
            for i in range(file.num_record_batches):
                yield file.get_batch(i)
    else:
        import pyarrow.feather
        yield from pyarrow.feather.read_table(path).to_batches()

try:
    writer = None
    for batch in batches(*sys.argv[1:]):
        columns = [plain(column) for column in batch.columns]
        batch = pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
        writer = writer or pyarrow.csv.CSVWriter(sys.stdout.buffer, batch.schema)
        writer.write(batch)
    if writer:
        writer.close()
except BrokenPipeError:
    pass
except Exception as problem:
    print(str(problem).splitlines()[0], file=sys.stderr)
    sys.stderr.flush()
    sys.stdout = None
    sys.exit(3)
)";

std::string python() {
  const char* chosen = std::getenv("CREDENCE_PYTHON");
  return chosen && *chosen ? chosen : "python3";
}

// A pipe whose ends are closed with it.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorKind::system, "no pipe can be opened");
  }
  ~Pipe() {
    shut(0);
    shut(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void shut(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  int take(int end) {
    const int result = ends[end];
    ends[end] = -1;
    return result;
  }
};

class ColumnarBytes final : public Bytes {
 public:
  ColumnarBytes(const std::string& path, std::string_view kind, std::string table)
      : path_(path), kind_(kind) {
    Pipe out;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, errors_.ends[1], STDERR_FILENO);
    std::string program = python(), option = "-c", text = script, name = path_, what = kind_;
    char* arguments[] = {program.data(), option.data(), text.data(), name.data(),
                         what.data(),    table.data(),  nullptr};
    const int problem =
        ::posix_spawnp(&child_, program.c_str(), &actions, nullptr, arguments, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) {
      child_ = -1;
      refuse_absent();
    }
    errors_.shut(1);
    out.shut(1);
    lines_ = file_bytes(out.take(0), path_);
  }
  ~ColumnarBytes() override {
    if (child_ < 0) return;
    ::kill(child_, SIGTERM);
    wait();
  }
  ColumnarBytes(const ColumnarBytes&) = delete;
  ColumnarBytes& operator=(const ColumnarBytes&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = lines_->read(to, size);
    if (got < size && child_ >= 0) finish();
    return got;
  }
  std::uint64_t position() const override { return 0; }  // of the file itself nobody knows

 private:
  int wait() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // What was read is a table only when the other side has come to its end.
  void finish() {
    std::string said(400, '\0');
    const auto got = ::read(errors_.ends[0], said.data(), said.size());
    said.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    const int status = wait();
    if (status == 0) return;
    if (status == no_module || status == 127) refuse_absent();
    said = said.substr(0, said.find('\n'));
    refuse_bytes(path_, fmt::format("{} cannot read this {} file{}",
                                    kind_ == "DuckDB" ? "duckdb" : "pyarrow", kind_,
                                    said.empty() ? "" : ": " + said));
  }

  [[noreturn]] void refuse_absent() const {
    refuse_bytes(path_,
                 fmt::format("a {} file, which is read by way of a python3 that has {}: there is "
                             "none (install it, or write the table as CSV)",
                             kind_, kind_ == "DuckDB" ? "duckdb and pyarrow" : "pyarrow"));
  }

  std::string path_, kind_;
  Pipe errors_;
  pid_t child_ = -1;
  BytesPointer lines_;
};

}  // namespace

BytesPointer columnar_as_csv(const std::string& path, std::string_view kind,
                             const std::string& table) {
  return std::make_unique<ColumnarBytes>(path, kind, table);
}

}  // namespace credence::data
