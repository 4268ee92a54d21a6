/* The callers' programme (../README.md) in C; the contract cases are played by ../../contract/runner.c.
 *
 *     cc programme.c $(pkg-config --cflags --libs corecall) -pthread -o programme && ./programme
 */
#include <corecall.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, COLUMNS = 4096, MEBIBYTE = 1 << 20, ROOM = MEBIBYTE };

static corecall_handle core;
static char request[ROOM]; /* written while one thread runs */

static void *checked(void *data)
{
    if (data == NULL) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    return data;
}

/* Appends to `request` as printf does. */
#define ADD(...) (used += (size_t)snprintf(request + used, used < ROOM ? ROOM - used : 0, __VA_ARGS__))

/* Writes a request around a payload that `fill` appends. */
static size_t build(const char *operation, size_t (*fill)(size_t used, const void *with), const void *with)
{
    size_t used = 0;
    ADD("{\"schema_version\":1,\"request_id\":\"caller\",\"operation\":\"%s\",\"payload\":", operation);
    used = fill(used, with);
    ADD("}");
    if (used >= ROOM) {
        fprintf(stderr, "%s: the request is too long\n", operation);
        exit(2);
    }
    return used;
}

static size_t text(size_t used, const void *payload)
{
    ADD("%s", (const char *)payload);
    return used;
}

/* Prints a status and a reply, with a `*` for an error's message, and frees it. */
static void show(const char *name, int32_t status, corecall_reply *reply)
{
    static const char start[] = ",\"message\":\"", end[] = "\",\"path\":";
    corecall_slice view = {NULL, 0};
    corecall_reply_json(reply, &view);
    char *json = checked(calloc(view.len + 1, 1));
    if (view.len > 0)
        memcpy(json, view.data, view.len);
    char *message = status != 0 ? strstr(json, start) : NULL;
    char *tail = message == NULL ? NULL : strstr(message, end);
    if (tail != NULL) {
        message += sizeof start - 1;
        printf("%s: %d %.*s*%s\n", name, (int)status, (int)(message - json), json, tail);
    } else {
        printf("%s: %d %s\n", name, (int)status, json);
    }
    free(json);
    corecall_reply_free(reply);
}

/* -- Two threads at once ------------------------------------------------------------------------------- */

static size_t request_len;
static corecall_slice alone;

static void *ask(void *same)
{
    for (int round = 0; round < 100; round++) {
        corecall_reply *reply = NULL;
        corecall_slice json = {NULL, 0};
        int32_t status = corecall_call(core, 0, request, request_len, NULL, 0, &reply);
        corecall_reply_json(reply, &json);
        *(int *)same += status == CORECALL_OK && json.len == alone.len && memcmp(json.data, alone.data, json.len) == 0;
        corecall_reply_free(reply);
    }
    return NULL;
}

static void threads(void)
{
    corecall_reply *reply = NULL;
    pthread_t workers[2];
    int same[2] = {0, 0};
    request_len = build("prepare", text,
                        "{\"model\":\"test-hash:64\",\"entries\":[{\"id\":\"a\",\"content\":\"two threads at once\"}]}");
    corecall_call(core, 0, request, request_len, NULL, 0, &reply);
    corecall_reply_json(reply, &alone);
    for (int at = 0; at < 2; at++)
        if (pthread_create(&workers[at], NULL, ask, &same[at]) != 0)
            exit(2);
    for (int at = 0; at < 2; at++)
        pthread_join(workers[at], NULL);
    corecall_reply_free(reply);
    printf("threads: %d replies as alone\n", same[0] + same[1]);
}

/* -- Cancel from another thread ------------------------------------------------------------------------ */

static corecall_reply *cancelled;
static int32_t cancelled_status;
static atomic_int returned;

static size_t long_call(size_t used, const void *with)
{
    ADD("%s", (const char *)with);
    for (int number = 0; number < 5000; number++)
        ADD("%s{\"id\":\"m%d\",\"content\":\"a long call\"}", number > 0 ? "," : "", number);
    ADD("]}");
    return used;
}

static void *until_cancelled(void *unused)
{
    for (int round = 0; round < 100 && cancelled_status == CORECALL_OK; round++) {
        corecall_reply_free(cancelled);
        cancelled_status = corecall_call(core, 7, request, request_len, NULL, 0, &cancelled);
    }
    atomic_store(&returned, 1);
    return unused;
}

static void cancel(void)
{
    pthread_t worker;
    request_len = build("prepare", long_call, "{\"model\":\"test-hash:256\",\"entries\":[");
    if (pthread_create(&worker, NULL, until_cancelled, NULL) != 0)
        exit(2);
    while (!atomic_load(&returned))
        corecall_cancel(core, 7);
    pthread_join(worker, NULL);
    show("cancel", cancelled_status, cancelled);
}

