/* A library with corecall's names that does nothing: what `corecall-sdk contract` must not be taken in by. */
#include <corecall.h>

#include <string.h>

#ifndef ABI
#define ABI 0x10000
#endif
#ifndef STATUS
#define STATUS 0
#endif
#ifndef OPERATION
#define OPERATION related_business
#endif
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

static const char capabilities[] = "{\"schema_version\":1,\"request_id\":\"\",\"result\":{\"abi_version\":\"1.0\","
                                   "\"operations\":[\"" TEXT(OPERATION) "\"]}}";

uint32_t corecall_abi_version(void) { return ABI; }
const char *corecall_version(void) { return "0.1.0"; }
const char *corecall_status_name(int32_t status) { return status == 0 ? "OK" : "ENGINE_FAILURE"; }

int32_t corecall_capabilities(corecall_reply **out)
{
    *out = (corecall_reply *)capabilities;
    return STATUS;
}

int32_t corecall_reply_json(const corecall_reply *reply, corecall_slice *out)
{
    out->data = reply;
    out->len = strlen((const char *)reply);
    return 0;
}

void corecall_reply_free(corecall_reply *reply) { (void)reply; }

#ifndef WITHOUT_CANCEL
int32_t corecall_cancel(corecall_handle handle, uint64_t ticket) { return handle == ticket ? 0 : 8; }
#endif

/* Never called: only their names are asked for. */
#define UNUSED(name) void name##_unused(void) __asm__(#name); void name##_unused(void) {}
UNUSED(corecall_call)
UNUSED(corecall_close)
UNUSED(corecall_log_drain)
UNUSED(corecall_log_set)
UNUSED(corecall_open)
UNUSED(corecall_progress)
UNUSED(corecall_reply_attachment)
