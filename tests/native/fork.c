/* What a forked child may do: everything, unless a library was open at the fork; then nothing.
 * Usage: fork <path of a library file to make> <how often to fork while other threads call> */
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static const char SET[] = "{\"model\":\"none\",\"snapshots\":[{\"id\":\"a\",\"entry\":{\"id\":\"a\",\"title\":\"one\"}}]}";
static const char QUERY[] = "{\"model\":\"none\",\"resident_key\":\"r1\",\"query\":{\"text\":\"one\",\"limit\":1}}";

static void expect_clean_exit(pid_t child)
{
    int outcome = 0;
    CHECK(child > 0 && waitpid(child, &outcome, 0) == child);
    CHECK(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0);
}

static void without_a_library(void)
{
    corecall_handle core = open_core("{}");
    CHECK(status_of(core, 0, "resident_publish", SET) == CORECALL_OK);
    pid_t child = fork();
    if (child == 0) {
        CHECK(status_of(core, 0, "query", QUERY) == CORECALL_OK);
        corecall_handle own = open_core("{\"path\":\":memory:\"}");
        CHECK(status_of(own, 0, "status", "{}") == CORECALL_OK);
        CHECK(corecall_close(own) == CORECALL_OK);
        CHECK(corecall_close(core) == CORECALL_OK);
        _exit(0);
    }
    expect_clean_exit(child);
    CHECK(status_of(core, 0, "query", QUERY) == CORECALL_OK);
    CHECK(corecall_close(core) == CORECALL_OK);
}

static corecall_handle busy;
static volatile int stop;

static void *keep_calling(void *ticket)
{
    while (!stop) {
        CHECK(status_of(busy, *(uint64_t *)ticket, "query", QUERY) == CORECALL_OK);
        CHECK(corecall_close(open_core("{}")) == CORECALL_OK);
    }
    return NULL;
}

static void counted(void *userdata, int32_t level, const char *text, size_t len)
{
    (void)level, (void)text, (void)len;
    __atomic_add_fetch((long *)userdata, 1, __ATOMIC_RELAXED);
}

/* Whatever lock another thread holds at the fork, the child doesn't hang on it. */
static void while_other_threads_call(int rounds)
{
    pthread_t running[2];
    uint64_t tickets[2] = {1, 2};
    long records = 0;
    busy = open_core("{}");
    CHECK(status_of(busy, 0, "resident_publish", SET) == CORECALL_OK);
    CHECK(corecall_log_set(CORECALL_LOG_DEBUG, counted, &records) == CORECALL_OK);
    for (size_t at = 0; at < 2; at++)
        CHECK(pthread_create(&running[at], NULL, keep_calling, &tickets[at]) == 0);
    for (int round = 0; round < rounds; round++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            corecall_handle own = open_core("{}");
            CHECK(status_of(own, 1, "capabilities", "{}") == CORECALL_OK);
            CHECK(corecall_log_set(CORECALL_LOG_OFF, NULL, NULL) == CORECALL_OK);
            CHECK(corecall_close(own) == CORECALL_OK);
            CHECK(corecall_close(busy) == CORECALL_OK);
            _exit(0);
        }
        expect_clean_exit(child);
    }
    stop = 1;
    for (size_t at = 0; at < 2; at++)
        CHECK(pthread_join(running[at], NULL) == 0);
    CHECK(corecall_log_set(CORECALL_LOG_OFF, NULL, NULL) == CORECALL_OK);
    CHECK(corecall_close(busy) == CORECALL_OK);
}

static void with_a_library(const char *path)
{
    char config[4200];
    snprintf(config, sizeof config, "{\"path\":\"%s\"}", path);
    corecall_handle core = open_core("{}"), library = open_core(config);
    CHECK(status_of(library, 0, "remember", "{\"content\":\"Before the fork.\"}") == CORECALL_OK);
    pid_t child = fork();
    if (child == 0) {
        corecall_handle handle;
        corecall_reply *reply;
        uint64_t done, total;
        const corecall_handle both[] = {core, library};
        for (size_t at = 0; at < 2; at++) {
            CHECK(call_with(both[at], 0, "capabilities", "{}", NULL, 0, &reply) == CORECALL_CLOSED);
            CHECK(reply_holds(reply, "\"name\":\"process.forked\""));
            CHECK(corecall_cancel(both[at], 0) == CORECALL_CLOSED);
            CHECK(corecall_progress(both[at], 1, &done, &total) == CORECALL_CLOSED);
            CHECK(corecall_close(both[at]) == CORECALL_CLOSED);
        }
        CHECK(corecall_open("{}", 2, &handle, &reply) == CORECALL_CLOSED && handle == 0);
        corecall_reply_free(reply);
        CHECK(corecall_capabilities(&reply) == CORECALL_CLOSED);
        corecall_reply_free(reply);
        CHECK(corecall_log_set(CORECALL_LOG_OFF, NULL, NULL) == CORECALL_CLOSED);
        CHECK(corecall_log_drain(&reply) == CORECALL_CLOSED);
        corecall_reply_free(reply);
        CHECK(corecall_abi_version() == CORECALL_ABI_VERSION);
        _exit(0);
    }
    expect_clean_exit(child);
    CHECK(status_of(library, 0, "remember", "{\"content\":\"After the fork.\"}") == CORECALL_OK);
    CHECK(corecall_close(library) == CORECALL_OK);

    /* Once the library is closed, children work again. */
    child = fork();
    if (child == 0) {
        CHECK(status_of(core, 0, "capabilities", "{}") == CORECALL_OK);
        CHECK(corecall_close(open_core(config)) == CORECALL_OK);
        _exit(0);
    }
    expect_clean_exit(child);
    CHECK(corecall_close(core) == CORECALL_OK);
}

int main(int count, char **arguments)
{
    CHECK(count == 3);
    without_a_library();
    while_other_threads_call(atoi(arguments[2]));
    with_a_library(arguments[1]);
    return 0;
}
