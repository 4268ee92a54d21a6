#include <corecall.h>
#include <stdio.h>

/* Runs one operation and prints its reply; gives the status. */
static int32_t call(corecall_handle library, const char *operation, const char *payload)
{
    char request[1024];
    int length = snprintf(request, sizeof request,
                          "{\"schema_version\":1,\"request_id\":\"example\",\"operation\":\"%s\",\"payload\":%s}",
                          operation, payload);
    if (length < 0 || (size_t)length >= sizeof request)
        return CORECALL_LIMIT;
    corecall_reply *reply = NULL;
    corecall_slice json = {NULL, 0};
    int32_t status = corecall_call(library, 0, request, (size_t)length, NULL, 0, &reply);
    corecall_reply_json(reply, &json);
    printf("%s: %.*s\n", operation, (int)json.len, (const char *)json.data);
    corecall_reply_free(reply);
    return status;
}

int main(void)
{
    static const char config[] = "{\"path\":\":memory:\"}"; /* or a file */
    corecall_handle library = 0;
    corecall_reply *reply = NULL;
    int32_t status = corecall_open(config, sizeof config - 1, &library, &reply);
    corecall_reply_free(reply);
    if (status != CORECALL_OK) {
        fprintf(stderr, "corecall_open: %s\n", corecall_status_name(status));
        return 1;
    }
    /* Remember a fact, supersede it, link another to it. A title names its memory. */
    if (call(library, "remember", "{\"title\":\"Deploy day\",\"content\":\"Deploys run every Friday.\"}") ||
        call(library, "remember", "{\"title\":\"New deploy day\",\"content\":\"Deploys run on Tuesdays, after the smoke "
                                  "tests.\",\"supersedes\":\"Deploy day\"}") ||
        call(library, "remember", "{\"title\":\"Undo\",\"content\":\"make undo rolls a release back.\","
                                  "\"see_also\":[\"New deploy day\"]}") ||
        /* The old fact is found by its words, marked as superseded; the new one stands beside it, among `related`. */
        call(library, "recall", "{\"text\":\"deploys every Friday\",\"limit\":1}") ||
        call(library, "relations", "{\"id\":\"New deploy day\"}"))
        return 1;
    return corecall_close(library) == CORECALL_OK ? 0 : 1;
}
