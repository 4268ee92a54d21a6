// Package corecall is the memory engine through cgo; pkg-config finds header and library in an unpacked SDK.
package corecall

/*
#cgo pkg-config: corecall
#include <corecall.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Core is an open core. Every method may be called from any goroutine.
type Core struct{ handle C.corecall_handle }

// Reply is what a call answers.
type Reply struct {
	Status      int32
	JSON        string
	Attachments [][]byte
}

// Open opens a core; the error is the reply's JSON.
func Open(config string) (*Core, error) {
	var core Core
	var native *C.corecall_reply
	bytes, size := copied([]byte(config))
	defer C.free(bytes)
	reply := taken(C.corecall_open(bytes, size, &core.handle, &native), native)
	if reply.Status != 0 {
		return nil, errors.New(reply.JSON)
	}
	return &core, nil
}

// Call runs one operation with a payload written as JSON.
func (core *Core) Call(operation, payload string, attachments ...[]byte) Reply {
	return core.Send([]byte(Request(operation, payload)), 0, attachments...)
}

// Send sends a whole request. Other goroutines may name it by its ticket in Cancel.
func (core *Core) Send(request []byte, ticket uint64, attachments ...[]byte) Reply {
	// What the library reads lies in C's memory: Go's may not hold pointers to Go's for C.
	room := C.calloc(C.size_t(len(attachments)+1), C.size_t(unsafe.Sizeof(C.corecall_slice{})))
	defer C.free(room)
	slices := unsafe.Slice((*C.corecall_slice)(room), len(attachments)+1)
	for index, attachment := range attachments {
		slices[index].data, slices[index].len = copied(attachment)
		defer C.free(slices[index].data)
	}
	bytes, size := copied(request)
	defer C.free(bytes)
	var native *C.corecall_reply
	status := C.corecall_call(core.handle, C.uint64_t(ticket), bytes, size,
		&slices[0], C.size_t(len(attachments)), &native)
	return taken(status, native)
}

// Cancel asks a running call to stop; the status.
func (core *Core) Cancel(ticket uint64) int32 {
	return int32(C.corecall_cancel(core.handle, C.uint64_t(ticket)))
}

// Close ends running calls and the core; the status.
func (core *Core) Close() int32 { return int32(C.corecall_close(core.handle)) }

// Request is the envelope around a payload.
func Request(operation, payload string) string {
	return `{"schema_version":1,"request_id":"caller","operation":"` + operation + `","payload":` + payload + `}`
}

// copied gives NULL for no bytes, which C.free takes as well.
func copied(bytes []byte) (unsafe.Pointer, C.size_t) {
	if len(bytes) == 0 {
		return nil, 0
	}
	return C.CBytes(bytes), C.size_t(len(bytes))
}

// taken copies what a reply holds, and frees it.
func taken(status C.int32_t, native *C.corecall_reply) Reply {
	defer C.corecall_reply_free(native)
	var view C.corecall_slice
	C.corecall_reply_json(native, &view)
	reply := Reply{Status: int32(status), JSON: C.GoStringN((*C.char)(view.data), C.int(view.len))}
	for C.corecall_reply_attachment(native, C.size_t(len(reply.Attachments)), &view) == C.CORECALL_OK {
		reply.Attachments = append(reply.Attachments, C.GoBytes(view.data, C.int(view.len)))
	}
	return reply
}
