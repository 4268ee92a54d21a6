/*
 * corecall.h - the C interface of corecall, a memory engine to embed.
 *
 * A host remembers short texts, recalls them by meaning and by words, and gets beside the ranked hits a
 * short list of associations. Everything it can do is an *operation* with a name; this header is the door
 * to all of them and does not grow when operations are added:
 *
 *     corecall_handle core;
 *     corecall_reply *reply = NULL;
 *     corecall_open("{\"path\":\"notes.corecall\"}", 25, &core, &reply);
 *     corecall_reply_free(reply);
 *     corecall_call(core, 0, request, request_length, NULL, 0, &reply);
 *     corecall_slice json;
 *     corecall_reply_json(reply, &json);          ... json.data, json.len ...
 *     corecall_reply_free(reply);
 *     corecall_close(core);
 *
 * Read it from top to bottom: versions and statuses, types, open and close, call, replies, cancel and
 * progress, capabilities, log. The operations and their arguments are described by the JSON Schemas in
 * `schemas/` and listed by corecall_capabilities().
 *
 * RULES FOR EVERY FUNCTION
 *
 *   Statuses.  A function that returns int32_t returns a status, CORECALL_OK (0) or one of CORECALL_*.
 *   Inputs.    Borrowed until the function returns, never written, never kept. Length 0 allows NULL.
 *              Text is UTF-8 with a length; it need not end in a zero byte.
 *   Outputs.   Come last, must not be NULL, are cleared first. A `reply` output is filled on failure too:
 *              its JSON holds the error. It is NULL only when an output pointer was NULL or misaligned, or when
 *              there was no memory for the reply. So: always free it, whatever the status.
 *   Threads.   Any function, from any thread, at any time. Reads on one handle run side by side; writes take
 *              turns inside.
 *   Panics.    A defect inside never unwinds into the host. The call returns CORECALL_PANIC, later calls on
 *              that handle do too (error name "handle.poisoned"), and corecall_close() still works.
 *   Fork.      If a library (a handle opened with a path) was open when the process forked, every function
 *              that can fail returns CORECALL_CLOSED in the child, except those that read a reply. Otherwise
 *              the child works, on the same handles; calls that other threads had running are gone.
 *   Log.       Inside a log callback every function that can fail returns CORECALL_BUSY.
 *   Settings.  The library reads no environment variables.
 *
 * What is not in this header is not API. Nothing is removed or re-typed while the major version stays.
 * Each function names the ABI version it appeared in ("Since").
 */
#ifndef CORECALL_H
#define CORECALL_H

#include <stddef.h>
#include <stdint.h>

/* -- Versions and statuses ----------------------------------------------------------------------------- */

/* The ABI this header describes. A host compiled with it works with every library of the same major version
 * whose minor version is not smaller: compare with corecall_abi_version(). */
#define CORECALL_ABI_MAJOR 1
#define CORECALL_ABI_MINOR 0
#define CORECALL_ABI_VERSION ((uint32_t)((CORECALL_ABI_MAJOR << 16) | CORECALL_ABI_MINOR))

/* Statuses, int32_t. The list is closed. The same number stands in a reply as `error.code`, and a finer,
 * stable name as `error.name` (the table is in README.md of this folder). */
#define CORECALL_OK 0
#define CORECALL_INVALID_ARGUMENT 1      /* a pointer, length, config, envelope or payload is wrong */
#define CORECALL_VERSION 2               /* a schema or contract version is not supported */
#define CORECALL_UNSUPPORTED 3           /* the operation is unknown, or needs a library */
#define CORECALL_MODEL_UNAVAILABLE 4     /* the named model can't be used here */
#define CORECALL_ARTIFACT_INCOMPATIBLE 5 /* the data belongs to another model or format */
#define CORECALL_ENGINE_FAILURE 6        /* any other failure */
#define CORECALL_PANIC 7                 /* a defect was caught; close the handle */
#define CORECALL_NOT_FOUND 8             /* something that was named isn't there */
#define CORECALL_CONFLICT 9              /* what is stored, or running, forbids it */
#define CORECALL_BUSY 10                 /* locked for longer than the time-out, or inside a log callback */
#define CORECALL_CANCELLED 11            /* corecall_cancel() or corecall_close() stopped the call */
#define CORECALL_CLOSED 12               /* the handle is closed, or the process was forked */
#define CORECALL_LIMIT 13                /* an advertised limit was passed */
#define CORECALL_IO 14                   /* the operating system refused to read or write */
#define CORECALL_CORRUPT 15              /* stored bytes are damaged */
#define CORECALL_NO_MEMORY 16            /* an allocation whose size the request sets failed */
#define CORECALL_DENIED 17               /* wrong key, or not permitted */

