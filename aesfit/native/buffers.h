/* SPDX-License-Identifier: MIT */
/* Bytes in and out of Python without copies.
 *
 * An Input or Output holds the buffer's export until it goes out of scope, so a bytearray cannot
 * be resized under a running call.  Only C-contiguous memory is accepted.  A `bytes` object is
 * immutable and borrowed for the call: no export is taken, which is the fast path. */
#pragma once

#include "native.h"

class Input
{
  public:
    Input(nb::handle object, const char *name)
    {
        if (PyBytes_CheckExact(object.ptr())) {
            data = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(object.ptr()));
            size = static_cast<size_t>(PyBytes_GET_SIZE(object.ptr()));
        } else {
            acquire(object, name);
        }
    }
    ~Input()
    {
        if (view_.obj != nullptr)
            PyBuffer_Release(&view_);
    }
    Input(const Input &) = delete;
    Input &operator=(const Input &) = delete;

    const uint8_t *data;
    size_t size;

  protected:
    Input(nb::handle object, const char *name, int flags)
    {
        acquire(object, name, flags);
    }

  private:
    void acquire(nb::handle object, const char *name, int flags = PyBUF_SIMPLE);
    Py_buffer view_{};
};

/* Keys, IVs, nonces and tags: as Input, but of single bytes.  What an array of floats or of wider
 * integers holds depends on the machine, and is no key. */
class ByteInput : public Input
{
  public:
    ByteInput(nb::handle object, const char *name) : Input(object, name)
    {
        if (!PyBytes_CheckExact(object.ptr()))
            check_bytes(object, name);
    }

  private:
    static void check_bytes(nb::handle object, const char *name);
};

/* As Input, None being no bytes at all. */
class OptionalInput : public Input
{
  public:
    OptionalInput(nb::handle object, const char *name)
        : Input(object.is_none() ? empty() : object, name)
    {
    }

  private:
    static nb::handle empty();
};

/* A writable buffer of the caller. */
class Output : public Input
{
  public:
    Output(nb::handle object, const char *name) : Input(object, name, PyBUF_WRITABLE)
    {
    }
    uint8_t *writable() const
    {
        return const_cast<uint8_t *>(data);
    }

    /* ValueError unless at least `bytes` fit. */
    void need(size_t bytes, const char *name) const;
    /* ValueError unless the first `bytes` share no byte with `other`. */
    void apart_from(const Input &other, size_t bytes, const char *name) const;
    /* As apart_from, but starting at the very same byte is allowed too: in place. */
    void same_or_apart(const Input &other, size_t bytes, const char *name) const
    {
        if (data != other.data)
            apart_from(other, bytes, name);
    }
};

/* A new `bytes` object that the library writes in place; wiped unless it is taken. */
class Result
{
  public:
    explicit Result(size_t size);
    ~Result();
    Result(const Result &) = delete;
    Result &operator=(const Result &) = delete;

    uint8_t *data() const
    {
        return reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(bytes_));
    }
    size_t size() const
    {
        return static_cast<size_t>(PyBytes_GET_SIZE(bytes_));
    }
    /* Hands the object over, cut to its first `used` bytes. */
    nb::object take(size_t used);
    nb::object take()
    {
        nb::object taken = nb::steal(bytes_);
        bytes_ = nullptr;
        return taken;
    }

  private:
    PyObject *bytes_;
};

/* Lets other threads run while a long call works; short calls keep the interpreter. */
class Unlocked
{
  public:
    explicit Unlocked(size_t bytes) : state_(bytes > 8192 ? PyEval_SaveThread() : nullptr)
    {
    }
    ~Unlocked()
    {
        if (state_ != nullptr)
            PyEval_RestoreThread(state_);
    }
    Unlocked(const Unlocked &) = delete;
    Unlocked &operator=(const Unlocked &) = delete;

  private:
    PyThreadState *state_;
};

/* Sum of two lengths or MemoryError: nothing that large can be allocated. */
size_t add_sizes(size_t a, size_t b);
