/* Remembers three facts, replaces one, and recalls: hits, what replaced them, and what stands beside them.
 *
 *     cc example.c -o example -lcorecall && ./example
 *
 * A JSON library of your own reads the replies; here they are printed as they come, and the one id we need is
 * cut out by hand. */
#include <corecall.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs one operation and gives its reply, to be freed; ends the program when it is refused. */
static corecall_reply *call(corecall_handle library, const char *operation, const char *payload)
{
    char request[2048];
    int length = snprintf(request, sizeof request,
                          "{\"schema_version\":1,\"request_id\":\"example\",\"operation\":\"%s\",\"payload\":%s}",
                          operation, payload);
    if (length < 0 || (size_t)length >= sizeof request) {
        fprintf(stderr, "%s: the request is too long\n", operation);
        exit(1);
    }
    corecall_reply *reply = NULL;
    int32_t status = corecall_call(library, 0, request, (size_t)length, NULL, 0, &reply);
    if (status != CORECALL_OK) {
        corecall_slice json = {NULL, 0};
        corecall_reply_json(reply, &json);
        fprintf(stderr, "%s: %s\n%.*s\n", operation, corecall_status_name(status), (int)json.len, (const char *)json.data);
        exit(1);
    }
    return reply;
}

/* Prints what an operation answers. */
static void show(const char *what, corecall_reply *reply)
{
    corecall_slice json = {NULL, 0};
    corecall_reply_json(reply, &json);
    printf("%s\n  %.*s\n", what, (int)json.len, (const char *)json.data);
    corecall_reply_free(reply);
}

/* Stores a memory and writes its id to `id`. */
static void remember(corecall_handle library, const char *payload, char id[64])
{
    corecall_reply *reply = call(library, "remember", payload);
    corecall_slice json = {NULL, 0};
    corecall_reply_json(reply, &json);
    static const char key[] = "\"id\":\"";
    const char *at = json.data, *end = at + json.len;
    while (at + sizeof key <= end && memcmp(at, key, sizeof key - 1) != 0)
        at++;
    size_t length = 0;
    for (at += sizeof key - 1; at + length < end && at[length] != '"' && length < 63; length++)
        id[length] = at[length];
    id[length] = '\0';
    corecall_reply_free(reply);
}

int main(void)
{
    static const char config[] = "{\"path\":\":memory:\"}";
    corecall_handle library = 0;
    corecall_reply *reply = NULL;
    if (corecall_open(config, sizeof config - 1, &library, &reply) != CORECALL_OK) {
        show("can't open", reply);
        return 1;
    }
    corecall_reply_free(reply);

    char first[64], second[64], linked[64], payload[512];
    remember(library, "{\"content\":\"Deploys run every Friday evening.\",\"kind\":\"decision\"}", first);

    /* The new fact replaces the old one: recall shows the old one as superseded and names the new one. */
    snprintf(payload, sizeof payload,
             "{\"content\":\"Deploys run on Tuesdays, after the smoke tests.\",\"kind\":\"decision\","
             "\"supersedes\":\"%s\"}", first);
    remember(library, payload, second);

    /* A link: found beside the hit it belongs to, even when the words of the query don't fit it. */
    snprintf(payload, sizeof payload, "{\"content\":\"Rolling back takes one command: make undo.\",\"see_also\":[\"%s\"]}",
             second);
    remember(library, payload, linked);

    show("recall", call(library, "recall", "{\"text\":\"when do deploys run?\",\"limit\":2,\"titles\":true}"));
    snprintf(payload, sizeof payload, "{\"id\":\"%s\"}", second);
    show("relations of the new fact", call(library, "relations", payload));

    return corecall_close(library) == CORECALL_OK ? 0 : 1;
}
