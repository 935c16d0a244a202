import json
import os
import re
import subprocess
import tempfile
import unittest

import numpy as np

from plyfit import Server, data, parquet
from plyfit.replay import disagreement

PLYFIT = os.environ.get("PLYFIT", "plyfit")
MODELS = os.path.join(os.path.dirname(__file__), "..", "..", "models")


def run(*args, **more):
    return subprocess.run([PLYFIT, *args], check=True, capture_output=True, text=True, **more).stdout


class TestFiles(unittest.TestCase):
    """Compare files written by plyfit with the output of plyfit."""

    @classmethod
    def at(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.sets = {
            "searched": ["connect4", "--games", "60", "--agent", "alphabeta:depth=2,ties=random"],
            "slipped": ["connect4+slip=0.3", "--games", "300", "--agent", "random"],
            "scored": ["2048:size=2", "--games", "20", "--agent", "greedy"],
        }
        for name, args in cls.sets.items():
            run("selfplay", *args, "-o", cls.at(name), "--quiet")
        run("dataset", "export", cls.at("searched"), "-o", cls.at("table.csv"), "--label", "mix:0.5")
        run("fit", cls.at("searched"), "-o", cls.at("model.json"), "--quiet")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_records(self):
        for name in self.sets:
            with self.subTest(name):
                frame = data.records(self.at(name))
                told = [json.loads(line) for line in run("dataset", "head", self.at(name), "-n", "1000000", "--json").splitlines()]
                self.assertEqual(len(frame), len(told))
                self.assertEqual(len(frame), data.manifest(self.at(name))["records"])
                for row, want in zip(frame.to_dict("records"), told):
                    for key, value in want.items():
                        got = row[key]
                        if isinstance(value, list):
                            self.assertEqual(list(got), value)
                        elif value is not None:
                            self.assertEqual(got, value, key)
        slipped = data.records(self.at("slipped"))
        self.assertGreater((slipped["made"] != slipped["move"]).sum(), 0)
        searched = data.records(self.at("searched"), columns=["value", "outcome0"])
        self.assertEqual(list(searched), ["value", "outcome0"])
        self.assertGreater(searched["value"].notna().sum(), 0)

    def test_damage_is_found(self):
        path = self.at("damaged.parquet")
        with open(os.path.join(self.at("scored"), "shard-00000.parquet"), "rb") as f:
            whole = f.read()
        for cut in (0, 3, 11, len(whole) // 2, len(whole) - 1):
            with open(path, "wb") as f:
                f.write(whole[:cut])
            with self.assertRaises(parquet.ParquetError):
                parquet.read(path)
        changed = bytearray(whole)
        changed[len(whole) // 3] ^= 1
        with open(path, "wb") as f:
            f.write(changed)
        with self.assertRaisesRegex(ValueError, "damaged"):
            data._sealed(path)
        with open(path, "wb") as f:
            f.write(whole)
        data._sealed(path)

    def test_samples_and_model_give_the_value(self):
        s = data.samples(self.at("table.csv"))
        m = data.Model.load(self.at("model.json"))
        self.assertEqual(s.x.shape, (len(s.y), len(s.names)))
        utility = m.utility(m.sum(s), -1, 1)
        frame = data.records(self.at("searched"))
        with Server() as server:
            for i in (0, len(s.y) // 2, len(s.y) - 1):
                position, mover = frame["position"].iloc[i], int(frame["mover"].iloc[i])
                want = server.new("connect4", position).evaluate(self.at("model.json"), player=mover)["value"]
                self.assertAlmostEqual(float(utility[i]), want, places=6, msg=position)

    def test_samples_in_numpy_files(self):
        s = data.samples(self.at("table.csv"))
        np.savez(self.at("t.npz"), x=s.x, label=s.y, weight=s.weight)
        again = data.samples(self.at("t.npz"))
        self.assertTrue(np.array_equal(again.x, s.x) and np.array_equal(again.y, s.y))
        for name in ("structured", "sparse"):
            x = np.zeros(2, [("label", "f8")]) if name == "structured" else s.y
            np.savez(self.at("t.npz"), data=x, format="csr", shape=[2, 2]) if name == "sparse" else np.savez(self.at("t.npz"), data=x)
            with self.assertRaisesRegex(ValueError, name):
                data.samples(self.at("t.npz"))
        with self.assertRaisesRegex(ValueError, "want a name"):
            data.samples("t.txt")

    def test_models(self):
        m = data.Model.load(self.at("model.json"))
        frame = m.frame()
        self.assertEqual(list(frame["term"]), list(m.weights))
        known = frame.dropna()
        self.assertTrue(len(known) and (known["low"] < known["weight"]).all() and (known["weight"] < known["high"]).all())
        tables = data.Model.load(os.path.join(MODELS, "learned", "othello.json"))
        self.assertTrue(tables.tables and all(t.dtype == np.float32 for t in tables.tables.values()))
        small = self.at("small.json")
        run("model", "halve", "othello/learned", "-o", small)
        halved = data.Model.load(small)
        for name, table in halved.tables.items():
            whole = tables.tables[name]
            self.assertEqual(table.dtype, np.float32)
            self.assertTrue(np.abs(table - whole).max() <= np.abs(whole).max() / 32767)
            self.assertTrue((table != whole).any())
        with self.assertRaisesRegex(ValueError, "tables"):
            tables.sum(None)
        with self.assertRaisesRegex(ValueError, "plyfit-model/1"):
            data.Model({"format": "other"})


class TestTwoReaders(unittest.TestCase):
    """Read files of all types, codecs and encodings, also from other programs.

    The expected content comes from the reader in Go.
    """

    UNREAD = re.compile("snappy|q21|q3|BYTE_STREAM_SPLIT|FIXED|UUID|DATE|TIME|INT96|or a group")

    def test_all(self):
        root = os.path.join(os.path.dirname(__file__), "..", "..")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["go", "test", "-vet=off", "-count=1", "-run", "^TestParquet(Types|Files)$", "./datasets/table"], cwd=root, check=True,
                           capture_output=True, env={**os.environ, "PLYFIT_PARQUET": folder})
            count = 0
            for name in sorted(os.listdir(folder)):
                if not name.endswith(".json"):
                    continue
                with open(os.path.join(folder, name)) as f:
                    columns = json.load(f)  # None if Go refuses the column; x is exact, other columns have 32 bits
                with self.subTest(name):
                    try:
                        read = parquet.read(os.path.join(folder, name[:-5]), columns)
                    except parquet.ParquetError as e:
                        self.assertRegex(str(e), "pyarrow|nested")
                        self.assertRegex(name, self.UNREAD)
                        continue
                    self.assertNotRegex(name, self.UNREAD)
                    for column, want in columns.items():
                        if want is None:
                            self.assertEqual(read[column].dtype, object)  # text is not numeric
                            continue
                        got = read[column].astype(float) if column == "x" else read[column].astype(np.float32)
                        self.assertEqual(got.tolist(), [float(v) for v in want])
                        count += 1
            self.assertGreater(count, 100)


class TestReplay(unittest.TestCase):
    """Replay random games recorded by Go, move by move."""

    def test_recorded_games_agree(self):
        with tempfile.TemporaryDirectory() as folder, Server() as server:
            for game, pairs in [("connect4", 20), ("othello", 5), ("backgammon", 2), ("pig", 5), ("2048", 5), ("connect4+slip=0.2", 10), ("leduc", 20)]:
                path = os.path.join(folder, "games.jsonl")
                run("match", game, "random", "random", "--pairs", str(pairs), "--openings", "0", "--quiet", "--records", path)
                positions, moves = [], []
                count = 0
                for g in data.games(path):
                    def visit(state):
                        positions.append(state.position)
                        moves.append((state.moves, state.probabilities))
                    self.assertIsNone(disagreement(server, g, visit), g)
                    count += 1
                self.assertGreaterEqual(count, pairs)
                # Check the same rules through the command that lists moves.
                told = run("moves", game, "--position", "-", "--json", input="\n".join(positions) + "\n").splitlines()
                self.assertEqual(len(told), len(moves))
                for line, (names, probabilities) in zip(map(json.loads, told), moves):
                    self.assertEqual([m["move"] for m in line["moves"]], names)
                    self.assertEqual([m["probability"] for m in line["moves"] if "probability" in m], probabilities)
                os.remove(path)

    def test_disagreements_are_found(self):
        good = {"game": "tictactoe", "start": "......... X", "moves": list("14253"), "last": "XXXOO.... -", "utility": [1, -1], "end": "played"}
        with Server() as server:
            self.assertIsNone(disagreement(server, good))
            for change, reason in [
                ({"moves": list("1425"), "last": "XX.OO.... X"}, "has the utility"),
                ({"moves": list("11253")}, "not legal"),
                ({"moves": list("142536")}, "over after 5 plies"),
                ({"utility": [-1, 1]}, "has the utility"),
                ({"last": "......... X"}, "the record ends at"),
                ({"end": "truncated"}, "truncated in the record"),
            ]:
                self.assertRegex(disagreement(server, {**good, **change}), reason)


if __name__ == "__main__":
    unittest.main()
