# SPDX-License-Identifier: MIT
"""`aesfit papers`; one verb, one file.  The entry point `aesfit.verbs` names `app`."""

from aesfit.cli.verbs import LazyGroup, VerbPackage

EXAMPLES: dict[str, tuple[str, ...]] = {
    "check": ("aesfit papers check transposed_table_2", "aesfit papers check all"),
    "files": (
        "aesfit papers files --platform arm9tdmi",
        "aesfit papers files --platform x86-64 --core aesni --sizes 1K,1M --json",
    ),
    "flips": ("aesfit papers flips",),
    "list": ("aesfit papers list",),
    "operations": ("aesfit papers operations --core bytewise --platform arm7tdmi",),
    "report": ("aesfit papers report -o report", "aesfit papers report -o report --measure"),
    "show": ("aesfit papers show mobile_table_1:1", "aesfit papers show transposed_table_2"),
    "run": ("aesfit papers run transposed_table_2", "aesfit papers run all --host"),
}
VERBS = VerbPackage(
    __name__,
    {
        "Experiments": {
            "list": "List all experiments: one for each table, figure or claim.",
            "show": "Show a claim: sentence, code that was run, rows, steps of the rule, and where "
            "it holds.",
            "run": "Measure tables, figures and claims again, and keep the results.",
            "check": "Measure again without keeping anything; fail if results changed.",
            "flips": "Show how firm the verdicts are: which change by reading, place, level, "
            "code or compiler.",
            "report": "Write the report on the papers: a self-contained index.html, and its "
            "pictures.",
        },
        "Measurements of the papers": {
            "files": "Time CBC over a file by size and compiler level, beside a paper's figures.",
            "operations": "Count instructions of a block by class and by function, beside a "
            "published formula.",
        },
    },
    EXAMPLES,
)
app = LazyGroup("papers", "Measure tables, figures and claims of five papers again.", VERBS)
