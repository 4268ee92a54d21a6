/* Everything a host can get wrong at the border, and what several threads do at once.
 * Exits with 0 when every answer is the one the header promises. */
#include "check.h"

#include <pthread.h>

static const char CAPABILITIES[] =
    "{\"schema_version\":1,\"request_id\":\"n1\",\"operation\":\"capabilities\",\"payload\":{}}";

static void null_and_zero(void)
{
    corecall_handle handle = 7;
    corecall_reply *reply = (corecall_reply *)&handle;
    corecall_slice slice;
    uint64_t done = 7, total = 7;

    CHECK(corecall_open(NULL, 0, NULL, &reply) == CORECALL_INVALID_ARGUMENT && reply == NULL);
    CHECK(corecall_open(NULL, 0, &handle, NULL) == CORECALL_INVALID_ARGUMENT && handle == 0);
    CHECK(corecall_open(NULL, 5, &handle, &reply) == CORECALL_INVALID_ARGUMENT && handle == 0);
    CHECK(reply_holds(reply, "\"argument.null\""));
    CHECK(corecall_open("", 0, &handle, &reply) == CORECALL_OK && handle != 0);
    corecall_reply_free(reply);

    CHECK(corecall_call(handle, 0, CAPABILITIES, sizeof CAPABILITIES - 1, NULL, 0, NULL) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_call(handle, 0, NULL, 9, NULL, 0, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"path\":\"request\""));
    CHECK(corecall_call(handle, 0, CAPABILITIES, SIZE_MAX, NULL, 0, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"argument.range\""));
    CHECK(corecall_call(handle, 0, NULL, 0, NULL, 0, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"json.syntax\""));
    CHECK(corecall_call(handle, 0, CAPABILITIES, sizeof CAPABILITIES - 1, NULL, 1, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"path\":\"attachments\""));
    CHECK(corecall_call(handle, 0, CAPABILITIES, sizeof CAPABILITIES - 1, NULL, SIZE_MAX, &reply) == CORECALL_LIMIT);
    CHECK(reply_holds(reply, "\"limit.attachments\""));
    corecall_slice hole = {NULL, 4};
    CHECK(corecall_call(handle, 0, CAPABILITIES, sizeof CAPABILITIES - 1, &hole, 1, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"path\":\"attachments[0]\""));

    CHECK(corecall_progress(handle, 1, NULL, &total) == CORECALL_INVALID_ARGUMENT && total == 0);
    CHECK(corecall_progress(handle, 1, &done, NULL) == CORECALL_INVALID_ARGUMENT && done == 0);
    CHECK(corecall_progress(handle, 1, &done, &total) == CORECALL_NOT_FOUND);
    CHECK(corecall_progress(handle, 0, &done, &total) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_cancel(handle, 1) == CORECALL_NOT_FOUND);
    CHECK(corecall_cancel(handle, 0) == CORECALL_OK);

    CHECK(corecall_capabilities(NULL) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_log_drain(NULL) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_log_set(-1, NULL, NULL) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_log_set(CORECALL_LOG_DEBUG + 1, NULL, NULL) == CORECALL_INVALID_ARGUMENT);

    CHECK(corecall_capabilities(&reply) == CORECALL_OK);
    CHECK(corecall_reply_json(NULL, &slice) == CORECALL_INVALID_ARGUMENT && slice.data == NULL && slice.len == 0);
    CHECK(corecall_reply_json(reply, NULL) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_reply_attachment(NULL, 0, &slice) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_reply_attachment(reply, 0, NULL) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_reply_attachment(reply, 0, &slice) == CORECALL_NOT_FOUND);
    CHECK(corecall_reply_attachment(reply, SIZE_MAX, &slice) == CORECALL_NOT_FOUND && slice.data == NULL);
    corecall_reply_free(reply);
    corecall_reply_free(NULL);

    /* Misaligned outputs are refused like NULL, and nothing is written through them. */
    _Alignas(16) char room[64];
    memset(room, 1, sizeof room);
    CHECK(corecall_capabilities((corecall_reply **)(void *)(room + 1)) == CORECALL_INVALID_ARGUMENT);
    CHECK(corecall_reply_json((const corecall_reply *)(void *)(room + 1), &slice) == CORECALL_INVALID_ARGUMENT);
    for (size_t at = 0; at < sizeof room; at++)
        CHECK(room[at] == 1);
    CHECK(corecall_close(handle) == CORECALL_OK);
}

