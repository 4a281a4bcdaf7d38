// SPDX-License-Identifier: MIT
// The slow paths of buffers.h.
#include "buffers.h"

#include <string>

namespace
{

bool readable_buffer(nb::handle object)
{
    return PyObject_CheckBuffer(object.ptr()) != 0;
}

} // namespace

void Input::acquire(nb::handle object, const char *name, int flags)
{
    if (!readable_buffer(object))
        raise_type_error("%s must be bytes or another buffer, not '%s'", name,
                         Py_TYPE(object.ptr())->tp_name);
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) {
        view_.obj = nullptr;
        if (!PyErr_ExceptionMatches(PyExc_BufferError) && !PyErr_ExceptionMatches(PyExc_ValueError))
            throw nb::python_error(); // MemoryError, or what an object's own __buffer__ raises
        PyErr_Clear();
        raise_value_error("%s must be one C-contiguous%s buffer; this '%s' is not", name,
                          flags == PyBUF_WRITABLE ? " writable" : "",
                          Py_TYPE(object.ptr())->tp_name);
    }
    data = static_cast<const uint8_t *>(view_.buf);
    size = static_cast<size_t>(view_.len);
}

void ByteInput::check_bytes(nb::handle object, const char *name)
{
    Py_buffer view;
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_CONTIG_RO | PyBUF_FORMAT) != 0)
        throw nb::python_error();
    std::string format = view.format == nullptr ? "B" : view.format;
    bool single = view.itemsize == 1;
    PyBuffer_Release(&view);
    std::string item = format.empty() ? "B" : format.substr(format.size() - 1); // without the order
    if (!single || (item != "B" && item != "b" && item != "c"))
        raise_type_error("%s must be single bytes; this '%s' has items of type '%s'", name,
                         Py_TYPE(object.ptr())->tp_name, format.c_str());
}

nb::handle OptionalInput::empty()
{
    static PyObject *const none = PyBytes_FromStringAndSize(nullptr, 0);
    return none;
}

void Output::need(size_t bytes, const char *name) const
{
    if (size < bytes)
        raise_value_error("%s is %zu bytes; the result needs %zu", name, size, bytes);
}

void Output::apart_from(const Input &other, size_t bytes, const char *name) const
{
    uintptr_t a = reinterpret_cast<uintptr_t>(data), b = reinterpret_cast<uintptr_t>(other.data);
    if (bytes > 0 && other.size > 0 && a < b + other.size && b < a + bytes)
        raise_value_error("the output overlaps %s", name);
}

Result::Result(size_t size)
{
    if (size > static_cast<size_t>(PY_SSIZE_T_MAX) - 64) // room for the object's own header
        bytes_ = PyErr_NoMemory();
    else
        bytes_ = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (bytes_ == nullptr)
        throw nb::python_error();
}

Result::~Result()
{
    if (bytes_ == nullptr)
        return;
    aesfit_wipe(data(), size());
    Py_DECREF(bytes_);
}

nb::object Result::take(size_t used)
{
    if (used != size()) {
        aesfit_wipe(data() + used, size() - used);
        if (_PyBytes_Resize(&bytes_, static_cast<Py_ssize_t>(used)) != 0)
            throw nb::python_error(); // bytes_ is nullptr then
    }
    return take();
}

size_t add_sizes(size_t a, size_t b)
{
    if (a > SIZE_MAX - b) {
        PyErr_NoMemory();
        throw nb::python_error();
    }
    return a + b;
}
