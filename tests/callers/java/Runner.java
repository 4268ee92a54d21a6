import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Plays the contract cases and the callers' programme (../README.md) in Java. Usage: java Runner SDK_FOLDER. */
public final class Runner {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final byte[] CAPABILITIES = Corecall.request("capabilities", "{}");

    /** Status and reply, with a `*` for an error's message. */
    private static String shown(Corecall.Reply reply, String between) {
        String start = ",\"message\":\"";
        String json = reply.json();
        int head = json.indexOf(start) + start.length();
        int tail = json.indexOf("\",\"path\":", head);
        if (reply.status() != 0 && head >= start.length() && tail >= 0) {
            json = json.substring(0, head) + "*" + json.substring(tail);
        }
        return reply.status() + between + json;
    }

    private static void show(String name, Corecall.Reply reply) {
        OUT.println(name + ": " + shown(reply, " "));
    }

    private static Stream<String> words(Path file) throws IOException {
        return Arrays.stream(Files.readString(file).trim().split("\\s+")).filter(word -> !word.isEmpty());
    }

    private static byte[][] attachments(Path folder, int step) throws IOException {
        List<byte[]> found = new ArrayList<>();
        while (true) {
            String name = step + ".attachment-" + found.size();
            boolean floats = Files.exists(folder.resolve(name + ".f32"));
            if (!floats && !Files.exists(folder.resolve(name + ".u8"))) {
                return found.toArray(byte[][]::new);
            }
            List<String> words = words(folder.resolve(name + (floats ? ".f32" : ".u8"))).toList();
            ByteBuffer bytes = ByteBuffer.allocate(words.size() * (floats ? 4 : 1)).order(ByteOrder.LITTLE_ENDIAN);
            for (String word : words) {
                if (floats) {
                    bytes.putFloat(Float.parseFloat(word.replace("inf", "Infinity").replace("nan", "NaN")));
                } else {
                    bytes.put((byte) Integer.parseInt(word));
                }
            }
            found.add(bytes.array());
        }
    }

    private static boolean play(String library, Path folder) throws IOException {
        Path config = folder.resolve("config.json");
        Corecall core = new Corecall(library, Files.exists(config) ? Files.readString(config) : "{}");
        boolean good = true;
        int step = 1;
        for (; Files.exists(folder.resolve(step + ".request.json")); step++) {
            byte[] request = Files.readAllBytes(folder.resolve(step + ".request.json"));
            String got = shown(core.send(request, 0, attachments(folder, step)), "\n") + "\n";
            byte[] expected = Files.readAllBytes(folder.resolve(step + ".expect"));
            if (!Arrays.equals(got.getBytes(StandardCharsets.UTF_8), expected)) {
                OUT.println("FAILED " + folder + " step " + step + ": " + got);
                good = false;
            }
        }
        return core.end() == 0 && good && step > 1;
    }

    private static void cases(String library, Path folder) throws IOException {
        int passed = 0;
        List<Path> folders;
        try (Stream<Path> items = Files.list(folder)) {
            folders = items.filter(Files::isDirectory).sorted().toList();
        }
        for (Path item : folders) {
            passed += play(library, item) ? 1 : 0;
        }
        OUT.println(passed + " passed, " + (folders.size() - passed) + " failed");
    }

    private static void threads(Corecall core) throws InterruptedException {
        String payload = "{\"model\":\"test-hash:64\",\"entries\":[{\"id\":\"a\",\"content\":\"two threads at once\"}]}";
        String alone = core.call("prepare", payload).json();
        AtomicInteger same = new AtomicInteger();
        Runnable ask = () -> {
            for (int round = 0; round < 100; round++) {
                Corecall.Reply reply = core.call("prepare", payload);
                same.addAndGet(reply.status() == 0 && reply.json().equals(alone) ? 1 : 0);
            }
        };
        Thread[] workers = {new Thread(ask), new Thread(ask)};
        for (Thread worker : workers) {
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        OUT.println("threads: " + same + " replies as alone");
    }

    private static String list(int count, IntFunction<String> item) {
        return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(","));
    }

