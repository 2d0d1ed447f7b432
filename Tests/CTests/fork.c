/* A forked child: the parent's handles are errors there, and it can open its own. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static lime_index *index_;
static lime_results *results_;
static lime_item *item_;

static void *search(void *context) {
  volatile int *ends = context;
  while (!*ends) {
    lime_results *results;
    lime_item *item;
    OK(lime_index_search(index_, TEXT("lime"), 5, NULL, &results));
    OK(lime_item_new(&item));
    OK(lime_item_free(item));
    OK(lime_results_free(results));
  }
  return NULL;
}

static void child(const char *folder) {
  const char *text;
  uint64_t count;
  lime_index *own;
  lime_item *item;
  lime_results *results;
  EXPECT(LIME_ERROR_FORKED, lime_index_count(index_, &count));
  EXPECT(LIME_ERROR_FORKED, lime_index_put_lines(index_, TEXT("{}"), NULL, NULL));
  EXPECT(LIME_ERROR_FORKED, lime_index_flush(index_, &count));
  EXPECT(LIME_ERROR_FORKED, lime_index_durable_generation(index_, &count));
  EXPECT(LIME_ERROR_FORKED, lime_results_id(results_, 0, &text, NULL));
  EXPECT(LIME_ERROR_FORKED, lime_item_clear(item_));
  OK(lime_results_free(results_));
  OK(lime_item_free(item_));
  OK(lime_index_close(index_));
  OK(lime_index_close(index_));
  EXPECT(LIME_ERROR_LOCKED, lime_index_open(folder, NULL, &own));

  lime_open_options reading = LIME_OPEN_OPTIONS_INIT;
  reading.flags = LIME_OPEN_READ_ONLY;
  OK(lime_index_open(folder, &reading, &own));
  OK(lime_index_search(own, TEXT("lime"), 5, NULL, &results));
  OK(lime_results_id(results, 0, &text, NULL));
  CHECK(strcmp(text, "1") == 0);
  OK(lime_results_free(results));
  OK(lime_index_close(own));

  OK(lime_index_open_memory(NULL, &own));
  OK(lime_item_parse(TEXT("{\"id\":\"2\"}"), &item));
  OK(lime_index_put_item(own, item, NULL));
  OK(lime_index_commit(own));
  OK(lime_index_close(own));
}

int main(int argc, char **argv) {
  static const char *const note = "{\"id\":\"1\",\"attributes\":{\"title\":\"lime\"}}";
  pthread_t threads[4];
  volatile int ends = 0;
  uint64_t count, durable;
  lime_open_options journaled = LIME_OPEN_OPTIONS_INIT;
  CHECK(argc == 2);
  /* Its thread that syncs is at work while the process forks, and the child has none. */
  journaled.flags = LIME_OPEN_JOURNALED;
  OK(lime_index_open(argv[1], &journaled, &index_));
  OK(lime_index_put_lines(index_, note, LIME_TERMINATED, NULL, NULL));
  OK(lime_index_search(index_, TEXT("lime"), 5, NULL, &results_));
  OK(lime_item_new(&item_));
  for (int i = 0; i < 4; i++) {
    CHECK(pthread_create(&threads[i], NULL, search, (void *)&ends) == 0);
  }
  for (int round = 0; round < 20; round++) {
    pid_t process = fork();
    CHECK(process >= 0);
    if (process == 0) {
      alarm(60);
      child(argv[1]);
      _exit(0);
    }
    int status;
    OK(lime_index_put_lines(index_, note, LIME_TERMINATED, NULL, NULL));
    CHECK(waitpid(process, &status, 0) == process);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  ends = 1;
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  OK(lime_index_count(index_, &count));
  CHECK(count == 1);
  OK(lime_index_put_lines(index_, TEXT("{\"id\":\"2\"}"), NULL, NULL));
  OK(lime_index_flush(index_, &durable));
  CHECK(durable >= 22);
  OK(lime_index_close(index_));
  return 0;
}
