// corecall for C++17: what is opened is closed, what is allocated is freed. Copy it beside your program.
#pragma once

#include <corecall.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace corecall {

/// A reply; its views live as long as it does.
class Reply {
public:
    Reply(int32_t status, corecall_reply *reply) : status(status), reply_(reply, corecall_reply_free) {}

    std::string_view json() const
    {
        corecall_slice view = {nullptr, 0};
        corecall_reply_json(reply_.get(), &view);
        return {static_cast<const char *>(view.data), view.len};
    }

    std::vector<corecall_slice> attachments() const
    {
        std::vector<corecall_slice> found;
        for (corecall_slice view; corecall_reply_attachment(reply_.get(), found.size(), &view) == CORECALL_OK;)
            found.push_back(view);
        return found;
    }

    int32_t status;

private:
    std::unique_ptr<corecall_reply, void (*)(corecall_reply *)> reply_;
};

/// An open core. Every method may be called from any thread.
class Core {
public:
    /// Throws with the reply's JSON where it can't be opened.
    explicit Core(std::string_view config)
    {
        corecall_reply *reply = nullptr;
        int32_t status = corecall_open(config.data(), config.size(), &handle_, &reply);
        Reply opened(status, reply);
        if (status != CORECALL_OK)
            throw std::runtime_error(std::string(opened.json()));
    }
    ~Core() { corecall_close(handle_); }
    Core(const Core &) = delete;
    Core &operator=(const Core &) = delete;

    /// Sends a whole request.
    Reply send(std::string_view request, const std::vector<corecall_slice> &attachments = {}, uint64_t ticket = 0)
    {
        corecall_reply *reply = nullptr;
        int32_t status = corecall_call(handle_, ticket, request.data(), request.size(), attachments.data(),
                                       attachments.size(), &reply);
        return {status, reply};
    }

    /// Runs one operation with a payload written as JSON.
    Reply call(const std::string &operation, const std::string &payload,
               const std::vector<corecall_slice> &attachments = {}, uint64_t ticket = 0)
    {
        return send(R"({"schema_version":1,"request_id":"caller","operation":")" + operation + R"(","payload":)" + payload +
                        "}", attachments, ticket);
    }

    int32_t cancel(uint64_t ticket) { return corecall_cancel(handle_, ticket); }
    int32_t close() { return corecall_close(handle_); }

private:
    corecall_handle handle_ = 0;
};

} // namespace corecall
