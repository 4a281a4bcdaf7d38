# SPDX-License-Identifier: MIT
"""The Verilog cores aes32_axil and aes_ccm_axis as modules of LiteX."""

from pathlib import Path

from litex.build.generic_platform import GenericPlatform
from litex.gen import LiteXModule
from litex.soc.interconnect import axi, stream
from litex.soc.interconnect.csr import CSR, CSRField, CSRStatus, CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, If, Instance, ResetSignal, Signal
from migen.fhdl.structure import _Operator

RTL = Path(__file__).resolve().parents[2] / "rtl"
"""The Verilog of aesfit."""


def add_sources(platform: GenericPlatform) -> None:
    """Give the platform the Verilog: of every module, of which only those that are used count."""
    platform.add_verilog_include_path(str(RTL))
    for path in sorted(RTL.glob("*.v")):
        platform.add_source(str(path))


def held_in_reset(module: LiteXModule) -> _Operator:
    """High while the system is in reset and a cycle longer: the cores want two rising edges."""
    longer = Signal(reset=1)
    module.sync += longer.eq(0)
    return ResetSignal() | longer


class AES32(LiteXModule):
    """aes32_axil: put `bus` where the processor does not cache, 256 bytes.

    Its driver in C is drivers/aes32_axil; the interrupt is high while a result waits.
    """

    SIZE = 0x100

    def __init__(self, platform: GenericPlatform) -> None:
        """The core, its clock and reset those of the system."""
        add_sources(platform)
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        irq = Signal()
        self.ev = EventManager()
        self.ev.result = EventSourceLevel()
        self.ev.finalize()
        self.comb += self.ev.result.trigger.eq(irq)
        self.specials += Instance(
            "aes32_axil",
            i_aclk=ClockSignal(),
            i_aresetn=~held_in_reset(self),
            i_s_axi_awaddr=bus.aw.addr[:8],
            i_s_axi_awprot=0,
            i_s_axi_awvalid=bus.aw.valid,
            o_s_axi_awready=bus.aw.ready,
            i_s_axi_wdata=bus.w.data,
            i_s_axi_wstrb=bus.w.strb,
            i_s_axi_wvalid=bus.w.valid,
            o_s_axi_wready=bus.w.ready,
            o_s_axi_bresp=bus.b.resp,
            o_s_axi_bvalid=bus.b.valid,
            i_s_axi_bready=bus.b.ready,
            i_s_axi_araddr=bus.ar.addr[:8],
            i_s_axi_arprot=0,
            i_s_axi_arvalid=bus.ar.valid,
            o_s_axi_arready=bus.ar.ready,
            o_s_axi_rdata=bus.r.data,
            o_s_axi_rresp=bus.r.resp,
            o_s_axi_rvalid=bus.r.valid,
            i_s_axi_rready=bus.r.ready,
            o_irq=irq,
        )


class AESCCM(LiteXModule):
    """aes_ccm_axis: endpoints `key`, `sink` and `source`, for a DMA or, by add_csr(), for software.

    Data has byte 0 lowest; `keep` counts with `last`.  rtl/README.md has the frames.
    """

    def __init__(self, platform: GenericPlatform) -> None:
        """The core, its clock and reset those of the system."""
        add_sources(platform)
        self.key = stream.Endpoint([("data", 32), ("size", 2)])
        self.sink = stream.Endpoint([("data", 32), ("keep", 4)])
        self.source = stream.Endpoint([("data", 32), ("keep", 4)])
        self.erase, self.done, self.ok, self.error = (Signal() for _ in range(4))
        self.specials += Instance(
            "aes_ccm_axis",
            i_aclk=ClockSignal(),
            i_aresetn=~held_in_reset(self),
            i_erase=self.erase,
            i_s_axis_key_tdata=self.key.data,
            i_s_axis_key_tuser=self.key.size,
            i_s_axis_key_tvalid=self.key.valid,
            o_s_axis_key_tready=self.key.ready,
            i_s_axis_tdata=self.sink.data,
            i_s_axis_tkeep=self.sink.keep,
            i_s_axis_tlast=self.sink.last,
            i_s_axis_tvalid=self.sink.valid,
            o_s_axis_tready=self.sink.ready,
            o_m_axis_tdata=self.source.data,
            o_m_axis_tkeep=self.source.keep,
            o_m_axis_tlast=self.source.last,
            o_m_axis_tvalid=self.source.valid,
            i_m_axis_tready=self.source.ready,
            o_done=self.done,
            o_ok=self.ok,
            o_error=self.error,
        )

    def add_csr(self) -> None:
        """Registers: a word that is written is offered until it is taken."""
        self._size = CSRStorage(2, description="Of the key: 0, 1, 2 for 128, 192, 256 bits")
        self._key = CSRStorage(32, description="A word of the key")
        self._frame = CSRStorage(fields=[
            CSRField("keep", size=4, description="Bytes of the last word"),
            CSRField("last", size=1, description="The next word ends its frame"),
        ])  # fmt: skip
        self._word = CSRStorage(32, description="A word of a frame")
        self._result = CSRStatus(32, description="The word that waits")
        self._next = CSR()
        self._erase = CSR()
        self._status = CSRStatus(fields=[
            CSRField("free", size=1, description="Key and word written before are taken"),
            CSRField("valid", size=1, description="A result waits"),
            CSRField("last", size=1, description="It ends its frame"),
            CSRField("keep", size=4, description="Its bytes"),
            CSRField("done", size=1), CSRField("ok", size=1), CSRField("error", size=1),
        ])  # fmt: skip
        for endpoint, register in ((self.key, self._key), (self.sink, self._word)):
            self.comb += endpoint.data.eq(register.storage)
            self.sync += If(register.re, endpoint.valid.eq(1)).Elif(
                endpoint.ready | self.erase, endpoint.valid.eq(0)
            )
        fields = self._status.fields
        self.comb += [
            self.key.size.eq(self._size.storage),
            self.sink.keep.eq(self._frame.fields.keep),
            self.sink.last.eq(self._frame.fields.last),
            self.source.ready.eq(self._next.re),
            self.erase.eq(self._erase.re),
            self._result.status.eq(self.source.data),
            fields.free.eq(~self.key.valid & ~self.sink.valid),
            fields.valid.eq(self.source.valid),
            fields.last.eq(self.source.last),
            fields.keep.eq(self.source.keep),
            fields.done.eq(self.done), fields.ok.eq(self.ok), fields.error.eq(self.error),
        ]  # fmt: skip
