"""Makes the positions of `plyfit model score` and tests whether they predict strength.

    python3 bench.py GAME FOLDER          # resumes from the files in FOLDER
    python3 bench.py GAME FOLDER noise    # afterwards: does noise increase the loss?

The steps, in this order:

1. Train the evaluations listed below. Play each against the hand-written
   evaluation with the planner of the bench. The first twenty with 30% to 70% of
   the points are used. The list was written before any position was chosen.
2. Generate positions by self-play, one per game. Compute the exact value of each
   move. Keep decisions in which the moves differ.
3. Choose the filter (range of plies, quiet or not) by ten of the evaluations:
   the one with the highest Spearman correlation between decision loss and points.
4. Report the correlation for the other ten, with a bootstrap interval. The gate
   is 0.8, with a lower bound above 0.5.
"""

import array
import csv
import functools
import hashlib
import json
import os
import random
import subprocess
import sys

PLYFIT = os.environ.get("PLYFIT", "plyfit")


def train(features, games, *more, seed=1):
    return ["train", "--features", features, "--games", str(games), "--seed", str(seed), *more]


TC = ["--tc", "--alpha", "1", "--lambda", "0.7"]
EVOLUTION = ["--method", "evolution"]


def small_connect4(positions):
    """Solves connect four with five columns, four rows and slips of 0.2.

    A column has five bits, one of which is always 0. mine contains the stones of the
    player to move, and all the stones of both.
    """

    def moves(mine, all):
        for column in range(0, 25, 5):
            stone = (all + (1 << column)) & (15 << column)
            if not stone:
                continue
            after = mine | stone
            pairs = ((after & after >> d, d) for d in (1, 4, 5, 6))
            if any(m & m >> 2 * d for m, d in pairs):
                yield column // 5 + 1, 1.0
            else:
                yield column // 5 + 1, -value(all ^ mine, all | stone)

    @functools.cache
    def value(mine, all):
        values = [v for _, v in moves(mine, all)]
        return 0.8 * max(values) + 0.2 * sum(values) / len(values) if values else 0.0

    for position in positions:
        mine = other = 0
        for c in position.replace("start", ""):
            column = 5 * (int(c) - 1)
            stone = ((mine | other) + (1 << column)) & (15 << column)
            mine, other = other, mine | stone
        after = list(moves(mine, mine | other))
        slip = 0.2 * sum(v for _, v in after) / len(after)
        yield {str(c): 0.8 * v + slip for c, v in after}


PATTERNS = ["--alpha", "0.5", "--lambda", "0.9", "--tc", "--openings", "4", "--label", "wins:0.8", "--on-policy"]


def endgames(folder):
    """Makes 1,000 openings of othello with 20 empty squares, one from each game of self-play."""
    path = f"{folder}/openings.txt"
    if not os.path.exists(path):
        agent = ["--agent", "alphabeta:depth=3", "--openings", "10", "--explore", "0.1"]
        plyfit("selfplay", "othello", "-o", f"{folder}/openings", "--seed", "77", "--games", "1000", *agent)
        plyfit("dataset", "export", f"{folder}/openings", "-o", f"{folder}/openings.epd")
        with open(f"{folder}/openings.epd") as epd:
            positions = sorted({p for p in (line.split(" c9 ")[0] for line in epd) if p[:64].count("-") == 20})
        with open(path, "w") as f:
            f.writelines(f"{p}\n" for p in positions)
    return "@" + path