static void versions_and_names(void)
{
    CHECK(corecall_abi_version() == CORECALL_ABI_VERSION);
    CHECK(strlen(corecall_version()) >= 5);
    CHECK(strcmp(corecall_status_name(CORECALL_OK), "OK") == 0);
    CHECK(strcmp(corecall_status_name(CORECALL_DENIED), "DENIED") == 0);
    CHECK(strcmp(corecall_status_name(-5), "UNKNOWN") == 0);
}

static void handles(void)
{
    corecall_reply *reply;
    corecall_handle first = open_core("{}");
    CHECK(status_of(first, 0, "capabilities", "null") == CORECALL_OK);
    CHECK(corecall_close(first) == CORECALL_OK);
    CHECK(corecall_close(first) == CORECALL_CLOSED);
    CHECK(corecall_cancel(first, 0) == CORECALL_CLOSED);
    CHECK(call_with(first, 0, "capabilities", "{}", NULL, 0, &reply) == CORECALL_CLOSED);
    CHECK(reply_holds(reply, "\"request_id\":\"n1\",\"error\":{\"code\":12,\"name\":\"handle.closed\""));

    corecall_handle second = open_core("");
    CHECK(second != first);
    CHECK(status_of(first, 0, "capabilities", "{}") == CORECALL_CLOSED);
    const corecall_handle never[] = {0, 1, UINT64_MAX, second + 1, second | 0xffffffff, second + ((uint64_t)1 << 40)};
    for (size_t at = 0; at < sizeof never / sizeof *never; at++) {
        CHECK(status_of(never[at], 0, "capabilities", "{}") == CORECALL_INVALID_ARGUMENT);
        CHECK(corecall_close(never[at]) == CORECALL_INVALID_ARGUMENT);
    }
    CHECK(status_of(second, 0, "capabilities", "{}") == CORECALL_OK);
    CHECK(corecall_close(second) == CORECALL_OK);

    /* Replies outlive their handle. */
    corecall_handle third = open_core("{}");
    CHECK(call_with(third, 0, "capabilities", "{}", NULL, 0, &reply) == CORECALL_OK);
    CHECK(corecall_close(third) == CORECALL_OK);
    CHECK(reply_holds(reply, "\"association_contract\":1"));
}

static void handle_limit(void)
{
    enum { LIMIT = 4096 };
    static corecall_handle open[LIMIT];
    for (size_t at = 0; at < LIMIT; at++)
        open[at] = open_core("{}");
    corecall_handle handle;
    corecall_reply *reply;
    CHECK(corecall_open("{}", 2, &handle, &reply) == CORECALL_LIMIT && handle == 0);
    CHECK(reply_holds(reply, "\"limit.handles\""));
    for (size_t at = 0; at < LIMIT; at++)
        CHECK(corecall_close(open[at]) == CORECALL_OK);
}

struct malformed {
    const char *bytes;
    size_t len;
    int32_t status;
    const char *name;
};

#define BYTES(text) text, sizeof text - 1
#define REQUEST(operation, payload)                                                                            \
    BYTES("{\"schema_version\":1,\"request_id\":\"\",\"operation\":\"" operation "\",\"payload\":" payload "}")

static void malformed_requests(void)
{
    static const struct malformed table[] = {
        {BYTES("\xff"), CORECALL_INVALID_ARGUMENT, "json.encoding"},
        {BYTES("{\"a\":\"\xc3\"}"), CORECALL_INVALID_ARGUMENT, "json.encoding"},
        {BYTES("{\"a\":\"\\ud800\"}"), CORECALL_INVALID_ARGUMENT, "json.encoding"},
        {BYTES("{\"a\":\0}"), CORECALL_INVALID_ARGUMENT, "json.syntax"},
        {BYTES("{}{}"), CORECALL_INVALID_ARGUMENT, "json.syntax"},
        {BYTES("{\"a\":1,\"a\":2}"), CORECALL_INVALID_ARGUMENT, "json.duplicate_key"},
        {BYTES("1e999"), CORECALL_INVALID_ARGUMENT, "json.number"},
        {BYTES("{\"schema_version\":2}"), CORECALL_VERSION, "schema.unsupported"},
        {REQUEST("no_such", "{}"), CORECALL_UNSUPPORTED, "operation.unknown"},
        {REQUEST("recall", "{\"text\":\"x\"}"), CORECALL_UNSUPPORTED, "operation.needs_library"},
        {REQUEST("capabilities", "{\"x\":1}"), CORECALL_INVALID_ARGUMENT, "argument.unknown"},
        {REQUEST("resident_release", "{}"), CORECALL_INVALID_ARGUMENT, "argument.missing"},
        {REQUEST("resident_release", "{\"resident_key\":1}"), CORECALL_INVALID_ARGUMENT, "argument.type"},
        {REQUEST("resident_release", "{\"resident_key\":\"r1\"}"), CORECALL_NOT_FOUND, "resident.unknown"},
    };
    corecall_handle core = open_core("{}");
    corecall_reply *reply;
    for (size_t at = 0; at < sizeof table / sizeof *table; at++) {
        char name[64];
        snprintf(name, sizeof name, "\"name\":\"%s\"", table[at].name);
        CHECK(corecall_call(core, 0, table[at].bytes, table[at].len, NULL, 0, &reply) == table[at].status);
        CHECK(reply_holds(reply, name));
    }
    CHECK(corecall_close(core) == CORECALL_OK);
    CHECK(corecall_open("{\"pth\":\"x\"}", 11, &core, &reply) == CORECALL_INVALID_ARGUMENT && core == 0);
    CHECK(reply_holds(reply, "\"path\":\"config.pth\""));
}

