"""Recomputes the figures of docs/results/answer.md from the stored rows, without plyfit.

    python3 docs/results/study/answer.py

A group is the units of one source in one world at one tested depth; an observation is
the mean over a source's depths, in logarithms for ratios. Worlds are means over their
sources. Intervals are of 95%, by Student's t.
"""
import csv
import json
import lzma
import math
from pathlib import Path

here = Path(__file__).resolve().parent
protocol = json.loads((here.parents[2] / "study/protocols/2026-12.json").read_text())
least = protocol["exclusions"]["loss"]  # of minimax, for the registered ratio
T975 = [math.nan, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]


def t975(freedom):
    """The quantile of Student's t; beyond 15 degrees of freedom by Hill's expansion."""
    if freedom < len(T975):
        return T975[freedom]
    z, n = 1.959963984540054, freedom
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2) + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def interval(values):
    values = list(values)
    m, n = mean(values), len(values)
    half = t975(n - 1) * math.sqrt(sum((x - m) ** 2 for x in values) / (n - 1) / n)
    return m, m - half, m + half


def groups():
    units = {}
    with lzma.open(here / "confirmed/2026-12-rows.csv.xz", "rt") as f:
        for row in csv.DictReader(f):
            key = row["world"], row["source"], int(row["depth"])
            units.setdefault(key, []).append([float(row[name]) for name in ("minimax", "expectimax", "platt", "slope")])
    for world in protocol["worlds"]:
        for source in world["sources"]:
            for depth in world["tested"]:
                rows = units.get((world["id"], source, depth), [])
                if len(rows) >= protocol["exclusions"]["units"] and world["measure"] != "regret":
                    m, e, p, slope = (mean(column) for column in zip(*rows))
                    yield {"world": world["id"], "source": source, "minimax": m, "expectimax": e, "platt": p, "slope": slope,
                           "ratio": not world.get("no_ratio")}


def by_source(some, of):
    """One figure for each source of a world: the mean over its depths."""
    out = {}
    for g in some:
        out.setdefault((g["world"], g["source"]), []).append(of(g))
    return {key: mean(values) for key, values in out.items()}


def by_world(figures):
    out = {}
    for (world, _), x in figures.items():
        out.setdefault(world, []).append(x)
    return {world: mean(values) for world, values in out.items()}


def text(i, change=lambda x: x, digits=2):
    return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(*(change(x) for x in i), d=digits)


def log_ratio(g):
    return math.log(g["expectimax"] / g["minimax"])


everything = list(groups())
with_ratio = [g for g in everything if g["ratio"] and g["expectimax"] > 0 and g["platt"] > 0]
taken = [g for g in with_ratio if g["minimax"] >= least]
dropped = [g for g in everything if g["ratio"] and g["minimax"] < least]
ratios = by_source(taken, log_ratio)
worlds = by_world(ratios)
print("registered: E/M", text(interval(ratios.values()), math.exp), f"over {len(ratios)} sources in worlds")
print("E/M", text(interval(worlds.values()), math.exp), f"over {len(worlds)} worlds:", ", ".join(f"{w} {math.exp(x):.2f}" for w, x in worlds.items()))
print(f"left out, minimax losing less than {least}: {len(dropped)} groups, in {sum(g['expectimax'] > g['minimax'] for g in dropped)} of which expectimax loses more")
for world in sorted({g["world"] for g in dropped}):
    some = [g for g in dropped if g["world"] == world]
    whole = [g for g in everything if g["world"] == world]
    line = f"  {world}: {len(some)} of {len(whole)} groups"
    if len(some) == len(whole):
        line += f"; E/M {math.exp(mean(by_source([g for g in with_ratio if g['world'] == world], log_ratio).values())):.2f}, of summed losses {sum(g['expectimax'] for g in whole) / sum(g['minimax'] for g in whole):.2f}"
    print(line)
for name, keep in {
    "mean of both losses": lambda g: g["minimax"] + g["expectimax"] >= 2 * least,
    "expectimax's loss": lambda g: g["expectimax"] >= least,
    "both losses at least .0005": lambda g: min(g["minimax"], g["expectimax"]) >= 0.0005,
}.items():
    other = by_source([g for g in with_ratio if g["minimax"] > 0 and keep(g)], log_ratio)
    print(f"E/M by another filter, {name}:", text(interval(other.values()), math.exp, 3), f"over {len(other)} sources in worlds,", text(interval(by_world(other).values()), math.exp), "over worlds")
pairs = [g for g in everything if g["ratio"]]
print("difference in points, expectimax's loss less minimax's:", text(interval(g["expectimax"] - g["minimax"] for g in pairs), digits=4), f"over all {len(pairs)} groups")
shares = by_source([g for g in everything if g["expectimax"] >= least], lambda g: 1 - g["platt"] / g["expectimax"])
print("share of scale", text(interval(shares.values()), digits=3), f"over {len(shares)} sources in worlds,", text(interval(by_world(shares).values()), digits=3), f"over {len(by_world(shares))} worlds")
