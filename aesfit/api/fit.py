# SPDX-License-Identifier: MIT
"""`aesfit.fit`: which core fits a processor."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from ..choosing.answer import Answer
from ..choosing.answer import fit as answer_to
from ..choosing.request import (
    BLOCK,
    OBJECTIVES,
    SEARCHED_FLAGS,
    TIMING_LIMITS,
    Bursts,
    Flags,
    GivenCache,
    Limits,
    PacketSizes,
    Request,
    calls_of,
    default_bytes,
    default_mode,
    request_of,
)
from ..choosing.request import jobs as jobs_of
from ..choosing.whole_file import pieces
from ..choosing.worst import deadline_of
from ..errors import ArgumentError, about
from ..jobs.job import Progress
from ..units import check_packets, parse_deadline
from .arguments import (
    Names,
    Packets,
    PlatformLike,
    check_flash_wait,
    check_message,
    check_multiplier,
    chip_of,
    cores_on,
    flags_of,
    mode_called,
    multiplier_of,
    names_of,
    one_of,
    placement_of,
    platform_of,
    positive,
    sizes_of,
    told,
    whole,
)
from .own_code import own_functions_beside


def fit(  # long: what each argument means is said once, here
    platform: PlatformLike,
    *,
    mode: str | None = None,
    payload_bytes: int | None = None,
    packets: Packets | None = None,
    key_bits: int = 128,
    encrypt_only: bool = False,
    messages_per_key: int | None = None,
    max_flash_bytes: int | None = None,
    max_ram_bytes: int | None = None,
    timing: str | None = None,
    objective: str = "cycles",
    clock_hz: float | None = None,
    rate_bit_per_s: float | None = None,
    deadline: str | None = None,
    ghash: str | None = None,
    cores: Names | None = None,
    flags: str | Sequence[str] | None = None,
    flash_wait: int | None = None,
    tables: str | None = None,
    buffers: str | None = None,
    cache_bytes: int | None = None,
    ways: int | None = None,
    line_bytes: int | None = None,
    miss_penalty: float | None = None,
    calls_per_burst: int | None = None,
    evicted: float | None = None,
    explain: bool = False,
    hardware: bool = False,
    hints: bool = False,
    also: str | Sequence[str] = (),
    file: str | PathLike[str] | None = None,
    fresh: bool = False,
    only_known: bool = False,
    earlier: Answer | Iterable[Answer] = (),
    progress: Progress | None = None,
) -> Answer:
    """Measure the cores that a processor can run, and choose one of them.

    The answer is that of `aesfit fit`; measured rows are kept, so the same question is answered at
    once the next time.  Common questions are answered from the atlas (docs/atlas.md), which
    `Answer.origin` says.

    Source: docs/measuring.md says what is counted, and docs/cache-model.md how misses are expected.

    Args:
        platform: a name that `aesfit platforms` lists, the path of a TOML file, or a `Platform`.
        mode: "ecb", "cbc", "ctr", "ccm", "gcm" ...; "block": the block cipher alone.  By default
            "ccm", or "block" where only coefficients of the block cipher are published.
        payload_bytes: payload of one message, in bytes; 1504 by default.
        packets: payload sizes in bytes and how often each comes, relative to the others, in the
            place of `payload_bytes`; figures are then those of a message on average.
        key_bits: 128, 192 or 256.
        encrypt_only: the firmware never decrypts.
        messages_per_key: messages under one key, to which its set-up is charged; None: not
            charged.
        max_flash_bytes: limit of code, constants and tables, in bytes.
        max_ram_bytes: limit of expanded keys and stack, in bytes.
        timing: "proved": only cores of which it is proved that no branch, no address and no
            instruction of variable time depends on a secret; "independent": runs or the claim of
            the code will do; "any": all cores by their costs.  By default all cores, the proved
            first, then by the strength of the evidence.
        objective: quantity to minimise: "cycles", "flash" or "ram".
        clock_hz: clock in Hz; a chip runs at its highest clock by default, and a processor
            alone has none.
        rate_bit_per_s: required payload bits per second.
        deadline: time that one message may take, as "192us", "1.5ms" or "20000cycles"; the answer
            is in `deadline`.
        ghash: GHASH multiplier of GCM; by default all that the processor can run are compared.
        cores: only these; without it all but those that exist for the papers, which "all" adds.
        flags: optimisation flags; "search" tries several sets; by default the platform's.
        flash_wait: wait states of flash, in cycles.
        tables: memory that holds the lookup tables: "flash", "ram" or another one of the platform.
        buffers: "usual" or "reset": buffers and caches of a chip's flash as firmware usually sets
            them, or as they are after reset.
        cache_bytes: size of the data cache in bytes.
        ways: its associativity.
        line_bytes: bytes of a cache line.
        miss_penalty: cycles of a cache miss.
        calls_per_burst: blocks of 16 bytes processed before other code evicts the caches.
        evicted: fraction of the cache lines evicted between bursts, 0 to 1.
        explain: describe the expected cache misses of the best two cores in `explained`.
        hardware: compare the winner with published cycles of the chip's AES engines, in `hardware`;
            `no_engine` says why none is compared.
        hints: where only a limit of flash or RAM keeps a core from winning, measure it in firmware
            that only encrypts and compiled for size, and say in `hints` which of them fits.
        also: functions of your own objects to rank beside the cores, each as
            "my_aes.o:my_encrypt:key,in,out"; docs/measuring.md says how they are called.
        file: compute the cost of encrypting this file, in `Answer.file`.
        fresh: ignore stored results and the atlas.
        only_known: measure nothing; cores whose figures are neither in the atlas nor stored are
            left out, and named in `unmeasured`.
        earlier: answers whose measurements may be used again: those of one that differs in limits,
            objective, rate, deadline, key changes, bursts or data cache alone answer this question
            too, in milliseconds.
        progress: called with the jobs done and their number.

    Returns:
        Answer: `choice.winner`, `choice.ranking` and `choice.dropped`, the `sentence` in words.
        `as_json()` is what `aesfit fit --json` prints.  `rows` has a flat mapping for each core,
        the best first, those over a limit last; cycles are those of one message, sizes in bytes.
        If no core is within the limits, `choice.winner` is None.

    Raises:
        ValueError: the question makes no sense, or names what does not exist.
        TypeError: an argument is of a wrong kind.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    with about():
        target = chip_of(platform_of(platform), clock_hz, buffers)
        named = default_mode(target) if mode is None else mode_called(mode, (BLOCK,))
        check_multiplier(ghash, (named,))
        size = whole("payload_bytes", payload_bytes)
        burst = whole("calls_per_burst", calls_per_burst)
        request = request_of(
            target,
            mode=named,
            bytes=size,
            key_bits=key_bits,
            limits=Limits(
                whole("max_flash_bytes", max_flash_bytes, 0),
                whole("max_ram_bytes", max_ram_bytes, 0),
                None if timing is None else one_of("timing", timing, TIMING_LIMITS),
            ),
            encrypt_only=encrypt_only,
            messages_per_key=whole("messages_per_key", messages_per_key),
            objective=one_of("objective", objective, OBJECTIVES),
            rate=positive("rate_bit_per_s", rate_bit_per_s),
            placement=placement_of(flash_wait, tables),
            ghash=None if ghash is None else multiplier_of(target, ghash),
            bursts=bursts_of(named, size, burst, evicted, explain),
            geometry=GivenCache(cache_bytes, line_bytes, ways, miss_penalty),
            packets=packets_of(packets),
        )
        request = with_deadline(request, deadline)
        costed = None if file is None else Path(file)
        check_length(request, costed)
        variants, able = variants_of(flags), cores_on(target, names_of(cores, "cores"))
        if hardware and also:
            raise ArgumentError("{hardware} compares a core of the library; leave {also} out")
        check_flash_wait(target, flash_wait)
        known = (earlier,) if isinstance(earlier, Answer) else tuple(earlier)
        measures = bool(also) or hardware or hints or file is not None
        _check_known(only_known, earlier=bool(known), fresh=fresh, measures=measures)
        own = own_functions_beside(request, (also,) if isinstance(also, str) else also)
    return answer_to(
        request,
        able,
        variants,
        also=own,
        file=costed,
        fresh=fresh,
        only_known=only_known,
        earlier=known,
        explained=explain,
        hardware=hardware,
        hints=hints,
        progress=told(progress),
    )