static const char VECTOR_QUERY[] =
    "{\"model\":\"host:test\",\"snapshots\":[{\"id\":\"a\",\"entry\":{\"id\":\"a\",\"title\":\"one\",\"content\":\"one\"}}],"
    "\"vectors\":{\"ids\":[\"a\"],\"data\":{\"$attachment\":0,\"dtype\":\"f32\",\"shape\":[1,2]}},"
    "\"query\":{\"text\":\"one\",\"limit\":1},\"query_vector\":{\"$attachment\":1,\"dtype\":\"f32\",\"shape\":[2]}}";

static int32_t vector_query(corecall_handle core, const corecall_slice *attachments, size_t count, corecall_reply **reply)
{
    return call_with(core, 0, "query", VECTOR_QUERY, attachments, count, reply);
}

static void attachments(void)
{
    corecall_handle core = open_core("{}");
    corecall_reply *reply;
    static const float row[2] = {3, 4}, query[3] = {6, 8, 1};
    corecall_slice both[3] = {{row, sizeof row}, {query, 2 * sizeof(float)}, {NULL, 0}};

    CHECK(vector_query(core, both, 2, &reply) == CORECALL_OK);
    CHECK(reply_holds(reply, "\"hits\":[{\"id\":\"a\",\"score\":"));
    CHECK(vector_query(core, both, 1, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"name\":\"attachment.index\""));
    CHECK(vector_query(core, both, 3, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"name\":\"attachment.unused\""));
    both[1].len = sizeof query;
    CHECK(vector_query(core, both, 2, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"name\":\"attachment.shape\""));
    both[1].len = 7;
    CHECK(vector_query(core, both, 2, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"name\":\"attachment.shape\""));

    /* Bytes that lie anywhere are read as well as aligned ones. */
    char unaligned[16];
    memcpy(unaligned + 1, row, sizeof row);
    both[0].data = unaligned + 1;
    both[1].len = 2 * sizeof(float);
    CHECK(vector_query(core, both, 2, &reply) == CORECALL_OK);
    corecall_reply_free(reply);

    static const uint32_t infinity = 0x7f800000;
    memcpy(unaligned + 1, &infinity, sizeof infinity);
    CHECK(vector_query(core, both, 2, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"name\":\"attachment.nonfinite\""));
    static const float zero[2] = {0, 0};
    both[0].data = zero;
    CHECK(vector_query(core, both, 2, &reply) == CORECALL_INVALID_ARGUMENT);
    CHECK(reply_holds(reply, "\"name\":\"vector.zero\",\"message\""));

    /* Attachments come out aligned to 64 bytes, and go in again. */
    CHECK(call_with(core, 0, "prepare", "{\"model\":\"test-hash:96\",\"entries\":[{\"id\":\"a\",\"content\":\"one two\"},"
                    "{\"id\":\"b\",\"content\":\"three\"}]}", NULL, 0, &reply) == CORECALL_OK);
    corecall_slice artifact[2];
    for (size_t at = 0; at < 2; at++) {
        CHECK(corecall_reply_attachment(reply, at, &artifact[at]) == CORECALL_OK);
        CHECK(artifact[at].len > 0 && (uintptr_t)artifact[at].data % 64 == 0);
    }
    char payload[512];
    snprintf(payload, sizeof payload,
             "{\"model\":\"test-hash:96\",\"snapshots\":[{\"id\":\"a\",\"features\":{\"artifact\":{\"$attachment\":0,"
             "\"dtype\":\"u8\",\"shape\":[%zu]}}}]}", artifact[0].len);
    corecall_reply *published;
    CHECK(call_with(core, 0, "resident_publish", payload, artifact, 1, &published) == CORECALL_OK);
    CHECK(reply_holds(published, "\"result\":{\"resident_key\":\"r1\",\"indexed\":1}"));
    corecall_reply_free(reply);
    CHECK(corecall_close(core) == CORECALL_OK);
}

