# SPDX-License-Identifier: MIT
"""The groups in which the page lists the project's platforms."""

from aesfit.platforms.find import platforms
from aesfit.web.offers import _group, _listed


def test_the_list_has_groups_in_their_order() -> None:
    found = list(dict.fromkeys(_group(one) for one in _listed()))
    assert found == [
        "Published",
        "Processors with a data cache",
        "Processors with ideal memory",
        "Chips at their highest clock",
        "Soft cores",
        "This computer",
    ]
    group = {one.name: _group(one) for one in platforms()}
    assert group["cortex-m3"] == "Processors with ideal memory"
    assert group["arm920t"] == "Processors with a data cache"
    assert group["stm32f103"] == "Chips at their highest clock"
    assert group["vexriscv-cached"] == group["picorv32"] == "Soft cores"
