// SPDX-License-Identifier: MIT
// A message fed in pieces: what Cipher.encryptor() and Cipher.decryptor() return.
#include "cipher.h"

#include <cstring>

namespace
{

class Stream
{
  public:
    Stream(const Mode &mode, std::shared_ptr<Keys> keys, const uint8_t iv[16], bool decrypt)
        : mode_(mode), keys_(std::move(keys)), decrypt_(decrypt)
    {
        unsigned direction = decrypt ? AESFIT_DECRYPT : AESFIT_ENCRYPT;
        check(mode.id == AESFIT_XTS
                  ? aesfit_stream_start_xts(&stream_, direction, &keys_->xts, iv)
                  : aesfit_stream_start(&stream_, mode.id, direction, &keys_->one(), iv));
    }
    ~Stream()
    {
        aesfit_wipe(&stream_, sizeof stream_);
    }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    nb::object update(nb::handle data)
    {
        Input in(data, "data");
        Turn turn(*this);
        // What was held back comes out too, so this is the most that one update can give.
        Result out(add_sizes(in.size, stream_.held_bytes));
        return out.take(feed(in, out.data(), out.size()));
    }

    size_t update_into(nb::handle data, nb::handle buffer)
    {
        Input in(data, "data");
        Output out(buffer, "buffer");
        Turn turn(*this);
        size_t room = add_sizes(in.size, stream_.held_bytes);
        out.need(room, "buffer");
        out.apart_from(in, room, "data");
        return feed(in, out.writable(), room);
    }

    nb::object finalize()
    {
        Turn turn(*this);
        uint64_t total = stream_.total;
        Result out(AESFIT_STREAM_HELD);
        size_t written = 0;
        finished_ = true;
        int status = aesfit_stream_finish(&stream_, out.data(), out.size(), &written);
        if (status == AESFIT_ERR_LENGTH)
            check_data_length(mode_, decrypt_, total);
        check(status);
        return out.take(written);
    }

  private:
    // One call at a time, and none after the end.  Taken and returned under the interpreter lock,
    // which the work in between may give up: a second thread is refused, not made to wait.
    class Turn
    {
      public:
        explicit Turn(Stream &stream) : stream_(stream)
        {
            if (stream.busy_)
                raise_runtime_error("another thread is inside this stream");
            if (stream.finished_)
                raise_runtime_error("the stream is finished; start a new one");
            stream.busy_ = true;
        }
        ~Turn()
        {
            stream_.busy_ = false;
        }

      private:
        Stream &stream_;
    };

    size_t feed(const Input &in, uint8_t *out, size_t room)
    {
        size_t written = 0;
        int status;
        {
            Unlocked unlocked(in.size);
            status = aesfit_stream_update(&stream_, out, room, &written, in.data, in.size);
        }
        if (status == AESFIT_ERR_LENGTH)
            check_data_length(mode_, decrypt_, stream_.total + in.size);
        check(status);
        return written;
    }

    const Mode &mode_;
    std::shared_ptr<Keys> keys_;
    aesfit_stream stream_;
    bool decrypt_, busy_ = false, finished_ = false;
};

} // namespace

nb::object make_stream(const Mode &mode, std::shared_ptr<Keys> keys, const uint8_t iv[16],
                       bool decrypt)
{
    return nb::cast(new Stream(mode, std::move(keys), iv, decrypt), nb::rv_policy::take_ownership);
}

void bind_stream(nb::module_ &m)
{
    nb::class_<Stream>(m, "CipherStream",
                       "One message fed in pieces; made by Cipher.encryptor() or .decryptor().")
        .def("update", &Stream::update, nb::arg("data").none(),
             "Take the next bytes; returns what is ready, which may lag behind.")
        .def("update_into", &Stream::update_into, nb::arg("data").none(), nb::arg("buffer").none(),
             "As update(), into `buffer` (len(data) + 32 always suffices; no overlap with data).\n"
             "Returns the bytes written.")
        .def("finalize", &Stream::finalize,
             "End the message; returns the last bytes.  ValueError when the length or the padding\n"
             "is wrong.");
}
