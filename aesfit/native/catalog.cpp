// SPDX-License-Identifier: MIT
// The registers of cores and GHASH multipliers as plain dicts, read from their C structs;
// aesfit/catalog.py makes dataclasses of them.  Also the conversion of scalar arguments.
#include <cstring>

#include "buffers.h"
#include "code_bytes.h" // made by tools/code_bytes.py from the library's object files

extern "C" {
#include "../../lib/src/ghash/ghash.h"
}

namespace
{

const char *direction_name(unsigned direction)
{
    return direction == AESFIT_ENCRYPT   ? "encrypt"
           : direction == AESFIT_DECRYPT ? "decrypt"
                                         : "key-schedule";
}

nb::dict table_dict(const aesfit_table &table)
{
    nb::dict d;
    d["name"] = table.name;
    d["bytes"] = table.bytes;
    d["reads_middle_round"] = table.reads_middle_round;
    d["reads_last_round"] = table.reads_last_round;
    d["direction"] = direction_name(table.direction);
    d["reads_correction"] = nb::make_tuple(table.reads_correction[0], table.reads_correction[1],
                                           table.reads_correction[2]);
    return d;
}

nb::dict round_key_dict(const aesfit_round_key_bytes &bytes)
{
    nb::dict d;
    d["encrypt"] = bytes.encrypt;
    d["decrypt"] = bytes.decrypt;
    d["both"] = bytes.both;
    return d;
}

// Bytes of machine code, or None where the build could not measure them.
nb::object code_bytes(const char *name)
{
    for (const auto &entry : measured_code_bytes)
        if (entry.name != nullptr && std::strcmp(entry.name, name) == 0)
            return nb::int_(entry.bytes);
    return nb::none();
}

nb::dict core_dict(const aesfit_core &core)
{
    nb::list tables;
    for (unsigned i = 0; i < core.table_count; i++)
        tables.append(table_dict(core.tables[i]));
    nb::dict keys, d;
    keys["128"] = round_key_dict(core.round_key_bytes[0]);
    keys["192"] = round_key_dict(core.round_key_bytes[1]);
    keys["256"] = round_key_dict(core.round_key_bytes[2]);
    d["name"] = core.name;
    d["summary"] = core.summary;
    d["source"] = core.source;
    d["lanes"] = core.lanes;
    d["tables"] = tables;
    d["round_key_bytes"] = keys;
    d["constant_time"] = (core.properties & AESFIT_CONSTANT_TIME) != 0;
    d["on_the_fly_keys"] = (core.properties & AESFIT_ON_THE_FLY_KEYS) != 0;
    d["study"] = (core.properties & AESFIT_STUDY) != 0;
    d["study_rounds"] = (core.properties & AESFIT_STUDY_ROUNDS) != 0;
    d["needs"] = core.needs;
    d["available"] = aesfit_core_available(&core) != 0;
    d["code_bytes"] = code_bytes(core.name);
    return d;
}

nb::list cores()
{
    nb::list all;
    for (size_t i = 0; i < aesfit_core_count(); i++)
        all.append(core_dict(*aesfit_core_at(i)));
    return all;
}

nb::list ghashes()
{
    nb::list all;
    for (size_t i = 0; i < aesfit_ghash_count(); i++) {
        const aesfit_ghash &ghash = *aesfit_ghash_at(i);
        nb::dict d;
        d["name"] = ghash.name;
        d["summary"] = ghash.summary;
        d["source"] = ghash.source;
        d["key_bytes"] = ghash.key_bytes;
        d["table_bytes"] = ghash.table_bytes;
        d["constant_time"] = (ghash.properties & AESFIT_CONSTANT_TIME) != 0;
        d["constant_time_multiply"] = (ghash.properties & AESFIT_CONSTANT_TIME_MULTIPLY) != 0;
        d["constant_time_multiply_low"] =
            (ghash.properties & AESFIT_CONSTANT_TIME_MULTIPLY_LOW) != 0;
        d["needs"] = ghash.needs;
        d["available"] = aesfit_ghash_available(&ghash) != 0;
        all.append(d);
    }
    return all;
}

nb::object default_core()
{
    const aesfit_core *core = aesfit_default_core();
    return core == nullptr ? nb::none() : nb::object(nb::str(aesfit_core_name(core)));
}

nb::list names(const nb::list &all)
{
    nb::list out;
    for (nb::handle entry : all)
        out.append(entry["name"]);
    return out;
}

void self_test()
{
    const char *failed = nullptr;
    int status;
    {
        Unlocked unlocked(SIZE_MAX);
        status = aesfit_self_test(&failed);
    }
    if (status == AESFIT_ERR_SELF_TEST)
        raise_self_test_error(failed);
    check(status);
}

} // namespace

const aesfit_core *core_argument(nb::handle name)
{
    if (name.is_none()) {
        const aesfit_core *core = aesfit_default_core();
        if (core == nullptr)
            raise_status(AESFIT_ERR_UNKNOWN_CORE);
        return core;
    }
    const char *wanted = str_argument(name, "core");
    const aesfit_core *core = aesfit_core_by_name(wanted);
    if (core == nullptr)
        raise_unknown("core", wanted, names(cores()));
    if (!aesfit_core_available(core))
        raise_status(AESFIT_ERR_UNAVAILABLE);
    return core;
}

const aesfit_ghash *ghash_argument(nb::handle name)
{
    if (name.is_none())
        return nullptr;
    const char *wanted = str_argument(name, "ghash");
    const aesfit_ghash *ghash = aesfit_ghash_by_name(wanted);
    if (ghash == nullptr)
        raise_unknown("GHASH multiplier", wanted, names(ghashes()));
    if (!aesfit_ghash_available(ghash))
        raise_status(AESFIT_ERR_UNAVAILABLE);
    return ghash;
}

const char *str_argument(nb::handle value, const char *name)
{
    if (!PyUnicode_Check(value.ptr()))
        raise_type_error("%s must be a str, not '%s'", name, Py_TYPE(value.ptr())->tp_name);
    Py_ssize_t bytes = 0;
    const char *text = PyUnicode_AsUTF8AndSize(value.ptr(), &bytes);
    if (text == nullptr || std::strlen(text) != static_cast<size_t>(bytes)) {
        PyErr_Clear();
        raise_value_error("%s is not valid text", name);
    }
    return text;
}

bool bool_argument(nb::handle value, const char *name)
{
    if (!PyBool_Check(value.ptr()))
        raise_type_error("%s must be True or False, not '%s'", name, Py_TYPE(value.ptr())->tp_name);
    return value.is(Py_True);
}

uint64_t int_argument(nb::handle value, const char *name, uint64_t low, uint64_t high)
{
    if (!PyLong_Check(value.ptr()))
        raise_type_error("%s must be an int, not '%s'", name, Py_TYPE(value.ptr())->tp_name);
    uint64_t number = PyLong_AsUnsignedLongLong(value.ptr());
    bool overflow = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (overflow || number < low || number > high)
        raise_value_error("%s is %S; it takes %llu to %llu", name, value.ptr(),
                          static_cast<unsigned long long>(low),
                          static_cast<unsigned long long>(high));
    return number;
}

void bind_catalog(nb::module_ &m)
{
    m.def("cores", &cores);
    m.def("ghashes", &ghashes);
    m.def("default_core", &default_core);
    m.def("self_test", &self_test,
          "Run the known answers of every built-in core; SelfTestError when one fails.");
    m.attr("version") = AESFIT_VERSION;
    m.attr("compiler") = measured_compiler;
    m.attr("code_bytes_reason") = measured_reason;
}