GAMES = {
    "othello-endgames": {
        "game": "othello",
        "noise": 6,
        "plies": lambda position: 60 - position[:64].count("-"),
        "planner": "alphabeta:depth=3",
        "pairs": 1000,
        "openings": endgames,
        "selfplay": ["--games", "1500", "--agent", "alphabeta:depth=3", "--openings", "10", "--explore", "0.1"],
        "exact": "alphabeta:depth=60,eval=zero",
        "quiet": None,
        "filters": [(43, 48, True), (43, 45, True), (46, 48, True)],
        "most": (640, 0),
        "evaluations": [
            train("othello/patterns", 3000, *PATTERNS, seed=31),
            train("othello/classic", 1000, seed=31),
            train("tuples", 1000, *TC, "--openings", "4", seed=31),
            train("othello/position", 3000, seed=31),
            train("othello/patterns", 10000, *PATTERNS, seed=32),
            train("othello/classic", 300, *TC, seed=32),
            train("tuples", 4000, *TC, "--openings", "4", seed=32),
            train("othello/2-tuples", 20000, *TC, "--openings", "4", seed=32),
            train("othello/patterns", 1000, *PATTERNS, seed=33),
            train("othello/classic", 10000, "--lambda", "0.9", seed=33),
            train("tuples", 2000, *TC, "--openings", "4", seed=33),
            train("othello/position", 300, seed=33),
            train("othello/patterns", 30000, *PATTERNS, seed=34),
            train("othello/classic", 100, seed=34),
            train("tuples", 10000, *TC, "--openings", "4", seed=34),
            train("othello/2-tuples", 5000, *TC, "--openings", "4", seed=34),
            train("othello/patterns", 3000, *TC, "--openings", "4", seed=35),
            train("othello/classic", 3000, seed=35),
            train("tuples", 500, *TC, "--openings", "4", seed=35),
            "othello/swh",
            train("othello/patterns", 5000, *PATTERNS, seed=36),
            train("othello/classic", 500, "--lambda", "1", seed=36),
            train("tuples", 3000, "--tc", "--alpha", "1", "--openings", "4", seed=36),
            train("othello/position", 10000, "--lambda", "0.9", seed=36),
            train("othello/patterns", 2000, *PATTERNS, seed=37),
            train("othello/classic", 2000, *TC, seed=37),
            train("tuples", 1500, *TC, "--openings", "4", seed=37),
            train("othello/2-tuples", 60000, *TC, "--openings", "4", seed=37),
            train("othello/patterns", 500, *PATTERNS, seed=38),
            train("othello/classic", 30000, seed=38),
        ],
    },
    "connect4": {
        "noise": 19,
        "plies": len,  # a position consists of the columns played so far
        "planner": "alphabeta:depth=3",
        "pairs": 400,
        "openings": 6,
        "selfplay": ["--games", "3000", "--agent", "alphabeta:depth=3", "--openings", "8", "--explore", "0.2"],
        "exact": "alphabeta:depth=42,eval=zero",
        "quiet": "alphabeta:depth=5,eval=zero",
        "filters": [(12, 20, True), (12, 24, True), (16, 24, True), (12, 24, False)],
        "most": (500, 250),  # positions to solve, quiet and others
        "evaluations": [
            train("connect4/threats", 300),
            train("connect4/full", 4000, *TC),
            train("tuples", 20000, *TC),
            train("connect4/threats", 1000, seed=2),
            train("connect4/full", 20000, *TC, seed=8),
            "connect4/lines",
            train("connect4/tuples", 40000, *TC),
            train("connect4/threats", 3000, "--lambda", "0.7"),
            train("tuples", 60000, *TC, seed=2),
            "learned",
            train("connect4/full", 2000, *TC, seed=3),
            train("connect4/tuples", 80000, *TC, seed=2),
            train("connect4/threats", 10000, seed=4),
            "connect4/treestrap",
            train("connect4/full", 10000, *TC, seed=5),
            train("tuples", 120000, *TC, seed=3),
            train("connect4/lines", 2000),
            train("connect4/threats", 300, "--lambda", "1", seed=6),
            "connect4/slip",
            train("connect4/full", 40000, *TC, seed=6),
            train("connect4/tuples", 20000, *TC, seed=7),
            train("connect4/lines", 10000, "--lambda", "0.7", seed=2),
            train("connect4/threats", 30000, "--lambda", "0.9", seed=8),
            train("tuples", 10000, *TC, seed=9),
            train("connect4/full", 8000, "--tc", "--alpha", "1", seed=9),
            train("connect4/threats", 1000, "--lambda", "0.9", seed=10),
            train("connect4/full", 1000, *TC, seed=11),
            train("connect4/tuples", 150000, *TC, seed=12),
            train("tuples", 40000, "--tc", "--alpha", "1", seed=13),
            train("connect4/full", 80000, *TC, seed=14),
        ],
    },
    "connect4-slip": {
        "game": "connect4:columns=5,rows=4+slip=0.2",
        "noise": 3,
        "plies": lambda position: len(position.replace("start", "")),
        "planner": "expectimax:depth=1",
        "pairs": 1000,
        "openings": 0,
        "selfplay": ["--games", "100", "--openings", "0"],
        "players": True,  # the ten that choose the filter play against the hand-written evaluation
        "exact": small_connect4,
        "quiet": None,
        "filters": [(0, 18, True), (4, 18, True), (4, 12, True)],
        "most": (2000, 0),
        "repeat": True,
        "evaluations": [
            train("connect4/threats", 250, seed=61),
            train("tuples", 1100, *TC, seed=61),
            train("connect4/threats", 2500, seed=62),
            train("tuples", 9000, *TC, seed=62),
            train("connect4/lines", 900, seed=61),
            train("tuples", 2800, *TC, seed=63),
            train("connect4/threats", 900, *TC, seed=63),
            train("connect4/threats", 120, "--lambda", "1", seed=64),
            train("tuples", 500, *TC, seed=64),
            train("tuples", 600, *TC, seed=65),
            train("tuples", 6000, *TC, seed=66),
            train("connect4/threats", 700, seed=65),
            train("tuples", 1800, "--tc", "--alpha", "1", seed=67),
            train("connect4/threats", 8000, "--lambda", "0.9", seed=66),
            train("tuples", 4500, *TC, seed=68),
            train("connect4/threats", 180, seed=67),
            train("tuples", 1400, *TC, seed=69),
            train("tuples", 4500, "--lambda", "0.7", seed=70),
            train("connect4/threats", 60, *TC, seed=68),
            train("connect4/threats", 80, seed=69),
            train("tuples", 12000, "--lambda", "0.7", seed=71),
            train("tuples", 750, *TC, seed=72),
            train("connect4/threats", 2500, "--lambda", "0.7", seed=70),
            train("connect4/lines", 60, "--lambda", "0.7", seed=64),
            train("tuples", 1000, seed=73),
            train("connect4/threats", 140, *TC, seed=71),
            train("tuples", 2000, *TC, seed=74),
            train("connect4/threats", 450, *TC, seed=72),
            train("tuples", 850, *TC, seed=75),
            train("connect4/threats", 350, seed=73),
        ],
    },
    "tictactoe-slip": {
        "game": "tictactoe+slip=0.2",
        "noise": 2,  # index of the evaluation that receives noise
        "plies": lambda position: 9 - position.count("."),
        "planner": "expectimax:depth=1",
        "pairs": 2000,
        "openings": 0,
        "selfplay": ["--games", "1500", "--agent", "expectimax:depth=1", "--explore", "0.1"],
        "exact": "expectimax:depth=9,eval=zero",
        "quiet": None,
        "filters": [(0, 7, True), (1, 7, True), (2, 7, True), (0, 5, True)],
        "most": (1500, 0),
        "repeat": True,  # a common position counts more
        "evaluations": [
            train("tuples", 100, *TC),
            train("tictactoe/lines", 20, *EVOLUTION),
            train("tuples", 10000, *TC),
            train("tictactoe/lines", 5),
            train("tuples", 150, *TC, seed=2),
            train("tictactoe/lines", 30, *EVOLUTION, seed=2),
            train("tuples", 80, *TC, seed=3),
            train("tuples", 300, *TC, seed=3),
            train("tictactoe/lines", 10, seed=2),
            train("tuples", 1000, *TC, seed=4),
            train("tictactoe/lines", 20, *EVOLUTION, seed=4),
            train("tuples", 120, *TC, seed=5),
            train("tuples", 100, seed=5),
            train("tictactoe/lines", 100, *EVOLUTION, seed=5),
            train("tuples", 100000, *TC, seed=6),
            train("tuples", 90, *TC, seed=6),
            train("tictactoe/lines", 20, seed=6),
            train("tuples", 200, seed=7),
            train("tictactoe/lines", 40, *EVOLUTION, seed=7),
            train("tuples", 100, *TC, seed=8),
            train("tuples", 3000, *TC, seed=8),
            train("tictactoe/lines", 20, *EVOLUTION, seed=8),
            train("tuples", 130, *TC, seed=9),
            train("tictactoe/lines", 1000, seed=9),
            train("tuples", 70, *TC, seed=10),
            train("tictactoe/lines", 10, *EVOLUTION, seed=10),
            train("tuples", 30000, "--lambda", "0.9", seed=11),
            train("tictactoe/lines", 15, seed=11),
            train("tuples", 110, *TC, seed=12),
            train("tictactoe/lines", 60, *EVOLUTION, seed=12),
        ],
    },
}


