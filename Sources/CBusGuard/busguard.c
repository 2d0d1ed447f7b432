// Bus errors of registered maps become a flag and a page of zeros.
#include "busguard.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the table holds; whoever finds it full reads the file instead of mapping it.
#define BUSGUARD_MAPS 4096

// A map that the handler mends. The handler reads it while others change it: atomics only, no lock.
struct busguard_map {
  uintptr_t start; // 0 is free; 1 is being filled in
  uintptr_t end;
  intptr_t lost; // where the first bytes were missing, counted from the start; -1 for none
};

static struct busguard_map busguard_maps[BUSGUARD_MAPS] = {{0, 0, 0}};
// No place from here on was ever used.
static uint32_t busguard_count = 0;
static uintptr_t busguard_page = 4096;
// The host's handler, to which everything else is passed on.
static struct sigaction busguard_before = {.sa_flags = 0};

// Puts a page of zeros where bytes of one of the maps are missing: 1, or 0 if the fault is not ours.
static int busguard_mend(const siginfo_t *info) {
  // Sent by a process, or an address that is not aligned: no page would cure it.
  if (info->si_code <= 0 || info->si_code == BUS_ADRALN) return 0;
  uintptr_t address = (uintptr_t)info->si_addr;
  uint32_t count = __atomic_load_n(&busguard_count, __ATOMIC_ACQUIRE);
  for (uint32_t place = 0; place < count; place++) {
    struct busguard_map *map = &busguard_maps[place];
    uintptr_t start = __atomic_load_n(&map->start, __ATOMIC_ACQUIRE);
    if (start <= 1 || address < start) continue;
    if (address >= __atomic_load_n(&map->end, __ATOMIC_RELAXED)) continue;
    uintptr_t page = address & ~(busguard_page - 1);
    // Before the page: another thread reads the zeros without a fault, and must find the flag then.
    intptr_t none = -1;
    __atomic_compare_exchange_n(&map->lost, &none, (intptr_t)(page - start), 0, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
#if defined(SYS_mmap) && UINTPTR_MAX > 0xFFFFFFFFu
    // Past the C library, whose function a sanitizer may have replaced by one that takes locks.
    long mapped = syscall(SYS_mmap, page, busguard_page, PROT_READ, flags, -1, 0);
#else
    long mapped = (long)mmap((void *)page, busguard_page, PROT_READ, flags, -1, 0);
#endif
    return mapped == (long)page;
  }
  return 0;
}

// Does what would have been done without this handler.
static void busguard_pass_on(int number, siginfo_t *info, void *context) {
  if (busguard_before.sa_flags & SA_SIGINFO) {
    busguard_before.sa_sigaction(number, info, context);
    return;
  }
  void (*handler)(int) = busguard_before.sa_handler;
  if (handler != SIG_DFL && handler != SIG_IGN) {
    handler(number);
    return;
  }
  // A fault cannot be ignored: the instruction would fault for ever.
  if (handler == SIG_IGN && info->si_code <= 0) return;
  struct sigaction standard = {.sa_flags = 0};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, NULL);
  // A fault comes again when the instruction is repeated; a signal that was sent has to be sent again.
  if (info->si_code <= 0) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

static void busguard_handler(int number, siginfo_t *info, void *context) {
  int error = errno;
  if (!busguard_mend(info)) busguard_pass_on(number, info, context);
  errno = error;
}

int busguard_install(void) {
  long page = sysconf(_SC_PAGESIZE);
  if (page > 0) busguard_page = (uintptr_t)page;
  // Asked first: once ours is installed, it must know where to pass things on.
  if (sigaction(SIGBUS, NULL, &busguard_before) != 0) return errno;
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  action.sa_sigaction = busguard_handler;
  action.sa_mask = busguard_before.sa_mask;
  return sigaction(SIGBUS, &action, NULL) == 0 ? 0 : errno;
}

int32_t busguard_add(const void *base, size_t length) {
  for (uint32_t place = 0; place < BUSGUARD_MAPS; place++) {
    struct busguard_map *map = &busguard_maps[place];
    uintptr_t free = 0;
    if (!__atomic_compare_exchange_n(&map->start, &free, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      continue;
    }
    // Reads may go on to the end of the last page.
    uintptr_t end = ((uintptr_t)base + length + busguard_page - 1) & ~(busguard_page - 1);
    __atomic_store_n(&map->end, end, __ATOMIC_RELAXED);
    __atomic_store_n(&map->lost, -1, __ATOMIC_RELAXED);
    __atomic_store_n(&map->start, (uintptr_t)base, __ATOMIC_RELEASE);
    uint32_t count = __atomic_load_n(&busguard_count, __ATOMIC_RELAXED);
    while (count <= place &&
           !__atomic_compare_exchange_n(&busguard_count, &count, place + 1, 1,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    return (int32_t)place;
  }
  return -1;
}

void busguard_remove(int32_t place) {
  __atomic_store_n(&busguard_maps[place].start, 0, __ATOMIC_RELEASE);
}

intptr_t busguard_lost(int32_t place) {
  return __atomic_load_n(&busguard_maps[place].lost, __ATOMIC_SEQ_CST);
}

void busguard_set_lost(int32_t place, intptr_t offset) {
  intptr_t none = -1;
  __atomic_compare_exchange_n(&busguard_maps[place].lost, &none, offset, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
}
