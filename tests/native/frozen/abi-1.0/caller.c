/* A host of ABI 1.0, built with the header of its day and run against today's library. Never changed: if it
 * doesn't build or run any more, the library broke its promise. */
#include "corecall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                       \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                           \
        }                                                                                                      \
    } while (0)

static void ignore(void *userdata, int32_t level, const char *text, size_t len)
{
    (void)userdata, (void)level, (void)text, (void)len;
}

static int holds(corecall_reply *reply, const char *text)
{
    corecall_slice json;
    CHECK(corecall_reply_json(reply, &json) == 0);
    size_t length = strlen(text);
    int found = 0;
    for (size_t at = 0; at + length <= json.len && !found; at++)
        found = memcmp((const char *)json.data + at, text, length) == 0;
    if (!found)
        fprintf(stderr, "%s\n%.*s\n", text, (int)json.len, (const char *)json.data);
    corecall_reply_free(reply);
    return found;
}

static int32_t call(corecall_handle core, uint64_t ticket, const char *operation, const char *payload,
                    const corecall_slice *attachments, size_t count, corecall_reply **reply)
{
    char request[2048];
    int length = snprintf(request, sizeof request,
                          "{\"schema_version\":1,\"request_id\":\"f\",\"operation\":\"%s\",\"payload\":%s,"
                          "\"require\":{\"related_business\":1},\"hints\":{\"any\":true}}", operation, payload);
    return corecall_call(core, ticket, request, (size_t)length, attachments, count, reply);
}

int main(void)
{
    CHECK(corecall_abi_version() >> 16 == 1);
    CHECK(strlen(corecall_version()) > 0);
    CHECK(strcmp(corecall_status_name(9), "CONFLICT") == 0);
    CHECK(CORECALL_OK == 0 && CORECALL_CLOSED == 12 && CORECALL_DENIED == 17);

    corecall_reply *reply = NULL;
    CHECK(corecall_capabilities(&reply) == 0);
    CHECK(holds(reply, "\"schema_version\":{\"min\":1,"));
    CHECK(corecall_log_set(CORECALL_LOG_ERROR, ignore, NULL) == 0);
    CHECK(corecall_log_set(CORECALL_LOG_OFF, NULL, NULL) == 0);
    CHECK(corecall_log_drain(&reply) == 0);
    CHECK(holds(reply, "\"result\":["));

    corecall_handle core = 0;
    CHECK(corecall_open("{}", 2, &core, &reply) == 0 && core != 0);
    CHECK(holds(reply, "{\"schema_version\":1,\"request_id\":\"\",\"result\":{}}"));
    CHECK(call(core, 1, "resident_publish",
               "{\"model\":\"none\",\"snapshots\":[{\"id\":\"a\",\"entry\":{\"id\":\"a\",\"title\":\"old\"}},"
               "{\"id\":\"b\",\"entry\":{\"id\":\"b\",\"title\":\"new\",\"supersedes\":\"a\"}}]}", NULL, 0, &reply) == 0);
    CHECK(holds(reply, "\"result\":{\"resident_key\":\"r1\",\"indexed\":2}"));
    CHECK(call(core, 1, "related_business",
               "{\"model\":\"none\",\"resident_key\":\"r1\",\"query\":{\"text\":\"x\",\"limit\":5},\"ids\":[\"a\"],\"pairs\":[]}",
               NULL, 0, &reply) == 0);
    CHECK(holds(reply, "\"result\":{\"related\":[{\"id\":\"b\",\"title\":\"new\",\"source_id\":\"a\","
                       "\"relation\":\"new_version\"}],\"superseded\":{\"a\":\"b\"}}"));

    static const float vectors[2][2] = {{1, 0}, {0, 1}}, near_first[2] = {2, 1};
    corecall_slice attachments[] = {{vectors, sizeof vectors}, {near_first, sizeof near_first}};
    CHECK(call(core, 0, "query",
               "{\"model\":\"host:f\",\"snapshots\":[{\"id\":\"a\",\"entry\":{\"id\":\"a\",\"content\":\"one\"}},"
               "{\"id\":\"b\",\"entry\":{\"id\":\"b\",\"content\":\"two\"}}],"
               "\"vectors\":{\"ids\":[\"a\",\"b\"],\"data\":{\"$attachment\":0,\"dtype\":\"f32\",\"shape\":[2,2]}},"
               "\"query\":{\"text\":\"\",\"limit\":1},\"query_vector\":{\"$attachment\":1,\"dtype\":\"f32\",\"shape\":[2]}}",
               attachments, 2, &reply) == 0);
    CHECK(holds(reply, "\"hits\":[{\"id\":\"a\","));
    CHECK(call(core, 0, "prepare", "{\"model\":\"test-hash:8\",\"entries\":[{\"id\":\"a\",\"content\":\"one\"}]}", NULL, 0,
               &reply) == 0);
    corecall_slice bytes;
    CHECK(corecall_reply_attachment(reply, 0, &bytes) == 0 && bytes.len > 0);
    corecall_reply_free(reply);

    CHECK(call(core, 0, "no_such_operation", "{}", NULL, 0, &reply) == CORECALL_UNSUPPORTED);
    CHECK(holds(reply, "\"request_id\":\"f\",\"error\":{\"code\":3,\"name\":\"operation.unknown\",\"message\":"));
    uint64_t done, total;
    CHECK(corecall_progress(core, 4, &done, &total) == CORECALL_NOT_FOUND);
    CHECK(corecall_cancel(core, 0) == 0);
    CHECK(corecall_close(core) == 0);
    CHECK(corecall_close(core) == CORECALL_CLOSED);
    return 0;
}
