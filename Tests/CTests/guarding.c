/* Guarded maps: a segment file that is cut short is an error, and other bus errors are the host's. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile sig_atomic_t calls;

static void count(int number, siginfo_t *info, void *context) {
  (void)context;
  if (number == SIGBUS && info->si_code <= 0) calls++;
}

/* The largest file of the index: its segment. */
static off_t largest(const char *folder, char *path, size_t room) {
  off_t size = -1;
  DIR *list = opendir(folder);
  CHECK(list != NULL);
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    char name[4096];
    struct stat status;
    snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
    if (strncmp(entry->d_name, "segment.", 8) != 0 || stat(name, &status) != 0) continue;
    if (status.st_size > size) {
      size = status.st_size;
      snprintf(path, room, "%s", name);
    }
  }
  closedir(list);
  CHECK(size > 0);
  return size;
}

static void fill(const char *folder) {
  lime_index *index;
  OK(lime_index_open(folder, NULL, &index));
  for (int batch = 0; batch < 10; batch++) {
    char lines[100000];
    size_t length = 0;
    for (int number = 0; number < 200; number++) {
      length += (size_t)snprintf(
          lines + length, sizeof lines - length,
          "{\"id\":\"%d\",\"attributes\":{\"title\":\"lime %d\",\"textContent\":\"%d %d %d\"}}\n",
          batch * 200 + number, number, number * 7, batch * 13, number * batch);
    }
    OK(lime_index_put_lines(index, lines, length, NULL, NULL));
  }
  OK(lime_index_merge(index, 1, NULL));
  OK(lime_index_close(index));
}

/* A thread that asks without end, until it is told of the damage. */
static void *ask(void *context) {
  for (;;) {
    uint64_t total;
    lime_status status = lime_index_count_text(context, TEXT("lime 1"), NULL, &total);
    if (status == LIME_ERROR_DAMAGED) return NULL;
    CHECK(status == LIME_OK && total > 0);
  }
}

int main(int argc, char **argv) {
  char file[4096];
  pthread_t threads[4];
  uint64_t total;
  lime_index *index;
  lime_results *results;
  lime_item *item;
  const char *text;
  CHECK(argc == 2);
  alarm(120);
  fill(argv[1]);
  off_t size = largest(argv[1], file, sizeof file);

  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = count;
  CHECK(sigaction(SIGBUS, &action, NULL) == 0);
  lime_open_options options = LIME_OPEN_OPTIONS_INIT;
  options.flags = LIME_OPEN_READ_ONLY | LIME_OPEN_GUARD_MAPS | LIME_OPEN_READ_FILES;
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_open(argv[1], &options, &index));
  options.flags = LIME_OPEN_READ_ONLY | LIME_OPEN_GUARD_MAPS;
  OK(lime_index_open(argv[1], &options, &index));
  OK(lime_index_search(index, TEXT("lime"), 10, NULL, &results));
  OK(lime_results_id(results, 0, &text, NULL));
  /* A signal that somebody sends goes on to the host. */
  CHECK(kill(getpid(), SIGBUS) == 0);
  CHECK(calls == 1);

  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, ask, index) == 0);
  usleep(20000);
  CHECK(truncate(file, size / 3) == 0);
  for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  EXPECT(LIME_ERROR_DAMAGED, lime_index_count_text(index, TEXT("lime"), NULL, &total));
  CHECK(strstr(lime_last_error_json(), "\"file\":\"segment.") != NULL);
  CHECK(strstr(lime_last_error_json(), "\"offset\":") != NULL);
  EXPECT(LIME_ERROR_DAMAGED, lime_index_get(index, TEXT("77"), &item));
  EXPECT(LIME_ERROR_DAMAGED, lime_results_item(results, 3, &item));
  size_t problems;
  OK(lime_index_verify(index, NULL, &problems, NULL));
  CHECK(problems > 0);
  OK(lime_results_free(results));
  OK(lime_index_close(index));
  CHECK(calls == 1);

  /* The promise that nobody else writes is kept in one process. */
  lime_index *other;
  options.flags = LIME_OPEN_SOLE_WRITER;
  char second[4200];
  snprintf(second, sizeof second, "%s.sole", argv[1]);
  OK(lime_index_open(second, &options, &index));
  OK(lime_index_put_lines(index, TEXT("{\"id\":\"1\"}"), NULL, NULL));
  EXPECT(LIME_ERROR_LOCKED, lime_index_open(second, &options, &other));
  OK(lime_index_close(index));
  lime_repair_options repairing = LIME_REPAIR_OPTIONS_INIT;
  repairing.flags = LIME_REPAIR_SOLE_WRITER;
  OK(lime_repair(second, &repairing, &problems, NULL));
  CHECK(problems == 0);

  /* A fault in a map of the host's own ends the process as it did without the library. */
  CHECK(signal(SIGBUS, SIG_DFL) != SIG_ERR);
  pid_t process = fork();
  CHECK(process >= 0);
  if (process == 0) {
    OK(lime_index_open_memory(NULL, &index));
    FILE *own = tmpfile();
    CHECK(own != NULL && ftruncate(fileno(own), 4096) == 0);
    volatile char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(own), 0);
    CHECK(map != MAP_FAILED && ftruncate(fileno(own), 0) == 0);
    _exit(map[0]);
  }
  int status;
  CHECK(waitpid(process, &status, 0) == process);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
  return 0;
}