/* -- 1 MiB in and out ---------------------------------------------------------------------------------- */

struct published {
    const char *model, *vectors;
    const corecall_slice *artifacts;
};

static size_t snapshots(size_t used, const void *with)
{
    const struct published *set = with;
    ADD("{\"model\":\"%s\",\"snapshots\":[", set->model);
    for (int row = 0; row < ROWS; row++) {
        ADD("%s{\"id\":\"m%d\",\"entry\":{\"id\":\"m%d\",\"title\":\"t%d\"}", row > 0 ? "," : "", row, row, row);
        if (set->artifacts != NULL)
            ADD(",\"features\":{\"artifact\":{\"$attachment\":%d,\"dtype\":\"u8\",\"shape\":[%zu]}}", row,
                set->artifacts[row].len);
        ADD("}");
    }
    ADD("]");
    if (set->vectors != NULL) {
        ADD(",\"vectors\":{\"ids\":[");
        for (int row = 0; row < ROWS; row++)
            ADD("%s\"m%d\"", row > 0 ? "," : "", row);
        ADD("],\"data\":%s}", set->vectors);
    }
    ADD("}");
    return used;
}

static size_t entries(size_t used, const void *with)
{
    ADD("%s", (const char *)with);
    for (int row = 0; row < ROWS; row++)
        ADD("%s{\"id\":\"m%d\",\"content\":\"%d\"}", row > 0 ? "," : "", row, 1000 + row / 2);
    ADD("]}");
    return used;
}

static void call(const char *name, size_t len, const corecall_slice *attachments, size_t count)
{
    corecall_reply *reply = NULL;
    int32_t status = corecall_call(core, 0, request, len, attachments, count, &reply);
    show(name, status, reply);
}

static void related(const char *model_and_key)
{
    char payload[512];
    snprintf(payload, sizeof payload,
             "{%s,\"query\":{\"text\":\"\",\"limit\":1},\"ids\":[\"m5\"],\"pairs\":[],"
             "\"related_settings\":{\"relations\":[\"neighbor\"]}}",
             model_and_key);
    call("related", build("related_business", text, payload), NULL, 0);
}

static void mebibyte(void)
{
    /* 64 rows of 4,096 numbers are 1 MiB; each two rows are equal, so m4 is the neighbour of m5. */
    float *rows = checked(calloc(ROWS * COLUMNS, sizeof *rows));
    for (int row = 0; row < ROWS; row++)
        rows[row * COLUMNS + row / 2] = 1;
    corecall_slice vectors = {rows, ROWS * COLUMNS * sizeof *rows};
    struct published set = {"host:caller", "{\"$attachment\":0,\"dtype\":\"f32\",\"shape\":[64,4096]}", NULL};
    call("1 MiB in", build("resident_publish", snapshots, &set), &vectors, 1);
    free(rows);
    related("\"model\":\"host:caller\",\"resident_key\":\"r1\"");

    corecall_reply *prepared = NULL;
    size_t len = build("prepare", entries, "{\"model\":\"test-hash:4096\",\"entries\":[");
    corecall_call(core, 0, request, len, NULL, 0, &prepared);
    corecall_slice out[ROWS + 1];
    size_t count = 0, size = 0;
    while (count <= ROWS && corecall_reply_attachment(prepared, count, &out[count]) == CORECALL_OK)
        size += out[count++].len;
    printf("attachments out: %zu, %s\n", count, size >= MEBIBYTE ? "1 MiB or more" : "less than 1 MiB");
    if (count == ROWS) {
        struct published again = {"test-hash:4096", NULL, out};
        call("and in again", build("resident_publish", snapshots, &again), out, count);
    }
    corecall_reply_free(prepared);
    related("\"model\":\"test-hash:4096\",\"resident_key\":\"r2\"");
}

int main(void)
{
    corecall_reply *reply = NULL;
    if (corecall_open(NULL, 0, &core, &reply) != CORECALL_OK)
        return 2;
    corecall_reply_free(reply);
    corecall_reply_free(NULL);
    threads();
    cancel();
    mebibyte();
    corecall_slice nothing = {NULL, 0};
    int32_t status = corecall_call(core, 0, NULL, 0, NULL, 0, &reply);
    show("no request", status, reply);
    call("empty attachment", build("capabilities", text, "{}"), &nothing, 1);
    printf("close: %d\n", (int)corecall_close(core));
    call("call after close", build("capabilities", text, "{}"), NULL, 0);
    printf("close again: %d\n", (int)corecall_close(core));
    return 0;
}
