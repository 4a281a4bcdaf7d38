// SPDX-License-Identifier: MIT
// Time of one core in one mode over one file, without Python inside the measured loop.
// aesfit/rigs/host.py decides what to run, how often, and what the numbers mean.
#include <chrono>
#include <cstring>
#include <vector>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#include "cipher.h"

namespace
{

#if defined(__x86_64__) || defined(__i386__)
constexpr const char *unit = "TSC cycles";
uint64_t now()
{
    _mm_lfence();
    return __rdtsc();
}
#else
constexpr const char *unit = "ns";
uint64_t now()
{
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                     std::chrono::steady_clock::now().time_since_epoch())
                                     .count());
}
#endif

// One key for every shape of mode that is measured.
enum class Shape { cipher, ccm, gcm };

class Stopwatch
{
  public:
    Stopwatch(nb::handle core, nb::handle mode, nb::handle key, nb::handle nonce, nb::handle data,
              nb::handle message_bytes, nb::handle tag_bytes)
        : in_(data, "data")
    {
        Input key_bytes(key, "key"), nonce_in(nonce, "nonce");
        const char *name = str_argument(mode, "mode");
        shape_ = std::strcmp(name, "ccm") == 0   ? Shape::ccm
                 : std::strcmp(name, "gcm") == 0 ? Shape::gcm
                                                 : Shape::cipher;
        message_bytes_ = int_argument(message_bytes, "message_bytes", 1, SIZE_MAX / 4);
        tag_bytes_ = int_argument(tag_bytes, "tag_bytes", 0, 16);
        nonce_bytes_ = nonce_in.size;
        if (nonce_bytes_ > 16 || (shape_ == Shape::cipher && nonce_bytes_ != 16))
            raise_value_error("nonce is %zu bytes; it takes 16, fewer for ccm and gcm",
                              nonce_bytes_);
        if (nonce_bytes_ > 0)
            std::memcpy(nonce_, nonce_in.data, nonce_bytes_);
        expand(mode, key_bytes, core);
        size_t messages = (in_.size + message_bytes_ - 1) / message_bytes_;
        out_.resize(in_.size + 16 * messages);
        check(pass());
    }
    ~Stopwatch()
    {
        aesfit_wipe(&gcm_, sizeof gcm_);
    }
    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &operator=(const Stopwatch &) = delete;

    uint64_t run(uint64_t passes)
    {
        nb::gil_scoped_release unlocked;
        uint64_t start = now();
        for (uint64_t i = 0; i < passes; i++)
            (void)pass();
        return now() - start;
    }

    nb::bytes output() const
    {
        return nb::bytes(out_.data(), written_);
    }

  private:
    void expand(nb::handle mode, const Input &bytes, nb::handle core)
    {
        if (shape_ == Shape::cipher) {
            mode_ = &mode_argument(mode);
            keys_ = std::make_shared<Keys>(*mode_, bytes, core);
            return;
        }
        expand_key(&gcm_.aes, core, bytes, AESFIT_ENCRYPT); // words the refusals
        if (shape_ == Shape::gcm)
            check(
                aesfit_gcm_expand_key(&gcm_, core_argument(core), nullptr, bytes.data, bytes.size));
    }

    // The whole file once, message by message; every message under its own nonce.
    int pass()
    {
        uint8_t *out = out_.data();
        uint32_t number = 0;
        for (size_t at = 0; at < in_.size; at += message_bytes_, number++) {
            size_t bytes = in_.size - at < message_bytes_ ? in_.size - at : message_bytes_;
            uint8_t nonce[16];
            size_t written = bytes + tag_bytes_;
            std::memcpy(nonce, nonce_, sizeof nonce);
            for (size_t i = 0; i < 4 && i < nonce_bytes_; i++)
                nonce[i] = static_cast<uint8_t>(nonce[i] ^ number >> 8 * i);
            int status = message(nonce, out, in_.data + at, bytes, &written);
            if (status != AESFIT_OK)
                return status;
            out += written;
        }
        written_ = static_cast<size_t>(out - out_.data());
        return AESFIT_OK;
    }

    int message(const uint8_t *nonce, uint8_t *out, const uint8_t *in, size_t bytes,
                size_t *written)
    {
        if (shape_ == Shape::cipher)
            return crypt_message(*mode_, *keys_, nonce, false, out, bytes + 16, written, in, bytes);
        if (shape_ == Shape::gcm)
            return aesfit_gcm_encrypt(&gcm_, nonce, nonce_bytes_, nullptr, 0, out, in, bytes,
                                      out + bytes, tag_bytes_);
        return aesfit_ccm_encrypt(&gcm_.aes, nonce, nonce_bytes_, nullptr, 0, out, in, bytes,
                                  out + bytes, tag_bytes_);
    }

    Input in_; // keeps the export of a bytearray; a `bytes` is kept alive by keep_alive
    Shape shape_;
    const Mode *mode_ = nullptr;
    std::shared_ptr<Keys> keys_;
    aesfit_gcm_key gcm_;
    uint8_t nonce_[16] = {};
    size_t nonce_bytes_, tag_bytes_, message_bytes_, written_ = 0;
    std::vector<uint8_t> out_;
};

} // namespace

void bind_stopwatch(nb::module_ &m)
{
    m.attr("clock_unit") = unit;
    nb::class_<Stopwatch>(m, "Stopwatch")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle,
                      nb::handle>(),
             nb::arg("core").none(), nb::arg("mode").none(), nb::arg("key").none(),
             nb::arg("nonce").none(), nb::arg("data").none(), nb::arg("message_bytes").none(),
             nb::arg("tag_bytes").none(), nb::keep_alive<1, 6>())
        .def("run", &Stopwatch::run, nb::arg("passes").none())
        .def("output", &Stopwatch::output);
}
