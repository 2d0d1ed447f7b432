// System calls that the C library's module does not show to Swift. Header only.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swaps two names of one file system in one step (renameat2 of Linux 3.15, RENAME_EXCHANGE = 2):
// 0, or -1 with errno.
static inline int csystem_exchange(const char *first, const char *second) {
#ifdef SYS_renameat2
  return (int)syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, 2u);
#else
  (void)first;
  (void)second;
  errno = ENOSYS;
  return -1;
#endif
}

#endif
