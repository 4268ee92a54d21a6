/* Makes one call over and over and prints the nanoseconds of each.
 *
 *   call_loop LIBRARY TIMES ATTACHMENT REQUEST...
 *
 * Every file but LIBRARY is read whole. Each request is called with the attachment; all but the last once.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "corecall.h"

typedef int32_t open_fn(const void *, size_t, corecall_handle *, corecall_reply **);
typedef int32_t call_fn(corecall_handle, uint64_t, const void *, size_t, const corecall_slice *, size_t,
                        corecall_reply **);
typedef void free_fn(corecall_reply *);

static void fail(const char *what) {
    fprintf(stderr, "call_loop: %s\n", what);
    exit(1);
}

/* A symbol of the library; the union turns a data pointer into a function pointer without a cast. */
static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) fail(name);
    return found;
}

static corecall_slice whole_file(const char *path) {
    FILE *file = fopen(path, "rb");
    corecall_slice slice = {NULL, 0};
    char *bytes;
    long length;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0) fail(path);
    rewind(file);
    bytes = malloc((size_t)length + 1);
    if (bytes == NULL || fread(bytes, 1, (size_t)length, file) != (size_t)length) fail(path);
    fclose(file);
    slice.data = bytes;
    slice.len = (size_t)length;
    return slice;
}

int main(int argc, char **argv) {
    union { void *data; open_fn *function; } opens;
    union { void *data; call_fn *function; } calls;
    union { void *data; free_fn *function; } frees;
    corecall_handle handle = 0;
    corecall_reply *reply = NULL;
    corecall_slice attachment, request = {NULL, 0};
    struct timespec start, end;
    void *library;
    long times, number;
    int argument;

    if (argc < 5) fail("usage: call_loop LIBRARY TIMES ATTACHMENT REQUEST...");
    library = dlopen(argv[1], RTLD_NOW);
    if (library == NULL) fail(dlerror());
    opens.data = symbol(library, "corecall_open");
    calls.data = symbol(library, "corecall_call");
    frees.data = symbol(library, "corecall_reply_free");
    times = atol(argv[2]);
    attachment = whole_file(argv[3]);

    if (opens.function("{}", 2, &handle, &reply) != 0) fail("open");
    frees.function(reply);
    for (argument = 4; argument < argc; argument++) {
        request = whole_file(argv[argument]);
        if (calls.function(handle, 0, request.data, request.len, &attachment, 1, &reply) != 0) fail(argv[argument]);
        frees.function(reply);
    }
    for (number = 0; number < times; number++) {
        clock_gettime(CLOCK_MONOTONIC, &start);
        calls.function(handle, 0, request.data, request.len, &attachment, 1, &reply);
        frees.function(reply);
        clock_gettime(CLOCK_MONOTONIC, &end);
        printf("%ld\n", (end.tv_sec - start.tv_sec) * 1000000000L + (end.tv_nsec - start.tv_nsec));
    }
    return 0;
}
