# SPDX-License-Identifier: Apache-2.0 OR MIT
"""moonbow bench: the form of its results. The figures themselves depend on the machine."""

import json

OPERATIONS = ["keygen", "sign", "verify"]


def test_times(bench):
    bench.run("bench", "rainbow-I-classic", "--seconds", 0, "--json", "out.json").good()
    result = json.loads(bench.read("out.json"))
    assert result["kind"] == "time" and result["machine"]["processor"] and result["machine"]["compiler"]
    [algorithm] = result["algorithms"]
    assert algorithm["security"] == "broken" and algorithm["mode"] == "fast"
    assert [entry["operation"] for entry in algorithm["results"]][:3] == OPERATIONS
    for entry in algorithm["results"]:
        times = entry["nanoseconds"]
        assert (
            entry["samples"] >= 5
            and 0 < times["lower_quartile"] <= times["median"] <= times["upper_quartile"]
        )


def test_prepared_keys_and_choice_of_operations(bench):
    bench.run(
        "bench",
        "rainbow-I-circumzenithal",
        "--seconds",
        0,
        "--operations",
        "verify",
        "--mode",
        "small",
        "--json",
        "out.json",
    ).good()
    results = json.loads(bench.read("out.json"))["algorithms"][0]["results"]
    assert [entry["operation"] for entry in results] == ["verify", "verify, prepared key"]


def test_batch_stands_beside_single_verification(bench):
    arguments = ["bench", "uov-Is", "--seconds", 0, "--operations", "batch", "--json", "out.json"]
    run = bench.run(*arguments).good()
    single, batch = json.loads(bench.read("out.json"))["algorithms"][0]["results"]
    assert single["operation"] == "verify" and batch["operation"] == "batch, one of 64"
    assert batch["signatures_together"] == 64 and "signatures_together" not in single
    ratio = single["ticks"]["median"] / batch["ticks"]["median"]
    assert abs(batch["single_to_batch"] - ratio) <= 0.01 * ratio
    assert batch["nanoseconds"]["lower_quartile"] > 0
    assert f"{ratio:.2f} x".encode() in run.stdout
    bench.run(*arguments, "--mode", "small", "--force").good()
    results = json.loads(bench.read("out.json"))["algorithms"][0]["results"]
    assert [entry["operation"] for entry in results] == ["verify"]


def test_against_another_library(bench, compile_c):
    library = compile_c("nist_library.c", "-shared", "-fPIC")
    run = bench.run(
        "bench", "rainbow-I-classic", "--seconds", 0, "--against", library, "--json", "out.json"
    ).good()
    assert b"do NOT verify" in run.stdout
    algorithm = json.loads(bench.read("out.json"))["algorithms"][0]
    assert algorithm["libraries"] == [{"name": library.name, "signatures_verify_with_moonbow": False}]
    theirs = [entry for entry in algorithm["results"] if entry["implementation"] == library.name]
    assert [entry["operation"] for entry in theirs] == OPERATIONS
    assert all(entry["ratio_to_moonbow"] > 0 for entry in theirs)


def test_a_library_that_overruns_is_caught(bench, compile_c):
    library = compile_c("nist_library.c", "-shared", "-fPIC", "-DOVERRUN")
    bench.run("bench", "rainbow-I-classic", "--against", library).bad("wrote behind a buffer")


def test_what_against_refuses(bench):
    bench.run("bench", "rainbow-I-classic", "--against", "./missing.so").bad("missing.so: cannot load")
    bench.run("bench", "--against", "./missing.so").bad("expected one ALGORITHM")


def test_memory(bench):
    bench.run("bench", "rainbow-I-classic", "--memory", "--json", "out.json").good()
    result = json.loads(bench.read("out.json"))
    figures = {(f["operation"], f["mode"]): f for f in result["algorithms"][0]["results"]}
    assert len(figures) == 8
    for figure in figures.values():
        assert figure["total_bytes"] == figure["scratch_bytes"] + figure["stack_bytes"]
        assert figure["stack_bytes"] < 32768
    assert figures["verify, streamed key", "small"]["total_bytes"] <= 8192


def test_json_is_not_overwritten(bench):
    bench.write("out.json", b"precious")
    bench.run("bench", "rainbow-I-classic", "--json", "out.json").bad("out.json: exists")
    assert bench.read("out.json") == b"precious"
