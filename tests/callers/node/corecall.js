// corecall through koffi: calls run on threads of its pool, so that the event loop goes on.
import { Buffer } from 'node:buffer'
import { promisify } from 'node:util'
import koffi from 'koffi'

koffi.opaque('corecall_reply')
koffi.struct('corecall_slice', { data: 'const void *', len: 'size_t' })

/** An open core: `await new Core(path).call('recall', { text: '…', limit: 5 })`. */
export class Core {
  /** Loads the library and opens a core; throws with the reply's JSON where it is refused. */
  constructor(library, config) {
    const native = koffi.load(library)
    this.native = {
      open: native.func('int32_t corecall_open(const void *config, size_t len, _Out_ uint64_t *handle, _Out_ corecall_reply **reply)'),
      call: native.func('int32_t corecall_call(uint64_t handle, uint64_t ticket, const void *request, size_t len, const corecall_slice *attachments, size_t count, _Out_ corecall_reply **reply)'),
      cancel: native.func('int32_t corecall_cancel(uint64_t handle, uint64_t ticket)'),
      close: native.func('int32_t corecall_close(uint64_t handle)'),
      json: native.func('int32_t corecall_reply_json(const corecall_reply *reply, _Out_ corecall_slice *json)'),
      attachment: native.func('int32_t corecall_reply_attachment(const corecall_reply *reply, size_t index, _Out_ corecall_slice *bytes)'),
      free: native.func('void corecall_reply_free(corecall_reply *reply)')
    }
    const bytes = Buffer.from(config)
    const handle = [0]
    const reply = [null]
    const status = this.native.open(orNull(bytes), bytes.length, handle, reply)
    const opened = this.#taken(status, reply[0])
    if (status !== 0) throw new Error(opened.json)
    this.handle = handle[0]
  }

  /** Runs one operation; gives { status, json, attachments }. */
  call(operation, payload, attachments = [], ticket = 0) {
    return this.send(Buffer.from(request(operation, payload)), attachments, ticket)
  }

  /** Sends a whole request. The buffers stay as they are until the promise is settled. */
  async send(bytes, attachments = [], ticket = 0) {
    const reply = [null]
    const slices = attachments.map((item) => ({ data: orNull(item), len: item.length }))
    const inputs = [bytes, slices] // used after the call, so that the collector leaves them alone during it
    const status = await promisify(this.native.call.async)(
      this.handle, ticket, orNull(bytes), bytes.length, slices, slices.length, reply)
    inputs.length = 0
    return this.#taken(status, reply[0])
  }

  /** Asks a running call to stop; the status. */
  cancel(ticket) {
    return this.native.cancel(this.handle, ticket)
  }

  /** Ends running calls and the core; the status. */
  close() {
    return this.native.close(this.handle)
  }

  /** Copies what a reply holds, and frees it. */
  #taken(status, reply) {
    const view = {}
    const copied = () => Buffer.from(view.len > 0 ? new Uint8Array(koffi.view(view.data, view.len)) : [])
    this.native.json(reply, view)
    const json = copied().toString()
    const attachments = []
    while (this.native.attachment(reply, attachments.length, view) === 0) attachments.push(copied())
    this.native.free(reply)
    return { status, json, attachments }
  }
}

/** The envelope around a payload. */
export function request(operation, payload) {
  return JSON.stringify({ schema_version: 1, request_id: 'caller', operation, payload })
}

const orNull = (bytes) => (bytes.length > 0 ? bytes : null)
