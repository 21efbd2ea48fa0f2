/*
 * A disk that forgets and fails, for one process and its threads: preloaded by LD_PRELOAD, it stands before libc's file
 * functions. Files below DISK_ROOT are copied to DISK_SYNCED when they are synced, so that folder is what a power cut
 * leaves in the worst case: nothing that was written after the last sync of its file. While the file DISK_FAULT holds a
 * word, writes below DISK_ROOT fail: full (ENOSPC), failing (EIO), read-only (EROFS, at open too). With DISK_ONLY only
 * files fail whose path contains it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The part of the path below DISK_ROOT, or NULL. */
static const char *below_root(const char *path) {
  const char *root = getenv("DISK_ROOT");
  if (root == NULL) return NULL;
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return -1;
  path[length] = 0;
  return 0;
}

/* The word in DISK_FAULT as an errno, or 0. */
static int fault(void) {
  const char *name = getenv("DISK_FAULT");
  if (name == NULL) return 0;
  int fd = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char word[16] = {0};
  ssize_t got = syscall(SYS_read, fd, word, sizeof word - 1);
  syscall(SYS_close, fd);
  if (got <= 0) return 0;
  if (strncmp(word, "full", 4) == 0) return ENOSPC;
  if (strncmp(word, "read-only", 9) == 0) return EROFS;
  if (strncmp(word, "failing", 7) == 0) return EIO;
  return 0;
}

static int fault_of(int fd) {
  int code = fault();
  char path[PATH_MAX];
  if (code == 0 || path_of(fd, path) != 0 || below_root(path) == NULL) return 0;
  const char *only = getenv("DISK_ONLY");
  return only == NULL || strstr(path, only) != NULL ? code : 0;
}

static void make_folders(char *path) {
  for (char *at = path + 1; *at != 0; at++) {
    if (*at != '/') continue;
    *at = 0;
    mkdir(path, 0700);
    *at = '/';
  }
}

/* What the file holds now is what a power cut leaves of it. */
static int keep(int fd) {
  char path[PATH_MAX], target[PATH_MAX], partial[PATH_MAX + 32];
  const char *synced = getenv("DISK_SYNCED");
  struct stat facts;
  if (synced == NULL || path_of(fd, path) != 0 || fstat(fd, &facts) != 0) return 0;
  const char *name = below_root(path);
  if (name == NULL || !S_ISREG(facts.st_mode) || facts.st_nlink == 0) return 0;
  snprintf(target, sizeof target, "%s/%s", synced, name);
  make_folders(target);
  snprintf(partial, sizeof partial, "%s.%ld~", target, syscall(SYS_gettid));
  int in = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  int out = syscall(SYS_openat, AT_FDCWD, partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  static __thread char bytes[65536];
  ssize_t got = -1;
  if (in >= 0 && out >= 0) {
    while ((got = syscall(SYS_read, in, bytes, sizeof bytes)) > 0) {
      if (syscall(SYS_write, out, bytes, got) != got) { got = -1; break; }
    }
  }
  if (in >= 0) syscall(SYS_close, in);
  if (out >= 0) syscall(SYS_close, out);
  if (got != 0 || rename(partial, target) != 0) { errno = EIO; return -1; }
  return 0;
}

static int sync_file(int fd) {
  int code = fault_of(fd);
  if (code == EIO) { errno = code; return -1; }
  return keep(fd);
}
int fsync(int fd) { return sync_file(fd); }
int fdatasync(int fd) { return sync_file(fd); }

#define REFUSE(fd) int code = fault_of(fd); if (code != 0) { errno = code; return -1; }
ssize_t write(int fd, const void *data, size_t size) { REFUSE(fd) return REAL(write)(fd, data, size); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { REFUSE(fd) return REAL(pwrite)(fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { REFUSE(fd) return REAL(pwrite64)(fd, data, size, at); }

static int refuse_open(const char *path, int flags) {
  if ((flags & O_ACCMODE) == O_RDONLY || below_root(path) == NULL || fault() != EROFS) return 0;
  errno = EROFS;
  return -1;
}
#define MODE va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest);
int open(const char *path, int flags, ...) { MODE return refuse_open(path, flags) ? -1 : REAL(open)(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return refuse_open(path, flags) ? -1 : REAL(open64)(path, flags, mode); }