/* Log levels, int32_t. */
#define CORECALL_LOG_OFF 0
#define CORECALL_LOG_ERROR 1
#define CORECALL_LOG_WARN 2
#define CORECALL_LOG_INFO 3
#define CORECALL_LOG_DEBUG 4

#ifdef __cplusplus
extern "C" {
#endif

/* cffi: begin */

/* The library's ABI version: major in the high 16 bits, minor in the low 16. Never fails. Since 1.0. */
uint32_t corecall_abi_version(void);

/* The library's version, for people: "0.1.0". Static text, never NULL. Since 1.0. */
const char *corecall_version(void);

/* The name of a status without its prefix: "INVALID_ARGUMENT" for 1; "UNKNOWN" for a number that is no
 * status. Static text, never NULL. Since 1.0. */
const char *corecall_status_name(int32_t status);

/* -- Types --------------------------------------------------------------------------------------------- */

/* An open core. 0 is never valid. A handle is not reused: after corecall_close() it answers CORECALL_CLOSED. */
typedef uint64_t corecall_handle;

/* A reply: one JSON text and any number of attachments. Made by the library, freed once by
 * corecall_reply_free(). Immutable, so any thread may read it. */
typedef struct corecall_reply corecall_reply;

/* Bytes somebody else owns. The only public struct; its layout is frozen. */
typedef struct corecall_slice {
    const void *data;
    size_t len;
} corecall_slice;

/* Receives one log record. `text` is UTF-8, `len` bytes, valid until the function returns. It is called on
 * the thread that logs, several at once if several threads log; it must return normally (no exception, no
 * longjmp) and must not wait for a thread that is inside corecall_log_set(). */
typedef void (*corecall_log_fn)(void *userdata, int32_t level, const char *text, size_t len);

/* -- Open and close ------------------------------------------------------------------------------------ */

/* Opens a core and stores its handle.
 *
 * config, len   JSON object. Empty or {}: a core without storage, for hosts that keep their own database.
 *               {"path":"notes.corecall"}: with the embedded library in that file, made when absent;
 *               {"path":":memory:"}: one that is gone with the handle. Beside the path: "model" (the file's
 *               own when left out; "none" for a new file), "read_only" (false).
 * handle        Set to the handle, or to 0 on failure.
 * reply         The result {}, or the error, in the envelope shown at corecall_call(); request_id is "".
 *
 * Errors: INVALID_ARGUMENT, CLOSED (forked), LIMIT (handles); with a path also VERSION, MODEL_UNAVAILABLE,
 * ARTIFACT_INCOMPATIBLE, BUSY, IO, CORRUPT, DENIED. Since 1.0. */
int32_t corecall_open(const void *config, size_t len, corecall_handle *handle, corecall_reply **reply);

/* Closes a core: cancels its running calls, waits until they have returned, and closes its library. New
 * calls on the handle answer CORECALL_CLOSED from the first moment on. Replies stay valid.
 *
 * Errors: INVALID_ARGUMENT (never issued), CLOSED (closed already, or forked), BUSY (log callback).
 * Since 1.0. */
int32_t corecall_close(corecall_handle handle);

/* -- Call ---------------------------------------------------------------------------------------------- */

/* Runs one operation and returns when it is done.
 *
 * ticket        The caller's number for this call, so that other threads can name it in corecall_cancel() and
 *               corecall_progress(). Free to use again once the call has returned. 0: no name; it can only
 *               be cancelled together with all calls of the handle.
 * request, len  JSON: {"schema_version":1,"request_id":"any text","operation":"recall","payload":{...}},
 *               optionally "require":{"related_business":1} (contracts the caller relies on, checked before
 *               any work) and "hints":{...} (may be ignored). Arguments the library doesn't know are refused.
 * attachments, count
 *               Bytes named in the payload by {"$attachment":0,"dtype":"f32","shape":[8,384]}: little-endian,
 *               row-major, each used exactly once. A 4-byte-aligned f32 attachment is read where it lies.
 * reply         {"schema_version":1,"request_id":"any text","result":{...}}, or
 *               {"schema_version":1,"request_id":"any text","error":{"code":9,"name":"relation.cycle",
 *               "message":"...","path":"payload.supersedes","retryable":false}}.
 *
 * The status is 0 exactly when the reply holds a result, else it equals error.code.
 *
 * Errors: any; beside the operation's own INVALID_ARGUMENT, VERSION, UNSUPPORTED, PANIC, CONFLICT (the ticket
 * is running), CANCELLED, CLOSED, LIMIT, NO_MEMORY. Since 1.0. */
int32_t corecall_call(corecall_handle handle, uint64_t ticket, const void *request, size_t len,
                      const corecall_slice *attachments, size_t count, corecall_reply **reply);

/* -- Replies ------------------------------------------------------------------------------------------- */

/* The reply's JSON, UTF-8 on one line, not ending in a zero byte. A view: it lives as long as the reply.
 * Errors: INVALID_ARGUMENT (NULL), BUSY (log callback). Since 1.0. */
int32_t corecall_reply_json(const corecall_reply *reply, corecall_slice *json);

/* Attachment `index` of the reply, as the JSON names it. A view, its data aligned to 64 bytes; an empty
 * attachment has length 0. It lives as long as the reply.
 * Errors: INVALID_ARGUMENT (NULL), NOT_FOUND (no such index), BUSY (log callback). Since 1.0. */
int32_t corecall_reply_attachment(const corecall_reply *reply, size_t index, corecall_slice *bytes);

/* Frees a reply and ends its views. NULL is fine. Works everywhere, also after corecall_close(), in a log
 * callback, and in a forked child. Since 1.0. */
void corecall_reply_free(corecall_reply *reply);

/* -- Cancel and progress ------------------------------------------------------------------------------- */

/* Asks the running call `ticket` to stop; 0: all running calls of the handle, if any. Returns at once. The
 * inputs of the call stay borrowed until corecall_call() itself returns: CORECALL_CANCELLED and nothing
 * written, or its result if that came first.
 * Errors: INVALID_ARGUMENT, NOT_FOUND (no such call is running), CLOSED, BUSY. Since 1.0. */
int32_t corecall_cancel(corecall_handle handle, uint64_t ticket);

/* How far the running call `ticket` is, in units of its own; both 0 before the first report.
 * Errors: INVALID_ARGUMENT (also for ticket 0), NOT_FOUND (no such call is running), CLOSED, BUSY.
 * Since 1.0. */
int32_t corecall_progress(corecall_handle handle, uint64_t ticket, uint64_t *done, uint64_t *total);

/* -- Capabilities -------------------------------------------------------------------------------------- */

/* What this library can do, without a handle: abi_version, schema_version, association_contract, operations,
 * contracts, formats, limits, models, inference_execution, build. The operation "capabilities" answers the
 * same.
 * Errors: INVALID_ARGUMENT, CLOSED (forked), BUSY. Since 1.0. */
int32_t corecall_capabilities(corecall_reply **reply);

/* -- Log ----------------------------------------------------------------------------------------------- */

/* Sets where log records of the process go. Records hold identifiers, counts and places in the source, never
 * memory text.
 *
 * level      CORECALL_LOG_*: records up to it are kept. CORECALL_LOG_OFF (the start): none.
 * function   Called for each record. NULL: records go to a ring of 1,024, the oldest leaving first.
 * userdata   Passed to the function as it is.
 *
 * Returns after running callbacks have ended, so that the old userdata may then be freed.
 * Errors: INVALID_ARGUMENT (level), CLOSED (forked), BUSY (log callback). Since 1.0. */
int32_t corecall_log_set(int32_t level, corecall_log_fn function, void *userdata);

/* Takes the ring's records out: result [{"level":1,"text":"..."}], oldest first. If some had to leave, the
 * first record says how many.
 * Errors: INVALID_ARGUMENT, CLOSED (forked), BUSY (log callback). Since 1.0. */
int32_t corecall_log_drain(corecall_reply **reply);

/* cffi: end */

#ifdef __cplusplus
}
#endif

#endif /* CORECALL_H */
