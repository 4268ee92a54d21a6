/* What the native tests share: one assertion, one call, one way to look into a reply. */
#ifndef CHECK_H
#define CHECK_H

#include <corecall.h>

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

/* Opens a core with a config, or ends the program. */
static inline corecall_handle open_core(const char *config)
{
    corecall_handle handle = 0;
    corecall_reply *reply = NULL;
    CHECK(corecall_open(config, strlen(config), &handle, &reply) == CORECALL_OK);
    CHECK(handle != 0 && reply != NULL);
    corecall_reply_free(reply);
    return handle;
}

/* Whether the reply's JSON holds a text; frees the reply. */
static inline int reply_holds(corecall_reply *reply, const char *text)
{
    corecall_slice json;
    CHECK(corecall_reply_json(reply, &json) == CORECALL_OK);
    size_t length = strlen(text);
    int found = 0;
    for (size_t at = 0; at + length <= json.len && !found; at++)
        found = memcmp((const char *)json.data + at, text, length) == 0;
    if (!found)
        fprintf(stderr, "not in the reply: %s\n%.*s\n", text, (int)json.len, (const char *)json.data);
    corecall_reply_free(reply);
    return found;
}

/* Calls an operation with a payload written as JSON. The caller frees the reply. */
static inline int32_t call_with(corecall_handle handle, uint64_t ticket, const char *operation, const char *payload,
                                const corecall_slice *attachments, size_t count, corecall_reply **reply)
{
    size_t room = strlen(operation) + strlen(payload) + 128;
    char *request = malloc(room);
    CHECK(request != NULL);
    int length = snprintf(request, room, "{\"schema_version\":1,\"request_id\":\"n1\",\"operation\":\"%s\",\"payload\":%s}",
                          operation, payload);
    int32_t status = corecall_call(handle, ticket, request, (size_t)length, attachments, count, reply);
    free(request);
    return status;
}

/* The same, when only the status counts. */
static inline int32_t status_of(corecall_handle handle, uint64_t ticket, const char *operation, const char *payload)
{
    corecall_reply *reply = NULL;
    int32_t status = call_with(handle, ticket, operation, payload, NULL, 0, &reply);
    CHECK(reply != NULL);
    corecall_reply_free(reply);
    return status;
}

#endif
