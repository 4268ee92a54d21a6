/* The header as types: built with debug information, compared with the baseline by abidiff. Each function is
 * called once, and its type kept in a variable, so that any change of a prototype or of the slice shows. */
#include <corecall.h>

#define PROBE(name) __typeof__(corecall_##name) *probe_##name = corecall_##name

PROBE(abi_version);
PROBE(version);
PROBE(status_name);
PROBE(open);
PROBE(close);
PROBE(call);
PROBE(reply_json);
PROBE(reply_attachment);
PROBE(reply_free);
PROBE(cancel);
PROBE(progress);
PROBE(capabilities);
PROBE(log_set);
PROBE(log_drain);

corecall_slice probe_slice;

int32_t probe_calls(corecall_handle handle, corecall_slice slice, corecall_log_fn function, void *userdata)
{
    corecall_reply *reply = 0;
    uint64_t done = 0, total = corecall_abi_version();
    int32_t sum = corecall_version()[0] + corecall_status_name(0)[0];
    sum += corecall_open(slice.data, slice.len, &handle, &reply);
    sum += corecall_call(handle, 1, slice.data, slice.len, &slice, 1, &reply);
    sum += corecall_reply_json(reply, &slice);
    sum += corecall_reply_attachment(reply, 0, &slice);
    corecall_reply_free(reply);
    sum += corecall_cancel(handle, 1);
    sum += corecall_progress(handle, 1, &done, &total);
    sum += corecall_capabilities(&reply);
    sum += corecall_log_set(CORECALL_LOG_OFF, function, userdata);
    sum += corecall_log_drain(&reply);
    return sum + corecall_close(handle);
}