def plyfit(*args, **more):
    quiet = ["--quiet"] if args[0] in ("train", "selfplay", "match") else []
    done = subprocess.run([PLYFIT, *args, *quiet], text=True, stdout=subprocess.PIPE, check=True, **more)
    return done.stdout


def openings(g, folder):
    return g["openings"](folder) if callable(g["openings"]) else str(g["openings"])


def evaluations(game, g, folder):
    """Returns the first twenty evaluations with 30% to 70% of the points, with their points."""
    found = []
    for i, how in enumerate(g["evaluations"]):
        name = how
        if not isinstance(how, str):
            name = f"{folder}/{i}.json"
            if not os.path.exists(name):
                plyfit(how[0], game, "-o", name, "--curve-pairs", "0", *how[1:])
        result = f"{folder}/{i}.match"
        if not os.path.exists(result):
            agents = [f"{g['planner']},eval={e}" for e in (name, "handwritten")]
            text = plyfit("match", game, *agents, "--pairs", str(g["pairs"]), "--openings", openings(g, folder), "--seed", "100", "--json")
            with open(result, "w") as out:
                out.write(text)
        with open(result) as file:
            r = json.load(file)
        points = (r["wins"] + r["draws"] / 2) / r["games"]
        print(f"{points:6.1%}  {name if isinstance(how, str) else ' '.join(how)}", flush=True)
        if 0.3 <= points <= 0.7:
            found.append((name, points))
    return found[:20]


