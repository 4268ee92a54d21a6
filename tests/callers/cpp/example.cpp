#include "corecall.hpp"

#include <iostream>

int main()
{
    corecall::Core library(R"({"path":":memory:"})"); // or a file
    auto call = [&](const char *operation, const char *payload) {
        corecall::Reply reply = library.call(operation, payload);
        if (reply.status != CORECALL_OK)
            throw std::runtime_error(std::string(reply.json()));
        std::cout << operation << ": " << reply.json() << '\n';
    };

    // Remember a fact, supersede it, link another to it. A title names its memory.
    call("remember", R"({"title":"Deploy day","content":"Deploys run every Friday."})");
    call("remember", R"({"title":"New deploy day","content":"Deploys run on Tuesdays, after the smoke tests.",
                         "supersedes":"Deploy day"})");
    call("remember", R"({"title":"Undo","content":"make undo rolls a release back.","see_also":["New deploy day"]})");

    // The old fact is found by its words, marked as superseded; the new one stands beside it, among `related`.
    call("recall", R"({"text":"deploys every Friday","limit":1})");
    call("relations", R"({"id":"New deploy day"})");
}
