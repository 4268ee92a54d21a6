/* A thread that called the library ends after dlclose. Hosts do that: JNA closes libraries when the JVM goes down,
 * while its threads still run.   usage: unload libcorecall.so */
#define _POSIX_C_SOURCE 200809L

#include <corecall.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static pthread_barrier_t called, closed;

/* The library's function of that name, as a function pointer of the type it is stored in. */
static void find(const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    if (symbol == NULL) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(1);
    }
    memcpy(function, &symbol, sizeof symbol);
}

static void *work(void *unused)
{
    int32_t (*open)(const void *, size_t, corecall_handle *, corecall_reply **);
    int32_t (*close)(corecall_handle);
    void (*release)(corecall_reply *);
    find("corecall_open", &open);
    find("corecall_close", &close);
    find("corecall_reply_free", &release);
    static const char config[] = "{\"path\":\":memory:\"}";
    corecall_handle handle = 0;
    corecall_reply *reply = NULL;
    if (open(config, sizeof config - 1, &handle, &reply) != CORECALL_OK || close(handle) != CORECALL_OK) {
        fprintf(stderr, "can't open and close\n");
        exit(1);
    }
    release(reply);
    pthread_barrier_wait(&called);
    pthread_barrier_wait(&closed);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "can't load the library\n");
        return 1;
    }
    pthread_barrier_init(&called, NULL, 2);
    pthread_barrier_init(&closed, NULL, 2);
    if (pthread_create(&thread, NULL, work, NULL) != 0)
        return 1;
    pthread_barrier_wait(&called);
    int failed = dlclose(library);
    pthread_barrier_wait(&closed);
    pthread_join(thread, NULL);
    return failed != 0;
}
