# SPDX-License-Identifier: MIT
"""The page's API: the answers of the command line, checked input, nothing served but its own."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from web_server import pretending, serving

import aesfit.choosing.answered
import aesfit.choosing.field
import aesfit.web.app
from aesfit.cachemodel.predict import BurstQuestion, predict
from aesfit.cachemodel.question import Lookup, Version
from aesfit.cachemodel.versions import hierarchy, ranked_cores, versions
from aesfit.choosing.answer import fit
from aesfit.choosing.request import Limits, Request
from aesfit.platforms.find import platform_named, platforms
from aesfit.web.guard import TOKEN_HEADER


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pretending(tmp_path_factory.mktemp("web")), serving() as address:
        yield address


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, trust_env=False, timeout=None) as client:
        client.headers[TOKEN_HEADER] = client.get("/api/choices").json()["token"]
        yield client


def ask(client: httpx.Client, **question: object) -> dict[str, Any]:
    """The last line, which is the answer; those before say how far it is."""
    params = {name: str(value) for name, value in question.items()}
    response = client.post("/api/answer", params=params)
    assert response.status_code == 200, response.text
    *early, last = map(json.loads, response.text.splitlines())
    assert {one["state"] for one in early} <= {"measuring", "partial"}
    return dict(last)


@pytest.mark.parametrize(
    ("line", "crossovers"),
    [(16, [(45, "transposed", "ttable4"), (680, "ttable4", "ttable8")]),
     (32, [(28, "transposed", "ttable4"), (420, "ttable4", "ttable8")])],
)  # fmt: skip
def test_the_published_crossovers(
    client: httpx.Client, line: int, crossovers: list[tuple[int, str, str]]
) -> None:
    found = ask(client, platform="lx-st200", line=line)
    assert [(c["calls"], c["from"], c["to"]) for c in found["crossovers"]] == crossovers
    assert [(b["from"], b["core"]) for b in found["best"]] == [
        (1, "transposed"), (crossovers[0][0], "ttable4"), (crossovers[1][0], "ttable8"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"burst": 1},
        {"burst": 44},
        {"burst": 45},
        {"burst": 4096},
        {"cache": 1024, "ways": 1, "burst": 300},
        {"penalty": 0, "burst": 2},
        {"evicted": 10, "burst": 20},
        {"line": 64, "penalty": 50.5, "burst": 100},
    ],
)
def test_the_answer_is_that_of_the_model(client: httpx.Client, changes: dict[str, Any]) -> None:
    platform = platform_named("lx-st200")
    built = hierarchy(
        platform,
        size=changes.get("cache"),
        ways=changes.get("ways"),
        line=changes.get("line"),
        penalty=changes.get("penalty"),
    )
    all_of = versions(platform, ranked_cores(platform))
    share = changes.get("evicted", 100) / 100
    wanted = predict(BurstQuestion("", built, all_of, 1, 4096, share))
    found = ask(client, platform="lx-st200", **changes)
    times = {one.core: wanted.at(one.core, changes["burst"]) for one in all_of}
    assert {one["core"]: one["cycles"] for one in found["ranking"]} == times
    assert found["winner"] == min(times, key=times.__getitem__)
    assert found["winner"] in found["sentence"]
    assert [(b["from"], b["to"], b["core"]) for b in found["best"]] == [
        (one.first, one.last, one.core) for one in wanted.best
    ]


def test_limits_drop_cores_and_say_why(client: httpx.Client) -> None:
    found = ask(client, platform="lx-st200", burst=1000, flash=4352)
    assert found["winner"] == "ttable4"
    assert [one["core"] for one in found["dropped"]] == ["ttable8"]
    assert found["dropped"][0]["reason"] == (
        "8,192 bytes of tables, 3,840 above the limit of 4,352"
    )
    assert {b["core"] for b in found["best"]} == {"transposed", "ttable4"}
    smallest = ask(client, platform="lx-st200", burst=1000, objective="flash")
    assert smallest["winner"] == "transposed"


def test_a_limit_that_nothing_keeps_to_says_so(client: httpx.Client) -> None:
    found = ask(client, platform="lx-st200", timing="proved", flash=10)
    assert found["winner"] is None
    assert found["ranking"] == found["best"] == found["crossovers"] == []
    assert found["sentence"].startswith("No core on Lx (ST200), as published is within 10 bytes")


def request(**changes: Any) -> Request:  # noqa: ANN401 - fields of Request
    return Request(platform_named("pretend"), **changes)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, {}),
        (
            {"key_changes": 1, "bytes": 64, "mode": "cbc"},
            {"messages_per_key": 1, "bytes": 64, "mode": "cbc"},
        ),
        ({"timing": "proved"}, {"limits": Limits(timing="proved")}),
        ({"timing": "any"}, {"limits": Limits(timing="any")}),
        ({"flash": 3000, "ram": 700}, {"limits": Limits(3000, 700)}),
        ({"flash": 1}, {"limits": Limits(1)}),
        ({"objective": "ram", "key_bits": 256}, {"objective": "ram", "key_bits": 256}),
        ({"mode": "cmac", "key_changes": 7}, {"mode": "cmac", "messages_per_key": 7}),
        (
            {"mode": "cbc", "bytes": 64, "encrypt_only": "true"},
            {"mode": "cbc", "bytes": 64, "encrypt_only": True},
        ),
        ({"mode": "block"}, {"mode": "ecb", "bytes": 16, "encrypt_only": True}),
    ],
)
def test_without_a_cache_the_answer_is_that_of_fit(
    client: httpx.Client, query: dict[str, Any], wanted: dict[str, Any]
) -> None:
    asked = request(**wanted)
    names = ranked_cores(asked.platform)
    answer = fit(asked, names)
    found = ask(client, platform="pretend", **query)
    assert found["sentence"] == answer.sentence
    assert found["verdict"] == [line.strip() for line in answer.brief]
    assert found["winner"] == (answer.choice.winner.name if answer.choice.winner else None)
    assert [(one["core"], one["cycles"], one["flash"], one["ram"]) for one in found["ranking"]] == [
        (one.name, one.row.cycles, one.row.flash_bytes, one.row.ram_bytes)
        for one in answer.choice.ranking
    ]
    assert {one["core"] for one in found["ranking"] if one["front"]} == set(answer.choice.pareto)
    assert {one["core"]: one["reason"] for one in found["dropped"]} == {
        one.core: one.reason for one in answer.choice.dropped
    }


def test_the_curve_passes_through_the_ranked_cycles(client: httpx.Client) -> None:
    for question in (
        {"platform": "pretend", "key_changes": 77},
        {"platform": "pretend", "key_changes": 4096},
        {"platform": "lx-st200", "burst": 77, "evicted": 35},
    ):
        found = ask(client, **question)
        at = found["curve"]["calls"].index(found["burst"])
        for one in found["ranking"]:
            assert found["curve"]["cores"][one["core"]][at] == one["cycles"]
    assert ask(client, platform="pretend")["burst"] is None


def test_moving_a_limit_measures_nothing_anew(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(client, platform="pretend")
    measured: list[object] = []
    monkeypatch.setattr(aesfit.choosing.answered, "measure", measured.append)
    for flash in range(1000, 9000, 500):
        found = ask(client, platform="pretend", flash=flash, key_changes=flash // 8)
        assert found["state"] == "ready"
    assert measured == []


def test_measured_cores_behind_a_cache(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sizes come from the rig; a core that cannot be measured is dropped with its reason."""

    def made_up(_: object, names: list[str], **__: object) -> tuple[Version, ...]:
        if names == ["ttable8"]:
            raise ValueError("no such luck")
        tables = (Lookup("t", 64 * len(names[0]), 16),)
        return tuple(Version(name, 1000 + 10 * len(name), 100, tables) for name in names)

    monkeypatch.setattr(aesfit.choosing.field, "versions", made_up)
    found = ask(client, platform="pretend-cached", mode="block", burst=10, timing="any")
    assert {"core": "ttable8", "reason": "no such luck"}.items() <= found["dropped"][-1].items()
    assert found["winner"] == "tiny", "the shortest name"
    assert found["curve"]["calls"][-1] == 4096
    for one in found["ranking"]:
        assert one["flash"] > 0
    safe = ask(client, platform="pretend-cached", mode="block", burst=10, timing="independent")
    assert safe["winner"] == "fixslice"
    assert "its timing is independent of the key: proved" in safe["sentence"]


