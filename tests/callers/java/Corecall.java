import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** corecall through JNA: an open core. Every method may be called from any thread. */
public final class Corecall implements AutoCloseable {
    /** The functions of corecall.h that are used here; size_t is a long on 64-bit machines. */
    public interface Functions extends Library {
        int corecall_open(Pointer config, long len, LongByReference handle, PointerByReference reply);

        int corecall_call(long handle, long ticket, Pointer request, long len, Pointer attachments, long count,
                PointerByReference reply);

        int corecall_cancel(long handle, long ticket);

        int corecall_close(long handle);

        int corecall_reply_json(Pointer reply, Pointer json);

        int corecall_reply_attachment(Pointer reply, long index, Pointer bytes);

        void corecall_reply_free(Pointer reply);
    }

    /** What a call answers. */
    public record Reply(int status, String json, List<byte[]> attachments) {}

    private final Functions functions;
    private final long handle;

    /** Loads the library and opens a core; throws with the reply's JSON where it is refused. */
    public Corecall(String library, String config) {
        functions = Native.load(library, Functions.class);
        byte[] bytes = config.getBytes(StandardCharsets.UTF_8);
        LongByReference opened = new LongByReference();
        PointerByReference out = new PointerByReference();
        Reply reply = taken(functions.corecall_open(copied(bytes), bytes.length, opened, out), out.getValue());
        if (reply.status != 0) {
            throw new IllegalArgumentException(reply.json);
        }
        handle = opened.getValue();
    }

    /** Runs one operation with a payload written as JSON. */
    public Reply call(String operation, String payload, byte[]... attachments) {
        return send(request(operation, payload), 0, attachments);
    }

    /** Sends a whole request. Other threads may name it by its ticket in cancel(). */
    public Reply send(byte[] request, long ticket, byte[]... attachments) {
        // Each corecall_slice is a pointer and a length, 8 bytes each.
        Memory slices = new Memory(16L * (attachments.length + 1));
        Pointer[] borrowed = new Pointer[attachments.length + 1];
        for (int at = 0; at < attachments.length; at++) {
            borrowed[at] = copied(attachments[at]);
            slices.setPointer(16L * at, borrowed[at]);
            slices.setLong(16L * at + 8, attachments[at].length);
        }
        borrowed[attachments.length] = copied(request);
        PointerByReference out = new PointerByReference();
        int status = functions.corecall_call(handle, ticket, borrowed[attachments.length], request.length, slices,
                attachments.length, out);
        java.lang.ref.Reference.reachabilityFence(borrowed);
        return taken(status, out.getValue());
    }

    /** Asks a running call to stop; the status. */
    public int cancel(long ticket) {
        return functions.corecall_cancel(handle, ticket);
    }

    /** Ends running calls and the core; the status. */
    public int end() {
        return functions.corecall_close(handle);
    }

    @Override
    public void close() {
        end();
    }

    /** The envelope around a payload. */
    public static byte[] request(String operation, String payload) {
        String text = "{\"schema_version\":1,\"request_id\":\"caller\",\"operation\":\"%s\",\"payload\":%s}";
        return text.formatted(operation, payload).getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes in native memory; NULL for none. */
    private static Pointer copied(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        Memory memory = new Memory(bytes.length);
        memory.write(0, bytes, 0, bytes.length);
        return memory;
    }

    /** Copies what a reply holds, and frees it. */
    private Reply taken(int status, Pointer reply) {
        Memory view = new Memory(16);
        functions.corecall_reply_json(reply, view);
        String json = new String(bytes(view), StandardCharsets.UTF_8);
        List<byte[]> attachments = new ArrayList<>();
        while (functions.corecall_reply_attachment(reply, attachments.size(), view) == 0) {
            attachments.add(bytes(view));
        }
        functions.corecall_reply_free(reply);
        return new Reply(status, json, attachments);
    }

    private static byte[] bytes(Memory view) {
        long length = view.getLong(8);
        return length == 0 ? new byte[0] : view.getPointer(0).getByteArray(0, Math.toIntExact(length));
    }
}
