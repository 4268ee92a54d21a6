/* Plays a folder of contract cases through the C interface (README.md says how they are laid out).
 *
 *     cc -std=c11 -I<include> runner.c -lcorecall -o runner && ./runner cases
 *
 * One line for every case that fails, then "N passed, M failed"; the exit code is 0 when all passed. It knows nothing
 * of the contract: it reads bytes, calls, and compares bytes.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corecall.h"

enum { MAX_ATTACHMENTS = 16, MAX_PATH = 4096 };

typedef struct bytes {
    char *data; /* one NUL more than `len`, so that text can be read as a string; NULL: there is none */
    size_t len;
} bytes;

static void die(const char *what, const char *path)
{
    fprintf(stderr, "runner: %s: %s: %s\n", path, what, strerror(errno));
    exit(2);
}

static void *allocate(size_t len)
{
    void *data = malloc(len);
    if (data == NULL) {
        die("no memory", "allocate");
    }
    return data;
}

/* The file's bytes; `data` is NULL where there is no such file. */
static bytes read_file(const char *path)
{
    bytes file = {NULL, 0};
    size_t capacity = 1 << 12;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        if (errno != ENOENT) {
            die("can't open", path);
        }
        return file;
    }
    file.data = allocate(capacity);
    for (;;) {
        size_t got = fread(file.data + file.len, 1, capacity - file.len - 1, stream);
        file.len += got;
        if (got == 0) {
            break;
        }
        if (capacity - file.len < 2) {
            char *grown = realloc(file.data, capacity *= 2);
            if (grown == NULL) {
                die("no memory", path);
            }
            file.data = grown;
        }
    }
    if (ferror(stream) != 0) {
        die("can't read", path);
    }
    fclose(stream);
    file.data[file.len] = '\0';
    return file;
}

static void path_of(char *path, const char *folder, int step, const char *rest)
{
    int len = snprintf(path, MAX_PATH, "%s/%d.%s", folder, step, rest);
    if (len < 0 || len >= MAX_PATH) {
        errno = ENAMETOOLONG;
        die("too long", folder);
    }
}

/* Decimal numbers in text, as little-endian float32 or as single bytes. */
static bytes numbers(bytes text, int floats)
{
    bytes out = {allocate(text.len * 2 + 4), 0};
    char *at = text.data;
    for (;;) {
        char *end = NULL;
        if (floats) {
            float value = strtof(at, &end);
            uint32_t bits = 0;
            memcpy(&bits, &value, sizeof bits);
            for (int shift = 0; end != at && shift < 32; shift += 8) {
                out.data[out.len++] = (char)(unsigned char)(bits >> shift);
            }
        } else {
            unsigned long value = strtoul(at, &end, 10);
            if (end != at) {
                out.data[out.len++] = (char)(unsigned char)value;
            }
        }
        if (end == at) {
            break;
        }
        at = end;
    }
    if (at[strspn(at, " \t\r\n")] != '\0') {
        errno = EINVAL;
        die("not a number", at);
    }
    return out;
}

/* Attachment `index` of a step; `data` is NULL where there is none. */
static bytes read_attachment(const char *folder, int step, int index)
{
    static const char *const kinds[] = {"u8", "f32"};
    bytes none = {NULL, 0};
    for (int floats = 0; floats < 2; floats++) {
        char name[64];
        char path[MAX_PATH];
        snprintf(name, sizeof name, "attachment-%d.%s", index, kinds[floats]);
        path_of(path, folder, step, name);
        bytes text = read_file(path);
        if (text.data != NULL) {
            bytes out = numbers(text, floats);
            free(text.data);
            return out;
        }
    }
    return none;
}

/* Where `word` begins in the `len` bytes at `data`, or NULL. */
static const char *find(const char *data, size_t len, const char *word)
{
    size_t wanted = strlen(word);
    for (; len >= wanted; data++, len--) {
        if (memcmp(data, word, wanted) == 0) {
            return data;
        }
    }
    return NULL;
}

/* A copy of an error reply with the message, which is no part of the contract, replaced by `*`. */
static bytes masked(const char *data, size_t len)
{
    static const char start[] = ",\"message\":\"";
    static const char end[] = "\",\"path\":";
    bytes out = {allocate(len + 2), 0};
    const char *head = find(data, len, start);
    const char *text = head == NULL ? NULL : head + sizeof start - 1;
    const char *tail = text == NULL ? NULL : find(text, len - (size_t)(text - data), end);
    if (tail == NULL) {
        memcpy(out.data, data, len);
        out.len = len;
    } else {
        size_t before = (size_t)(text - data);
        size_t after = len - (size_t)(tail - data);
        memcpy(out.data, data, before);
        out.data[before] = '*';
        memcpy(out.data + before + 1, tail, after);
        out.len = before + 1 + after;
    }
    out.data[out.len] = '\0';
    return out;
}