    private static void cancel(Corecall core) throws InterruptedException {
        String entries = list(5000, n -> "{\"id\":\"m" + n + "\",\"content\":\"a long call\"}");
        byte[] request = Corecall.request("prepare", "{\"model\":\"test-hash:256\",\"entries\":[" + entries + "]}");
        AtomicReference<Corecall.Reply> last = new AtomicReference<>();
        Thread worker = new Thread(() -> {
            for (int round = 0; round < 100 && (last.get() == null || last.get().status() == 0); round++) {
                last.set(core.send(request, 7));
            }
        });
        worker.start();
        while (worker.isAlive()) {
            core.cancel(7);
        }
        show("cancel", last.get());
    }

    private static Corecall.Reply publish(Corecall core, String model, String vectors, IntFunction<String> feature,
            byte[]... attached) {
        String snapshots = list(64, n -> "{\"id\":\"m%d\",\"entry\":{\"id\":\"m%d\",\"title\":\"t%d\"}%s}"
                .formatted(n, n, n, feature.apply(n)));
        return core.call("resident_publish",
                "{\"model\":\"" + model + "\",\"snapshots\":[" + snapshots + "]" + vectors + "}", attached);
    }

    private static Corecall.Reply related(Corecall core, String model, String key) {
        return core.call("related_business", """
                {"model":"%s","resident_key":"%s","query":{"text":"","limit":1},"ids":["m5"],"pairs":[],
                 "related_settings":{"relations":["neighbor"]}}""".formatted(model, key));
    }

    private static void mebibyte(Corecall core) {
        // 64 rows of 4,096 numbers are 1 MiB; each two rows are equal, so m4 is the neighbour of m5.
        ByteBuffer rows = ByteBuffer.allocate(64 * 4096 * 4).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < 64; row++) {
            rows.putFloat((row * 4096 + row / 2) * 4, 1);
        }
        String vectors = ",\"vectors\":{\"ids\":[" + list(64, n -> "\"m" + n + "\"")
                + "],\"data\":{\"$attachment\":0,\"dtype\":\"f32\",\"shape\":[64,4096]}}";
        show("1 MiB in", publish(core, "host:caller", vectors, n -> "", rows.array()));
        show("related", related(core, "host:caller", "r1"));

        String entries = list(64, n -> "{\"id\":\"m" + n + "\",\"content\":\"" + (1000 + n / 2) + "\"}");
        List<byte[]> out = core.call("prepare", "{\"model\":\"test-hash:4096\",\"entries\":[" + entries + "]}").attachments();
        int size = out.stream().mapToInt(bytes -> bytes.length).sum();
        OUT.println("attachments out: " + out.size() + ", " + (size >= 1 << 20 ? "1 MiB or more" : "less than 1 MiB"));
        show("and in again", publish(core, "test-hash:4096", "",
                n -> ",\"features\":{\"artifact\":{\"$attachment\":%d,\"dtype\":\"u8\",\"shape\":[%d]}}"
                        .formatted(n, out.get(n).length), out.toArray(byte[][]::new)));
        show("related", related(core, "test-hash:4096", "r2"));
    }

    public static void main(String[] arguments) throws Exception {
        Path sdk = Path.of(arguments[0]).toAbsolutePath();
        String library = sdk.resolve("lib/libcorecall.so").toString();
        cases(library, sdk.resolve("share/corecall/contract/cases"));
        Corecall core = new Corecall(library, ""); // NULL and length 0
        threads(core);
        cancel(core);
        mebibyte(core);
        show("no request", core.send(new byte[0], 0));
        show("empty attachment", core.send(CAPABILITIES, 0, new byte[0]));
        OUT.println("close: " + core.end());
        show("call after close", core.send(CAPABILITIES, 0));
        OUT.println("close again: " + core.end());
    }
}
