"""The cold path: a tiny run, and unseen sources through the compiler and the parser."""

import itertools

import pytest

from snippets import snippets

SEEDS = itertools.count(1)


def test_every_seed_compiles(monkeypatch):
    """Two equal names were so rare that a seed failed only now and then; with one syllable they are common."""
    monkeypatch.setattr("snippets._SYLLABLES", ["ba"])
    for seed in range(100):
        for source in snippets(4, seed):
            compile(source, "unseen.py", "exec")


def test_one_plus_one(benchmark, kimi):
    benchmark.group = "cold"

    def thousand():
        return kimi.ask(do="one_plus_one", count=1000)["seconds"]

    benchmark.extra_info["kimi_seconds"] = min(thousand() for _ in range(3))
    benchmark.pedantic(thousand, rounds=5)


@pytest.mark.parametrize("stage", ["compile", "parse"])
def test_unseen_sources(benchmark, base, kimi, stage):
    benchmark.group = "cold"
    best = {"cpython": 1e9, "kimi": 1e9}

    def fresh():
        sources = snippets(50, next(SEEDS))
        best["cpython"] = min(best["cpython"], base.ask(do="sources", stage=stage, sources=sources)["seconds"])
        return (sources,), {}

    def fifty(sources):
        best["kimi"] = min(best["kimi"], kimi.ask(do="sources", stage=stage, sources=sources)["seconds"])

    benchmark.pedantic(fifty, setup=fresh, rounds=5)
    benchmark.extra_info.update(
        baseline=base.description,
        cpython_seconds=best["cpython"],
        kimi_seconds=best["kimi"],
        ratio=round(best["cpython"] / best["kimi"], 3),
    )
