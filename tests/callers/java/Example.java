public final class Example {
    private static void call(Corecall library, String operation, String payload) {
        Corecall.Reply reply = library.call(operation, payload);
        if (reply.status() != 0) {
            throw new IllegalStateException(reply.json());
        }
        System.out.println(operation + ": " + reply.json());
    }

    public static void main(String[] arguments) {
        String path = arguments[0]; // libcorecall.so
        try (Corecall library = new Corecall(path, "{\"path\":\":memory:\"}")) { // or a file
            // Remember a fact, supersede it, link another to it. A title names its memory.
            call(library, "remember", """
                    {"title":"Deploy day","content":"Deploys run every Friday."}""");
            call(library, "remember", """
                    {"title":"New deploy day","content":"Deploys run on Tuesdays, after the smoke tests.",
                     "supersedes":"Deploy day"}""");
            call(library, "remember", """
                    {"title":"Undo","content":"make undo rolls a release back.","see_also":["New deploy day"]}""");

            // The old fact is found by its words, marked as superseded; the new one stands beside it, in `related`.
            call(library, "recall", """
                    {"text":"deploys every Friday","limit":1}""");
            call(library, "relations", """
                    {"id":"New deploy day"}""");
        }
    }
}