def answers(game, agent, positions):
    lines = plyfit("search", game, "--agent", agent, "--position", "-", "--json", input="\n".join(positions) + "\n")
    return [json.loads(line) for line in lines.splitlines()]


def solved(game, agent, positions):
    """Yields the values of the moves in each position, by searches of the positions after them."""
    moves = plyfit("moves", game, "--position", "-", "--json", input="\n".join(positions) + "\n")
    for m in map(json.loads, moves.splitlines()):
        after = answers(game, agent, [a["position"] for a in m["moves"]])
        yield {a["move"]: found["values"][m["turn"]] for a, found in zip(m["moves"], after)}


def decisions(game, g, folder, choosing):
    """Returns the decisions: game, position, plies, quiet?, values of the moves."""
    file = f"{folder}/decisions.json"
    if not os.path.exists(file):
        runs = [(None, g["selfplay"])]
        if "players" in g:
            agents = [f"{g['planner']},eval={e}" for e in (*choosing, "handwritten")]
            seats = [(seat, a) for a in agents[:-1] for seat in (0, 1)]
            runs = [(seat, [*g["selfplay"], *("--agent", (a, agents[-1])[seat], "--agent", (agents[-1], a)[seat])]) for seat, a in seats]
        by_game = {}
        for i, (seat, run) in enumerate(runs):
            plyfit("selfplay", game, "-o", f"{folder}/data-{i}", "--seed", str(1 + i), *run)
            plyfit("dataset", "export", f"{folder}/data-{i}", "-o", f"{folder}/data.epd")
            with open(f"{folder}/data.epd") as epd:
                for line in epd:
                    position, rest = line.split(" c9 ")
                    if seat is None or g["plies"](position) % 2 == seat:
                        number = rest.split('id "')[1].split('"')[0]
                        by_game.setdefault(number if seat is None else f"{i}-{number}", []).append(position)
        rng, rows, seen = random.Random(1), [], set()
        for number, positions in by_game.items():
            low = min(f[0] for f in g["filters"])
            high = max(f[1] for f in g["filters"])
            fit = [p for p in positions if low <= g["plies"](p) <= high]
            if fit and ((p := rng.choice(fit)) not in seen or "repeat" in g):
                seen.add(p)
                rows.append((number, p))
        if g["quiet"]:
            quiet = answers(game, g["quiet"], [p for _, p in rows])
            rows = [(n, p, q["value"] == 0 and len(q["best"]) >= 4) for (n, p), q in zip(rows, quiet)]
        else:
            rows = [(n, p, True) for n, p in rows]
        rng.shuffle(rows)
        calm, wild = ([r for r in rows if r[2] == is_calm] for is_calm in (True, False))
        rows = calm[: g["most"][0]] + wild[: g["most"][1]]
        solve = g["exact"] if callable(g["exact"]) else lambda positions: solved(game, g["exact"], positions)
        values = solve([p for _, p, _ in rows])
        out = [(n, p, g["plies"](p), calm, v) for (n, p, calm), v in zip(rows, values) if len(set(v.values())) > 1]
        with open(file, "w") as f:
            json.dump(out, f)
    with open(file) as f:
        return json.load(f)


def write(game, g, chosen, path):
    with open(path, "w", newline="") as f:
        rows = csv.writer(f, lineterminator="\n")
        rows.writerow([game, g["planner"]])
        for number, position, _, _, values in chosen:
            rows.writerow([number, position, " ".join(f"{m}={v:.5g}" for m, v in values.items())])


def ranks(x):
    order = sorted(x)
    return [(order.index(v) + len(order) - 1 - order[::-1].index(v)) / 2 for v in x]


