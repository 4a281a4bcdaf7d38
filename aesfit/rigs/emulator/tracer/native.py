# SPDX-License-Identifier: MIT
"""The tracer's C interface (tracer.h) in ctypes."""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int, c_uint16, c_uint32, c_uint64, c_void_p
from functools import cache

from .shared_object import build

ISAS = (
    *("armv4t", "armv6-m", "armv7-m", "armv7e-m", "armv8-m.main"),
    *("rv32i", "rv32im", "rv32ec", "rv32imb"),
)
"""In the order of aesfit_tracer_isa."""

WATCH_MEMORY, WATCH_RECORD, WATCH_PREDICTOR = 1, 2, 4
SKIPPED_FIRST, PREDICTED_LAST = 1, 2
"""Outcomes of a block."""

(
    RETURNED,
    BUDGET,
    UNALIGNED,
    UNMAPPED_READ,
    UNMAPPED_WRITE,
    UNMAPPED_FETCH,
    INVALID,
    EXCEPTION,
    HALTED,
    STACK,
    TOO_MUCH,
    ENGINE,
) = range(12)


class TracedMemory(Structure):
    """aesfit_tracer_memory."""

    _fields_ = (
        ("start", c_uint32),
        ("size", c_uint32),
        ("host", c_void_p),
        ("region", c_uint32),
        ("writable", c_uint32),
        ("executable", c_uint32),
    )


class TracedCall(Structure):
    """aesfit_tracer_call."""

    _fields_ = (
        ("entry", c_uint32),
        ("registers", c_uint32 * 8),
        ("stack_pointer", c_uint32),
        ("stack_limit", c_uint32),
        ("return_address", c_uint32),
        ("global_pointer", c_uint32),
        ("limit", c_uint64),
    )


class TracedResult(Structure):
    """aesfit_tracer_result."""

    stop: int
    value: int
    pc: int
    fault: int
    fault_size: int
    lowest_stack_pointer: int
    instructions: int
    loads: int
    stores: int
    instruction_trace: int
    address_trace: int
    blocks: int
    paths: int
    operands: int
    accesses: int
    records: int
    order: int
    _fields_ = (
        ("stop", c_uint32),
        ("value", c_uint32),
        ("pc", c_uint32),
        ("fault", c_uint32),
        ("fault_size", c_uint32),
        ("lowest_stack_pointer", c_uint32),
        ("instructions", c_uint64),
        ("loads", c_uint64),
        ("stores", c_uint64),
        ("instruction_trace", c_uint64),
        ("address_trace", c_uint64),
        ("blocks", c_uint64),
        ("paths", c_uint64),
        ("operands", c_uint64),
        ("accesses", c_uint64),
        ("records", c_uint64),
        ("order", c_uint64),
    )


class TracedBlock(Structure):
    """aesfit_tracer_block."""

    _fields_ = (
        ("address", c_uint32),
        ("size", c_uint32),
        ("outcome", c_uint32),
        ("chain", c_uint32),
    )


class TracedPath(Structure):
    """aesfit_tracer_path."""

    _fields_ = (("key", c_uint64), ("count", c_uint64))


class TracedCount(Structure):
    """aesfit_tracer_count."""

    _fields_ = (
        ("address", c_uint32),
        ("kind", c_uint32),
        ("count", c_uint64),
        ("chain", c_uint32),
        ("reserved", c_uint32),
    )


class TracedRecord(Structure):
    """aesfit_tracer_record."""

    _fields_ = (("address", c_uint32), ("size", c_uint16), ("kind", c_uint16))


TABLES = {
    "blocks": TracedBlock,
    "paths": TracedPath,
    "operands": TracedCount,
    "accesses": TracedCount,
    "records": TracedRecord,
    "order": c_uint32,
}
_FUNCTIONS = {
    "open": (c_int, (POINTER(c_void_p), c_int, ctypes.c_uint)),
    "map": (c_int, (c_void_p, POINTER(TracedMemory))),
    "close": (None, (c_void_p,)),
    "forget": (None, (c_void_p,)),
    "run": (None, (c_void_p, POINTER(TracedCall), POINTER(TracedResult))),
    "engine_error": (c_char_p, (c_int,)),
}


@cache
def library() -> ctypes.CDLL:
    """The loaded object; RigUnavailableError tells how to get it."""
    loaded = ctypes.CDLL(str(build()))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, f"aesfit_tracer_{name}")
        function.restype, function.argtypes = result, arguments
    for name in TABLES:
        function = getattr(loaded, f"aesfit_tracer_{name}")
        function.restype, function.argtypes = c_void_p, (c_void_p,)
    return loaded
