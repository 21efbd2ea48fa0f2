/*
 * A disk that forgets and fails, for one process and its threads: preloaded by LD_PRELOAD, it stands before libc's file
 * functions. Files below DISK_ROOT are copied to DISK_SYNCED when they are synced, so that folder is what a power cut
 * leaves in the worst case: nothing that was written after the last sync of its file, and each deleted file, unless its folder
 * was synced after. While the file DISK_FAULT holds a
 * word, writes below DISK_ROOT fail: full (ENOSPC), failing (EIO), read-only (EROFS, at open too). With no-files only new
 * files and folders fail (ENOSPC), with no-links only hard links (EPERM), with failing-sync only syncs (EIO). As with a real kernel, what a failed sync should have
 * kept is lost to later syncs too, unless it is written again. With DISK_ONLY only files fail whose path contains it. Each
 * sync takes DISK_SLOW_MS.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
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

/* Unlike an errno: only syncs fail. */
#define FAILING_SYNC 100000

#define WORD 16

/* The word in DISK_FAULT, or nothing. */
static void read_word(char word[WORD]) {
  memset(word, 0, WORD);
  const char *name = getenv("DISK_FAULT");
  if (name == NULL) return;
  int fd = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (syscall(SYS_read, fd, word, WORD - 1) < 0) memset(word, 0, WORD);
  syscall(SYS_close, fd);
}

/* The errno of writes, or 0. */
static int fault(void) {
  char word[WORD];
  read_word(word);
  if (strncmp(word, "full", 4) == 0) return ENOSPC;
  if (strncmp(word, "read-only", 9) == 0) return EROFS;
  if (strncmp(word, "failing-sync", 12) == 0) return FAILING_SYNC;
  if (strncmp(word, "failing", 7) == 0) return EIO;
  return 0;
}

static int is_meant(const char *path) {
  const char *only = getenv("DISK_ONLY");
  return below_root(path) != NULL && (only == NULL || strstr(path, only) != NULL);
}

static int fault_of(int fd) {
  int code = fault();
  char path[PATH_MAX];
  if (code == 0 || path_of(fd, path) != 0) return 0;
  return is_meant(path) ? code : 0;
}

/* Whether a file or folder that would be new has no room. */
static int refuse_new(const char *path) {
  char word[WORD];
  if (!is_meant(path) || syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0) return 0;
  read_word(word);
  if (strncmp(word, "no-files", 8) != 0) return 0;
  errno = ENOSPC;
  return 1;
}

/* Parts of files that no sync has kept since they were written: dirty, or lost by a sync that failed. */
struct part { ino_t file; off_t from, to; int is_lost; };
#define MOST_PARTS 100000
static struct part parts[MOST_PARTS];
static int part_count = 0;
static pthread_mutex_t parts_lock = PTHREAD_MUTEX_INITIALIZER;

static void add_part(struct part part) {
  if (part.from >= part.to) return;
  if (part_count == MOST_PARTS) abort();
  parts[part_count++] = part;
}

static void note_write(int fd, off_t from, ssize_t size) {
  struct stat facts;
  char path[PATH_MAX];
  if (size <= 0 || path_of(fd, path) != 0 || below_root(path) == NULL || fstat(fd, &facts) != 0) return;
  off_t to = from + size;
  pthread_mutex_lock(&parts_lock);
  for (int at = part_count - 1; at >= 0; at--) {
    struct part old = parts[at];
    if (old.file != facts.st_ino || old.to <= from || old.from >= to) continue;
    parts[at] = parts[--part_count];
    add_part((struct part){old.file, old.from, from < old.to ? from : old.to, old.is_lost});
    add_part((struct part){old.file, to > old.from ? to : old.from, old.to, old.is_lost});
  }
  add_part((struct part){facts.st_ino, from, to, 0});
  pthread_mutex_unlock(&parts_lock);
}

/* Dirty parts are kept, or lost for good. */
static void end_sync(int fd, int is_lost) {
  struct stat facts;
  if (fstat(fd, &facts) != 0) return;
  pthread_mutex_lock(&parts_lock);
  for (int at = part_count - 1; at >= 0; at--) {
    if (parts[at].file != facts.st_ino) continue;
    if (is_lost) parts[at].is_lost = 1;
    else if (!parts[at].is_lost) parts[at] = parts[--part_count];
  }
  pthread_mutex_unlock(&parts_lock);
}

