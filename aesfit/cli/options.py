# SPDX-License-Identifier: MIT
"""Options that several verbs take, each described once."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ignore stored results.")]
OnePlatform = Annotated[str, typer.Option(metavar="<p>", help="By name or TOML file.")]
Cores = Annotated[str | None, typer.Option(metavar="<core,..>", help="Only these cores.")]
Ghash = Annotated[
    str | None,
    typer.Option(metavar="<ghash>", help="Multiplier of GCM; shift32 or clmul otherwise."),
]
FlashWait = Annotated[
    int | None,
    typer.Option(metavar="<n>", help="Flash wait states; the platform's otherwise.", min=0),
]
Warm = Annotated[
    bool,
    typer.Option("--warm", help="Begin with caches as an equal call left them (soft CPUs)."),
]
Tables = Annotated[
    str | None,
    typer.Option(metavar="flash|ram", help="Where tables lie; as the platform otherwise."),
]
CacheSize = Annotated[
    str | None, typer.Option(metavar="<16K>", help="Bytes of the data cache, where there is one.")
]
Ways = Annotated[int | None, typer.Option(metavar="<4>", help="Lines in a set of it.", min=1)]
Line = Annotated[int | None, typer.Option(metavar="<16>", help="Bytes of a line of it.", min=1)]
MissPenalty = Annotated[
    float | None, typer.Option(metavar="<17>", help="Cycles that a miss costs.", min=0)
]
