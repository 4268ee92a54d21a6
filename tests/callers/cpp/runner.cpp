// Plays the contract cases and the callers' programme (../README.md) in C++.   usage: runner SDK_FOLDER
#include "corecall.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

namespace fs = std::filesystem;
using corecall::Core;
using corecall::Reply;

static std::optional<std::string> read(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

/// Status and reply, with a `*` for an error's message.
static std::string shown(const Reply &reply, char between)
{
    std::string json(reply.json());
    static const std::string start = R"(,"message":")", end = R"(","path":)";
    size_t head = json.find(start);
    size_t tail = head == std::string::npos ? head : json.find(end, head + start.size());
    if (reply.status != CORECALL_OK && tail != std::string::npos)
        json.replace(head + start.size(), tail - head - start.size(), "*");
    return std::to_string(reply.status) + between + json;
}

static void show(const std::string &name, const Reply &reply)
{
    std::cout << name << ": " << shown(reply, ' ') << '\n';
}

// -- Contract cases -----------------------------------------------------------------------------------------

static std::vector<std::string> read_attachments(const fs::path &folder, const std::string &step)
{
    std::vector<std::string> found;
    for (;;) {
        std::string name = step + ".attachment-" + std::to_string(found.size());
        std::string bytes, word;
        if (auto floats = read(folder / (name + ".f32"))) {
            for (std::istringstream words(*floats); words >> word;) {
                float value = std::strtof(word.c_str(), nullptr);
                char raw[sizeof value];
                std::memcpy(raw, &value, sizeof value);
                bytes.append(raw, sizeof raw);
            }
        } else if (auto numbers = read(folder / (name + ".u8"))) {
            for (std::istringstream words(*numbers); words >> word;)
                bytes.push_back(static_cast<char>(std::stoi(word)));
        } else {
            return found;
        }
        found.push_back(bytes);
    }
}

static bool play(const fs::path &folder)
{
    Core core(read(folder / "config.json").value_or("{}"));
    bool good = true;
    int number = 1;
    for (;; number++) {
        std::string step = std::to_string(number);
        auto request = read(folder / (step + ".request.json"));
        if (!request)
            break;
        std::vector<std::string> attachments = read_attachments(folder, step);
        std::vector<corecall_slice> slices;
        for (const std::string &bytes : attachments)
            slices.push_back({bytes.data(), bytes.size()});
        std::string got = shown(core.send(*request, slices), '\n') + '\n';
        if (got != read(folder / (step + ".expect"))) {
            std::cout << "FAILED " << folder.filename() << " step " << step << ": " << got;
            good = false;
        }
    }
    return core.close() == CORECALL_OK && good && number > 1;
}

static void cases(const fs::path &folder)
{
    std::set<fs::path> folders;
    for (const fs::directory_entry &item : fs::directory_iterator(folder))
        if (item.is_directory())
            folders.insert(item.path());
    size_t passed = 0;
    for (const fs::path &path : folders)
        passed += play(path);
    std::cout << passed << " passed, " << folders.size() - passed << " failed\n";
}

// -- The programme ------------------------------------------------------------------------------------------

static void threads(Core &core)
{
    const std::string payload = R"({"model":"test-hash:64","entries":[{"id":"a","content":"two threads at once"}]})";
    Reply alone = core.call("prepare", payload);
    std::atomic<int> same = 0;
    auto ask = [&] {
        for (int round = 0; round < 100; round++) {
            Reply reply = core.call("prepare", payload);
            same += reply.status == CORECALL_OK && reply.json() == alone.json();
        }
    };
    std::thread one(ask), two(ask);
    one.join();
    two.join();
    std::cout << "threads: " << same << " replies as alone\n";
}

static void cancel(Core &core)
{
    std::string payload = R"({"model":"test-hash:256","entries":[)";
    for (int number = 0; number < 5000; number++)
        payload += (number > 0 ? "," : "") + (R"({"id":"m)" + std::to_string(number)) + R"(","content":"a long call"})";
    payload += "]}";
    std::optional<Reply> last;
    std::atomic<bool> returned = false;
    std::thread worker([&] {
        for (int round = 0; round < 100 && (!last || last->status == CORECALL_OK); round++)
            last = core.call("prepare", payload, {}, 7);
        returned = true;
    });
    while (!returned)
        core.cancel(7);
    worker.join();
    show("cancel", *last);
}

static Reply publish(Core &core, const std::string &model, const std::vector<std::string> &features,
                     const std::string &vectors, const std::vector<corecall_slice> &attachments)
{
    std::string snapshots;
    for (size_t row = 0; row < features.size(); row++) {
        std::string n = std::to_string(row);
        snapshots += (row > 0 ? "," : "") + (R"({"id":"m)" + n) + R"(","entry":{"id":"m)" + n + R"(","title":"t)" + n +
                     R"("})" + features[row] + "}";
    }
    return core.call("resident_publish", R"({"model":")" + model + R"(","snapshots":[)" + snapshots + "]" + vectors + "}",
                     attachments);
}