/* Plays one step; 1 when status and reply are those of `expect`. */
static int play(corecall_handle handle, const char *folder, int step, bytes request, bytes expect)
{
    bytes attachments[MAX_ATTACHMENTS];
    corecall_slice slices[MAX_ATTACHMENTS];
    size_t count = 0;
    for (; count < MAX_ATTACHMENTS; count++) {
        attachments[count] = read_attachment(folder, step, (int)count);
        if (attachments[count].data == NULL) {
            break;
        }
        slices[count].data = attachments[count].data;
        slices[count].len = attachments[count].len;
    }

    corecall_reply *reply = NULL;
    corecall_slice json = {NULL, 0};
    int32_t status = corecall_call(handle, 0, request.data, request.len, slices, count, &reply);
    if (reply != NULL) {
        corecall_reply_json(reply, &json);
    }

    char *line = NULL;
    long wanted = strtol(expect.data, &line, 10);
    line += *line == '\n';
    size_t line_len = strcspn(line, "\n");
    bytes got = {NULL, 0};
    if (status == 0 || json.data == NULL) {
        got.data = allocate(json.len + 1);
        got.len = json.len;
        if (json.len > 0) {
            memcpy(got.data, json.data, json.len);
        }
        got.data[got.len] = '\0';
    } else {
        got = masked(json.data, json.len);
    }
    int same = status == wanted && got.len == line_len && memcmp(got.data, line, line_len) == 0;
    if (!same) {
        printf("FAILED %s step %d: status %d %s, expected %ld %.*s\n", folder, step, (int)status, got.data, wanted,
               (int)line_len, line);
    }

    free(got.data);
    corecall_reply_free(reply);
    while (count > 0) {
        free(attachments[--count].data);
    }
    return same;
}

/* Opens a handle, plays every step, closes it; 1 when all replies are as expected. */
static int play_case(const char *folder)
{
    char path[MAX_PATH];
    corecall_handle handle = 0;
    corecall_reply *reply = NULL;
    snprintf(path, sizeof path, "%s/config.json", folder);
    bytes config = read_file(path);
    int32_t status = corecall_open(config.data == NULL ? "{}" : config.data, config.data == NULL ? 2 : config.len,
                                   &handle, &reply);
    corecall_reply_free(reply);
    free(config.data);
    if (status != 0) {
        printf("FAILED %s: corecall_open: %s\n", folder, corecall_status_name(status));
        return 0;
    }

    int good = 1;
    int step = 1;
    for (;; step++) {
        path_of(path, folder, step, "request.json");
        bytes request = read_file(path);
        if (request.data == NULL) {
            break;
        }
        path_of(path, folder, step, "expect");
        bytes expect = read_file(path);
        if (expect.data == NULL) {
            errno = ENOENT;
            die("missing", path);
        }
        good &= play(handle, folder, step, request, expect);
        free(request.data);
        free(expect.data);
    }
    if (step == 1) {
        printf("FAILED %s: there is no 1.request.json\n", folder);
        good = 0;
    }
    if (corecall_close(handle) != 0) {
        printf("FAILED %s: corecall_close\n", folder);
        good = 0;
    }
    return good;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CASES_FOLDER\n", argv[0]);
        return 2;
    }
    DIR *folder = opendir(argv[1]);
    if (folder == NULL) {
        die("can't open", argv[1]);
    }
    char **names = NULL;
    size_t count = 0;
    for (struct dirent *item; (item = readdir(folder)) != NULL;) {
        if (item->d_name[0] == '.') {
            continue;
        }
        char **grown = realloc(names, (count + 1) * sizeof *names);
        size_t len = strlen(argv[1]) + strlen(item->d_name) + 2;
        if (grown == NULL) {
            die("no memory", argv[1]);
        }
        names = grown;
        names[count] = allocate(len);
        snprintf(names[count++], len, "%s/%s", argv[1], item->d_name);
    }
    closedir(folder);
    if (count > 1) {
        qsort(names, count, sizeof *names, by_name);
    }

    size_t passed = 0;
    for (size_t index = 0; index < count; index++) {
        passed += (size_t)play_case(names[index]);
        free(names[index]);
    }
    free(names);
    printf("%zu passed, %zu failed\n", passed, count - passed);
    return passed == count && count > 0 ? 0 : 1;
}
