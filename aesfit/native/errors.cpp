// SPDX-License-Identifier: MIT
// Status codes become Python exceptions.  The exception classes live in aesfit/errors.py.
#include <cstdarg>

#include "native.h"

namespace
{

// Borrowed for the life of the process: an exception may be raised until the very end.
PyObject *authentication_error, *unavailable_core, *self_test_error, *make_unknown;

[[noreturn]] void raise(PyObject *type, const char *format, va_list arguments)
{
    PyErr_FormatV(type, format, arguments);
    va_end(arguments);
    throw nb::python_error();
}

} // namespace

void raise_value_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise(PyExc_ValueError, format, arguments);
}

void raise_type_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise(PyExc_TypeError, format, arguments);
}

void raise_runtime_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise(PyExc_RuntimeError, format, arguments);
}

void raise_authentication_error(const char *sentence)
{
    PyErr_SetString(authentication_error, sentence);
    throw nb::python_error();
}

void raise_self_test_error(const char *failed)
{
    PyErr_Format(self_test_error, "%s: %s", failed == nullptr ? "self-test" : failed,
                 aesfit_strerror(AESFIT_ERR_SELF_TEST));
    throw nb::python_error();
}

void raise_status(int status)
{
    PyObject *type = PyExc_ValueError;
    if (status == AESFIT_ERR_AUTHENTICATION)
        type = authentication_error;
    else if (status == AESFIT_ERR_UNAVAILABLE)
        type = unavailable_core;
    else if (status == AESFIT_ERR_ORDER)
        type = PyExc_RuntimeError;
    PyErr_SetString(type, aesfit_strerror(status));
    throw nb::python_error();
}

void raise_unknown(const char *kind, const char *name, nb::handle known)
{
    nb::object error = nb::borrow(make_unknown)(kind, name, known);
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())), error.ptr());
    throw nb::python_error();
}

void bind_errors()
{
    nb::module_ errors = nb::module_::import_("aesfit.errors");
    authentication_error = nb::object(errors.attr("AuthenticationError")).release().ptr();
    unavailable_core = nb::object(errors.attr("UnavailableCore")).release().ptr();
    self_test_error = nb::object(errors.attr("SelfTestError")).release().ptr();
    make_unknown = nb::object(errors.attr("unknown")).release().ptr();
}