def with_deadline(request: Request, deadline: str | None) -> Request:
    """The question with a deadline; ValueError for one that cannot be held against."""
    if deadline is None:
        return request
    with about("deadline"):
        value, unit = parse_deadline(deadline)
    return replace(request, deadline=deadline_of(request, deadline, value, unit))


def _check_known(only_known: bool, *, earlier: bool, fresh: bool, measures: bool) -> None:
    """ValueError where rows that are known are asked for, and something that needs others."""
    if fresh and (only_known or earlier):
        raise ArgumentError(
            "{fresh} measures everything anew; leave {only_known} and {earlier} out",
            argument="fresh",
        )
    if only_known and measures:
        raise ArgumentError(
            "{only_known} measures nothing; leave {also}, {hardware}, {hints} and {file} out",
            argument="only_known",
        )


def packets_of(packets: Packets | None) -> PacketSizes:
    """The sizes of a mix; ValueError for sizes and shares that make no sense."""
    sizes = sizes_of(packets)
    if sizes:
        check_packets(sizes)
    return sizes


def bursts_of(
    mode: str, size: int | None, calls: int | None, evicted: float | None, explain: bool
) -> Bursts | None:
    """The bursts; one message each if only other options are given; BLOCK needs all options."""
    if calls is None and ((evicted is None and not explain) or mode == BLOCK):
        return None
    whole_message = calls_of(default_bytes(mode) if size is None else size)
    return Bursts(whole_message if calls is None else calls, 1.0 if evicted is None else evicted)


def variants_of(flags: str | Sequence[str] | None) -> tuple[Flags, ...]:
    """The sets of flags to try."""
    return SEARCHED_FLAGS if flags == "search" else (flags_of(flags),)


def check_length(request: Request, file: Path | None) -> None:
    """Raise ValueError for messages that take too long to emulate, and for a file too short."""
    for part in request.parts if request.mode != BLOCK else ():
        for job in jobs_of(part, ["any"]):
            check_message(job)
    if file is not None:
        if request.packets:
            raise ArgumentError(
                "{file} needs messages of one size; give {payload_bytes} instead",
                argument="packets",
            )
        pieces(request, file.stat().st_size)