def spearman(x, y):
    a, b = ranks(x), ranks(y)
    mean = sum(a) / len(a)
    cov = sum((p - mean) * (q - mean) for p, q in zip(a, b))
    return cov / max(1e-9, (sum((p - mean) ** 2 for p in a) * sum((q - mean) ** 2 for q in b)) ** 0.5)


def add_noise(source, target, size, seed):
    """Multiplies each weight of the tables by 1 + size times a normal random number."""
    rng = random.Random(seed)
    with open(source) as f:
        model = json.load(f)
    with open(source.replace(".json", ".weights"), "rb") as f:
        header, table = f.read(16), array.array("f", f.read())
    for i, w in enumerate(table):
        if w:
            table[i] = w * (1 + size * rng.gauss(0, 1))
    data = header + table.tobytes()
    with open(target.replace(".json", ".weights"), "wb") as f:
        f.write(data)
    model["table"]["sha256"] = hashlib.sha256(data).hexdigest()
    del model["digest"]
    with open(target, "w") as f:
        json.dump(model, f)


def noise(spec, g, path, folder):
    """Tests whether noise that costs 5 points of 100 increases the decision loss.

    The size of the noise is found with 500 pairs for each of four seeds. Twenty other seeds
    are the test, with 100 pairs each.
    """
    clean, noisy = f"{folder}/{g['noise']}.json", f"{folder}/noisy.json"

    def points(size, seeds, pairs):
        found = []
        for seed in seeds:
            add_noise(clean, noisy, size, seed)
            agents = [f"{g['planner']},eval={e}" for e in (noisy, clean)]
            text = plyfit("match", spec, *agents, "--pairs", str(pairs), "--openings", openings(g, folder), "--seed", str(seed), "--json")
            r = json.loads(text)
            found.append((r["wins"] + r["draws"] / 2) / r["games"])
        return found

    low, high = 0.0, 2.0
    for _ in range(6):
        size = (low + high) / 2
        share = sum(points(size, range(101, 105), 500)) / 4
        print(f"noise {size:.3f}: {share:.1%} of the points", flush=True)
        if abs(share - 0.45) < 0.005:
            break
        low, high = (size, high) if share > 0.45 else (low, size)
    shares, losses = [], []
    for seed in range(1, 21):
        shares += points(size, [seed], 100)
        losses.append([r["loss"]["value"] for r in json.loads(plyfit("model", "score", path, clean, noisy, "--json"))])
        print(f"seed {seed}: loss {losses[-1][0]:.4f}, with noise {losses[-1][1]:.4f}, {shares[-1]:.1%} of the points", flush=True)
    print(f"{sum(b > a for a, b in losses)} of 20 seeds lose more; {sum(shares) / 20:.1%} of the points ({min(shares):.1%} to {max(shares):.1%})")


if __name__ == "__main__":
    name, where = sys.argv[1:3]
    game = GAMES[name]
    spec = game.get("game", name)
    os.makedirs(where, exist_ok=True)
    if sys.argv[3:] == ["noise"]:
        noise(spec, game, name, where)
        sys.exit()
    found = evaluations(spec, game, where)
    print(len(found), "evaluations")
    names, points = zip(*found)
    train, test = slice(0, None, 2), slice(1, None, 2)
    all_rows = decisions(spec, game, where, names[train])
    print(len(all_rows), "decisions")
    best = None
    for low, high, quiet in game["filters"]:
        rows = [r for r in all_rows if low <= r[2] <= high and r[3] == quiet]
        file = f"{where}/{low}-{high}-{'quiet' if quiet else 'wild'}.csv"
        write(spec, game, rows, file)
        losses = [-r["loss"]["value"] for r in json.loads(plyfit("model", "score", file, *names, "--json"))]
        chosen_by = spearman(losses[train], points[train])
        print(f"plies {low} to {high}, {'quiet' if quiet else 'not quiet'}: {len(rows)} decisions, Spearman {chosen_by:.3f} with ten evaluations")
        if best is None or chosen_by > best[0]:
            best = (chosen_by, file, losses)
    _, file, losses = best
    x, y = losses[test], points[test]
    rng = random.Random(1)
    draws = []
    for _ in range(2000):
        k = [rng.randrange(len(x)) for _ in x]
        draws.append(spearman([x[i] for i in k], [y[i] for i in k]))
    draws.sort()
    print(f"{file}: Spearman {spearman(x, y):.3f} ({draws[50]:.3f} to {draws[1949]:.3f}) with the other ten")
    for n, loss, share in sorted(zip(names, losses, points), key=lambda t: t[1]):
        print(f"{-loss:.4f}  {share:6.1%}  {n}")