static void forget_lost(int out, ino_t file) {
  static const char zeros[65536];
  pthread_mutex_lock(&parts_lock);
  for (int at = 0; at < part_count; at++) {
    if (parts[at].file != file || !parts[at].is_lost) continue;
    for (off_t from = parts[at].from; from < parts[at].to; from += sizeof zeros) {
      off_t size = parts[at].to - from;
      syscall(SYS_pwrite64, out, zeros, size < (off_t)sizeof zeros ? size : (off_t)sizeof zeros, from);
    }
  }
  pthread_mutex_unlock(&parts_lock);
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
  char bytes[65536];
  ssize_t got = -1;
  if (in >= 0 && out >= 0) {
    while ((got = syscall(SYS_read, in, bytes, sizeof bytes)) > 0) {
      if (syscall(SYS_write, out, bytes, got) != got) { got = -1; break; }
    }
  }
  if (out >= 0) forget_lost(out, facts.st_ino);
  if (in >= 0) syscall(SYS_close, in);
  if (out >= 0) syscall(SYS_close, out);
  if (got != 0 || rename(partial, target) != 0) { errno = EIO; return -1; }
  return 0;
}

/* What is deleted from the folder stays deleted after a power cut. */
static void keep_deletions(int fd) {
  char path[PATH_MAX], target[PATH_MAX];
  const char *synced = getenv("DISK_SYNCED"), *root = getenv("DISK_ROOT");
  struct stat facts;
  if (synced == NULL || root == NULL || path_of(fd, path) != 0) return;
  if (fstat(fd, &facts) != 0 || !S_ISDIR(facts.st_mode)) return;
  const char *name = strcmp(path, root) == 0 ? "" : below_root(path);
  if (name == NULL) return;
  snprintf(target, sizeof target, "%s/%s", synced, name);
  DIR *folder = opendir(target);
  if (folder == NULL) return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char live[PATH_MAX * 2], kept[PATH_MAX * 2];
    snprintf(live, sizeof live, "%s/%s", path, entry->d_name);
    snprintf(kept, sizeof kept, "%s/%s", target, entry->d_name);
    /* a copy in progress ends with ~ */
    if (entry->d_type == DT_REG && kept[strlen(kept) - 1] != '~' && access(live, F_OK) != 0) unlink(kept);
  }
  closedir(folder);
}

static int sync_file(int fd) {
  const char *slow = getenv("DISK_SLOW_MS");
  char path[PATH_MAX];
  if (slow != NULL && path_of(fd, path) == 0 && below_root(path) != NULL) usleep(atoi(slow) * 1000);
  int code = fault_of(fd);
  if (code == EIO || code == FAILING_SYNC) { end_sync(fd, 1); errno = EIO; return -1; }
  /* otherwise an older copy could replace a newer one */
  static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&copying);
  int kept = keep(fd);
  keep_deletions(fd);
  pthread_mutex_unlock(&copying);
  end_sync(fd, 0);
  return kept;
}
int fsync(int fd) { return sync_file(fd); }
int fdatasync(int fd) { return sync_file(fd); }

#define REFUSE(fd) int code = fault_of(fd); if (code != 0 && code != FAILING_SYNC) { errno = code; return -1; }
static ssize_t noted(int fd, ssize_t size, off_t at) { note_write(fd, at, size); return size; }
ssize_t write(int fd, const void *data, size_t size) { REFUSE(fd) return REAL(write)(fd, data, size); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { REFUSE(fd) return noted(fd, REAL(pwrite)(fd, data, size, at), at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { REFUSE(fd) return noted(fd, REAL(pwrite64)(fd, data, size, at), at); }

int link(const char *from, const char *to) {
  char word[WORD];
  read_word(word);
  if (!is_meant(to) || strncmp(word, "no-links", 8) != 0) return REAL(link)(from, to);
  errno = EPERM;
  return -1;
}
int mkdir(const char *path, mode_t mode) { return refuse_new(path) ? -1 : REAL(mkdir)(path, mode); }

static int refuse_open(const char *path, int flags) {
  if ((flags & O_CREAT) != 0 && refuse_new(path)) return -1;
  if ((flags & O_ACCMODE) == O_RDONLY || below_root(path) == NULL || fault() != EROFS) return 0;
  errno = EROFS;
  return -1;
}
#define MODE va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest);
int open(const char *path, int flags, ...) { MODE return refuse_open(path, flags) ? -1 : REAL(open)(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return refuse_open(path, flags) ? -1 : REAL(open64)(path, flags, mode); }