def test_what_is_missing_is_said_with_a_command(client: httpx.Client) -> None:
    found = ask(client, platform="lacking")
    assert found["state"] == "unavailable"
    assert "apt-get install" in found["reason"]
    offered = {one["name"]: one for one in client.get("/api/choices").json()["platforms"]}
    assert offered["lacking"]["unavailable"] == found["reason"]
    assert offered["pretend"]["unavailable"] is None
    assert set(offered) == {one.name for one in platforms()}
    assert offered["lx-st200"]["kind"] == "cached"
    assert offered["pretend"]["kind"] == "messages"
    assert (offered["lx-st200"]["group"], offered["pretend"]["group"]) == (
        "Published",
        "Soft cores",
    )


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({}, "Field required"),
        ({"platform": "lx-st20"}, "the nearest is 'lx-st200'"),
        ({"platform": "../platforms/lx-st200.toml"}, "there is no platform"),
        ({"platform": "/etc/passwd"}, "there is no platform"),
        ({"platform": "lx-st200", "ways": 0}, "greater than or equal to 1"),
        ({"platform": "lx-st200", "ways": "four"}, "valid integer"),
        ({"platform": "lx-st200", "line": 24}, "a line of 24 bytes is no power of two"),
        ({"platform": "lx-st200", "ways": 64, "cache": 512}, "smaller than one set"),
        ({"platform": "lx-st200", "ways": 3}, "do not divide"),
        ({"platform": "lx-st200", "penalty": "nan"}, "finite"),
        ({"platform": "lx-st200", "penalty": -1}, "greater than or equal to 0"),
        ({"platform": "lx-st200", "evicted": 101}, "less than or equal to 100"),
        ({"platform": "lx-st200", "burst": 0}, "greater than or equal to 1"),
        ({"platform": "lx-st200", "burst": 4097}, "less than or equal to 4096"),
        ({"platform": "lx-st200", "key_bits": 256}, "keys of 128 bits alone"),
        ({"platform": "lx-st200", "key_bits": 100}, "128, 192 or 256"),
        ({"platform": "lx-st200", "flash": ""}, "valid integer"),
        ({"platform": "lx-st200", "objective": "beauty"}, "'cycles', 'flash' or 'ram'"),
        ({"platform": "lx-st200", "colour": "red"}, "Extra inputs"),
        ({"platform": "lx-st200", "timing": "here"}, "'independent' or 'any'"),
        ({"platform": "pretend", "mode": "cmm"}, "there is no mode 'cmm'; the nearest is"),
        ({"platform": "pretend", "mode": "cbc", "bytes": 15}, "16"),
        ({"platform": "pretend", "mode": "xts", "key_bits": 192}, "192"),
        ({"platform": "pretend", "bytes": 1 << 20}, "less than or equal to 16384"),
        ({"platform": "pretend", "ways": 4}, "pretend has no data cache"),
        ({"platform": "pretend", "burst": 64}, "pretend has no data cache"),
        ({"platform": "pretend", "evicted": 100}, "pretend has no data cache"),
        ({"platform": "pretend", "clock": "72"}, "'72' has no unit; write 72MHz"),
        ({"platform": "pretend", "rate": "fast"}, "is not a rate"),
        ({"platform": "pretend", "packets": "64;7"}, "is not a packet size"),
        ({"platform": "pretend", "packets": "64:7", "bytes": 64}, "leave the number of bytes out"),
        ({"platform": "pretend", "packets": "20000:1"}, "up to 8 sizes of up to 16,384 bytes"),
        ({"platform": "pretend", "mode": "gcm", "ghash": "x"}, "there is no GHASH multiplier"),
        ({"platform": "pretend", "misses": "measured"}, "pretend has no data cache"),
        ({"platform": "pretend-cached", "misses": "measured", "burst": 3}, "leave out cache"),
        ({"platform": "pretend", "key_changes": 0}, "greater than or equal to 1"),
        ({"platform": "lx-st200", "mode": "ecb"}, "take the mode block, not ecb"),
        ({"platform": "lx-st200", "bytes": 1504}, "takes 16 bytes, not 1504"),
        ({"platform": "lx-st200", "key_changes": 2}, "begins with its own key set-up"),
        ({"platform": "pretend-cached", "mode": "block", "key_changes": 1}, "own key set-up"),
    ],
)
def test_wrong_input_is_told(client: httpx.Client, query: dict[str, object], told: str) -> None:
    response = client.post("/api/answer", params={k: str(v) for k, v in query.items()})
    assert response.status_code == 422
    assert told in " ".join(one["msg"] for one in response.json()["detail"])


