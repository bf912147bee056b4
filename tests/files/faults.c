/* SPDX-License-Identifier: Apache-2.0
 * Loaded before the C library: the FAULT_AT-th call of those below fails with the error FAULT_ERRNO, or, where that is 0, reads
 * or writes half of what was asked. Without FAULT_AT calls are counted, and the count is written to FAULT_COUNT at the end. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;

static int strikes(void) {
  const char* at = getenv("FAULT_AT");
  return __sync_add_and_fetch(&calls, 1) == (at ? atoi(at) : -1);
}

static int failure(void) {
  const char* number = getenv("FAULT_ERRNO");
  return number ? atoi(number) : 0;
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("FAULT_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%d\n", calls);
  fclose(file);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_OR(call)        \
  if (strikes() && failure()) { \
    errno = failure();       \
    return -1;               \
  }                          \
  return call
#define HALF_OR(call, halved)  \
  if (strikes()) {             \
    if (!failure()) return size > 1 ? halved : call; \
    errno = failure();         \
    return -1;                 \
  }                            \
  return call

ssize_t read(int file, void* to, size_t size) { HALF_OR(REAL(read)(file, to, size), REAL(read)(file, to, size / 2)); }
ssize_t pread(int file, void* to, size_t size, off_t at) {
  HALF_OR(REAL(pread)(file, to, size, at), REAL(pread)(file, to, size / 2, at));
}
ssize_t pread64(int file, void* to, size_t size, off64_t at) {
  HALF_OR(REAL(pread64)(file, to, size, at), REAL(pread64)(file, to, size / 2, at));
}
ssize_t write(int file, const void* from, size_t size) {
  if (file <= 2) return REAL(write)(file, from, size);
  HALF_OR(REAL(write)(file, from, size), REAL(write)(file, from, size / 2));
}
int fsync(int file) { FAIL_OR(REAL(fsync)(file)); }
int fchmod(int file, mode_t mode) { FAIL_OR(REAL(fchmod)(file, mode)); }
int rename(const char* from, const char* to) { FAIL_OR(REAL(rename)(from, to)); }
int flock(int file, int how) {
  int (*real)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
  FAIL_OR(real(file, how));
}
int mkostemps(char* path, int suffix, int flags) { FAIL_OR(REAL(mkostemps)(path, suffix, flags)); }
int mkostemps64(char* path, int suffix, int flags) { FAIL_OR(REAL(mkostemps64)(path, suffix, flags)); }
int stat(const char* path, struct stat* status) { FAIL_OR(REAL(stat)(path, status)); }
int fstat(int file, struct stat* status) { FAIL_OR(REAL(fstat)(file, status)); }
DIR* opendir(const char* path) {
  if (!strikes() || !failure()) return REAL(opendir)(path);
  errno = failure();
  return NULL;
}
int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  FAIL_OR(REAL(open)(path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  FAIL_OR(REAL(open64)(path, flags, mode));
}
