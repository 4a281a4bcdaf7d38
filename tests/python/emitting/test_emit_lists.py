# SPDX-License-Identifier: MIT
"""Tables of drop-ins, which one macro lists in the library."""

from aesfit.emitting.entries import Entry, identifiers
from aesfit.emitting.lists import written_out


def test_tables_keep_what_stands_behind_a_list() -> None:
    """A table of one list holds its numbers; a table that continues after the list is unchanged."""

    def entry(text: str, name: str) -> Entry:
        return Entry(
            "code", text, "", (), 0, 0, names=frozenset({name}), uses=frozenset(identifiers(text))
        )

    numbers = entry("#define LIST(W) \\\n    W(0x01020304) W(0x05060708)", "LIST")
    alone = entry("static const uint32_t t[2] = {LIST(TABLE_ENTRY)};", "t")
    longer = entry("static const uint32_t t[3] = {\n    LIST(TABLE_ENTRY)\n    0x09,\n};", "t")
    (_, found) = written_out([numbers, alone], [numbers, alone])
    assert found.text == "static const uint32_t t[2] = {\n    0x01020304u, 0x05060708u,\n};"
    assert written_out([numbers, longer], [numbers, longer]) == [numbers, longer]