@pytest.mark.parametrize("path", ["/", "/style.css", "/page.js", "/api/choices"])
def test_headers(client: httpx.Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "http" not in policy
    assert "script-src" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"


def test_there_are_no_pages_that_load_from_elsewhere(client: httpx.Client) -> None:
    for path in ("/docs", "/redoc"):
        assert client.get(path).status_code == 404
    assert client.get("/openapi.json").json()["info"]["title"] == "aesfit"
    own = aesfit.web.app.__file__
    for file in Path(own).with_name("static").iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file
        assert "https://" not in text, file


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", ""])
def test_other_hosts_are_refused(client: httpx.Client, host: str) -> None:
    assert client.get("/api/choices", headers={"host": host}).status_code == 400


def test_loopback_has_several_names(client: httpx.Client) -> None:
    for host in ("127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000"):
        assert client.get("/style.css", headers={"host": host}).status_code == 200


def test_nothing_outside_the_folder_is_served(address: str) -> None:
    secret = (ROOT / "aesfit" / "web" / "app.py").read_text(encoding="utf-8")[:60].encode()
    up = ("..", "%2e%2e", ".%2e", "..%2f..", "..%5c..", "%2e%2e%2f", "..;")
    ends = ("app.py", "web/app.py", "aesfit/web/app.py", "pyproject.toml")
    whole: tuple[str, ...] = (
        "//etc/passwd",
        "/%2fetc/passwd",
        "/static/app.py",
        "/app.py",
        "/%00",
        "/style.css%00",
    )
    whole = (*whole, str(ROOT / "pyproject.toml"), "/page.js/../../__init__.py")
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    for path in (*whole, *(f"/{dots}/{end}" for dots in up for end in ends)):
        connection = http.client.HTTPConnection(host, int(port))
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        assert response.status in (400, 404), path
        assert secret not in body


def test_other_methods_are_refused(client: httpx.Client) -> None:
    for method in ("PUT", "DELETE", "PATCH"):
        assert client.request(method, "/api/answer").status_code == 405
        assert client.request(method, "/index.html").status_code == 405
    assert client.get("/api/answer", params={"platform": "lx-st200"}).status_code == 404
    assert client.post("/api/choices").status_code == 405


ANYTHING = st.one_of(
    st.integers(-2, 70).map(str),
    st.integers().map(str),
    st.floats().map(str),
    st.text(max_size=8),
    st.sampled_from(["lx-st200", "pretend", "lacking", "true", "ccm", "gcm", "kw", "flash", "256"]),
)
FIELDS = ("cache", "line", "ways", "penalty", "evicted", "burst", "key_changes", "flash", "ram",
    "timing", "encrypt_only", "objective", "mode", "bytes", "key_bits", "clock", "rate",
    "ghash", "packets", "misses", "other")  # fmt: skip
PLATFORMS = st.sampled_from(["lx-st200", "pretend", "pretend-cached", "lacking"]) | ANYTHING


@settings(max_examples=80, derandomize=True)
@given(platform=PLATFORMS, more=st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=3))
def test_whatever_is_asked_is_answered(
    client: httpx.Client, platform: str, more: dict[str, str]
) -> None:
    response = client.post("/api/answer", params={"platform": platform, **more})
    assert response.status_code in (200, 422)
    if response.status_code == 422:
        assert all(one["msg"] for one in response.json()["detail"])
    else:
        assert json.loads(response.text.splitlines()[-1])["state"] in ("ready", "unavailable")


def test_the_block_alone_is_offered_and_its_command_asks_the_same(client: httpx.Client) -> None:
    """Without a data cache it is a firmware that only encrypts, as `aesfit fit` has it."""
    offered = {one["name"]: one for one in client.get("/api/choices").json()["platforms"]}
    assert "block" in offered["pretend"]["modes"]
    found = ask(client, platform="pretend", mode="block")
    assert found["command"] == "aesfit fit --platform pretend --mode block --encrypt-only"
    assert "decrypt" not in found["sentence"]