static corecall_handle shared;

/* Calls under one ticket from two threads, and cancels: only the promised statuses may come out. */
static void *race(void *seed)
{
    unsigned int state = *(unsigned int *)seed;
    for (int round = 0; round < 300; round++) {
        state = state * 1664525u + 1013904223u;
        uint64_t ticket = (state >> 16) % 3;
        int32_t status = status_of(shared, ticket, "prepare",
                                   "{\"model\":\"test-hash:64\",\"entries\":[{\"id\":\"a\",\"content\":\"one\"},"
                                   "{\"id\":\"b\",\"content\":\"two\"},{\"id\":\"c\",\"content\":\"three\"}]}");
        CHECK(status == CORECALL_OK || status == CORECALL_CANCELLED || status == CORECALL_CLOSED ||
              (status == CORECALL_CONFLICT && ticket != 0));
        status = corecall_cancel(shared, (state >> 20) % 3);
        CHECK(status == CORECALL_OK || status == CORECALL_NOT_FOUND || status == CORECALL_CLOSED);
        uint64_t done, total;
        status = corecall_progress(shared, 1, &done, &total);
        CHECK(status == CORECALL_OK || status == CORECALL_NOT_FOUND || status == CORECALL_CLOSED);
        CHECK(done <= total);
    }
    return NULL;
}

static void threads(int close_meanwhile)
{
    enum { THREADS = 4 };
    pthread_t running[THREADS];
    unsigned int seeds[THREADS];
    shared = open_core("{}");
    for (unsigned int at = 0; at < THREADS; at++) {
        seeds[at] = at * 7919u + 1u;
        CHECK(pthread_create(&running[at], NULL, race, &seeds[at]) == 0);
    }
    if (close_meanwhile)
        CHECK(corecall_close(shared) == CORECALL_OK);
    for (size_t at = 0; at < THREADS; at++)
        CHECK(pthread_join(running[at], NULL) == 0);
    CHECK(corecall_close(shared) == (close_meanwhile ? CORECALL_CLOSED : CORECALL_OK));
}

struct records {
    corecall_handle core;
    int count;
};

static void reenter(void *userdata, int32_t level, const char *text, size_t len)
{
    struct records *records = userdata;
    corecall_reply *reply;
    corecall_slice json;
    CHECK(level == CORECALL_LOG_DEBUG && text != NULL && len > 0);
    CHECK(call_with(records->core, 0, "capabilities", "{}", NULL, 0, &reply) == CORECALL_BUSY);
    CHECK(corecall_reply_json(reply, &json) == CORECALL_BUSY);
    corecall_reply_free(reply);
    CHECK(corecall_close(records->core) == CORECALL_BUSY);
    CHECK(corecall_log_set(CORECALL_LOG_OFF, NULL, NULL) == CORECALL_BUSY);
    records->count++;
}

static void logging(void)
{
    corecall_reply *reply;
    struct records *records = malloc(sizeof *records);
    CHECK(records != NULL);
    records->core = open_core("{}");
    records->count = 0;
    CHECK(corecall_log_set(CORECALL_LOG_DEBUG, reenter, records) == CORECALL_OK);
    CHECK(status_of(records->core, 0, "capabilities", "{}") == CORECALL_OK);
    CHECK(records->count == 1);
    CHECK(corecall_log_set(CORECALL_LOG_DEBUG, NULL, NULL) == CORECALL_OK);
    CHECK(status_of(records->core, 0, "capabilities", "{}") == CORECALL_OK);
    CHECK(records->count == 1);
    CHECK(corecall_log_drain(&reply) == CORECALL_OK);
    CHECK(reply_holds(reply, "\"result\":[{\"level\":4,\"text\":\"capabilities: OK, 0 attachments in\"}]"));
    CHECK(corecall_log_drain(&reply) == CORECALL_OK);
    CHECK(reply_holds(reply, "\"result\":[]"));
    CHECK(corecall_log_set(CORECALL_LOG_OFF, NULL, NULL) == CORECALL_OK);
    CHECK(corecall_close(records->core) == CORECALL_OK);
    free(records);
}

int main(void)
{
    versions_and_names();
    null_and_zero();
    handles();
    handle_limit();
    malformed_requests();
    attachments();
    threads(0);
    threads(1);
    logging();
    return 0;
}