static Reply related(Core &core, const std::string &model, const std::string &key)
{
    return core.call("related_business",
                     R"({"model":")" + model + R"(","resident_key":")" + key +
                         R"(","query":{"text":"","limit":1},"ids":["m5"],"pairs":[],)"
                         R"("related_settings":{"relations":["neighbor"]}})");
}

static void mebibyte(Core &core)
{
    // 64 rows of 4,096 numbers are 1 MiB; each two rows are equal, so m4 is the neighbour of m5.
    constexpr size_t ROWS = 64, COLUMNS = 4096;
    std::vector<float> rows(ROWS * COLUMNS);
    std::string ids, entries;
    for (size_t row = 0; row < ROWS; row++) {
        rows[row * COLUMNS + row / 2] = 1;
        std::string id = (row > 0 ? ",\"m" : "\"m") + std::to_string(row) + '"';
        ids += id;
        entries += (row > 0 ? "," : "") + (R"({"id":"m)" + std::to_string(row)) + R"(","content":")" +
                   std::to_string(1000 + row / 2) + "\"}";
    }
    std::string vectors = R"(,"vectors":{"ids":[)" + ids + R"(],"data":{"$attachment":0,"dtype":"f32","shape":[64,4096]}})";
    show("1 MiB in", publish(core, "host:caller", std::vector<std::string>(ROWS), vectors,
                             {{rows.data(), rows.size() * sizeof(float)}}));
    show("related", related(core, "host:caller", "r1"));

    Reply prepared = core.call("prepare", R"({"model":"test-hash:4096","entries":[)" + entries + "]}");
    std::vector<corecall_slice> out = prepared.attachments();
    std::vector<std::string> features;
    size_t size = 0;
    for (const corecall_slice &view : out) {
        features.push_back(R"(,"features":{"artifact":{"$attachment":)" + std::to_string(features.size()) +
                           R"(,"dtype":"u8","shape":[)" + std::to_string(view.len) + "]}}");
        size += view.len;
    }
    std::cout << "attachments out: " << out.size() << ", " << (size >= 1 << 20 ? "1 MiB or more" : "less than 1 MiB") << '\n';
    show("and in again", publish(core, "test-hash:4096", features, "", out));
    show("related", related(core, "test-hash:4096", "r2"));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    cases(fs::path(argv[1]) / "share/corecall/contract/cases");
    Core core({}); // NULL and length 0
    threads(core);
    cancel(core);
    mebibyte(core);
    show("no request", core.send({}));
    show("empty attachment", core.call("capabilities", "{}", {{nullptr, 0}}));
    std::cout << "close: " << core.close() << '\n';
    show("call after close", core.call("capabilities", "{}"));
    std::cout << "close again: " << core.close() << '\n';
}
