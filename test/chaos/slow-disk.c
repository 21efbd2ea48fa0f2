/* Delays fsync and fdatasync of a process while the file named by CHAOS_SLOW_DISK exists: a disk that has become slow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static const useconds_t DELAY_US = 150000;

static void delay(void) {
  const char *path = getenv("CHAOS_SLOW_DISK");
  if (path != NULL && access(path, F_OK) == 0) usleep(DELAY_US);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  delay();
  return real(file);
}

int fsync(int file) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  delay();
  return real(file);
}
