import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

from plyfit import PlyfitError, Server


class TestServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def test_hello(self):
        self.assertEqual(self.server.hello["protocol"], 1)
        self.assertIn("connect4", self.server.games())

    def test_error_is_told_and_the_server_goes_on(self):
        with self.assertRaisesRegex(PlyfitError, "unknown game \"ludo\""):
            self.server.new("ludo")
        s = self.server.new("tictactoe")
        with self.assertRaisesRegex(PlyfitError, "move \"10\""):
            s.apply("1", "10")
        self.assertEqual(s.plies, 0)

    def test_missing_program(self):
        with self.assertRaisesRegex(PlyfitError, "no such program"):
            Server("/nowhere/plyfit")

    def test_play_and_undo(self):
        s = self.server.new("tictactoe")
        s.apply("1", "4", "2", "5")
        copy = s.clone()
        s.apply("3")
        self.assertTrue(s.over)
        self.assertEqual(s.utility, [1, -1])
        self.assertEqual(copy.moves, ["3", "6", "7", "8", "9"])
        s.undo()
        self.assertEqual(s.position, copy.position)

    def test_luck_follows_the_seed(self):
        def luck(seed):
            s = self.server.new("2048")
            return s.draw_luck(random.Random(seed)), s.position
        self.assertEqual(luck(3), luck(3))
        self.assertNotEqual(luck(3), luck(4))

    def test_drawn_luck_has_its_probability(self):
        s = self.server.new("2048", "0012/0000/0100/0000 chance 0")
        p = dict(zip(s.moves, s.probabilities))
        self.assertAlmostEqual(sum(p.values()), 1)
        ((move, probability),) = s.draw_luck(random.Random(1))
        self.assertEqual(probability, p[move])

    def test_outcomes_are_exact(self):
        # In pig, a player with 12 points in this turn rolls. A 1 loses the points.
        s = self.server.new("pig", "34 57 turn 12 player 0")
        found = {o.state.position: o.probability for o in s.outcomes("roll")}
        self.assertEqual(len(found), 6)
        self.assertTrue(all(math.isclose(p, 1 / 6) for p in found.values()))
        self.assertIn("34 57 turn 0 player 1", found)
        self.assertEqual(s.position, "34 57 turn 12 player 0")

    def test_outcomes_free_what_they_pass(self):
        # Two chance nodes in a row, for the first two tiles of 2048.
        s = self.server.new("2048:size=2")
        before = self.server.new("pig")
        found = s.outcomes()
        self.assertAlmostEqual(sum(o.probability for o in found), 1)
        self.assertTrue(all(len(o.luck) == 2 for o in found))
        for o in found:
            o.state.free()
        left = self.server.ask("free", state=before._number)["states"]
        before = self.server.new("pig")
        for o in s.outcomes():
            o.state.free()
        self.assertEqual(self.server.ask("free", state=before._number)["states"], left)

    def test_search_and_evaluation(self):
        s = self.server.new("tictactoe")
        s.apply("1", "4", "2", "5")
        found = s.search("minimax:depth=9")
        self.assertEqual((found["move"], found["value"], found["exact"]), ("3", 1, True))
        x = self.server.new("othello").evaluate("handwritten")
        self.assertAlmostEqual(x["sum"], x["bias"] + sum(t["product"] for t in x["terms"]))
        low, high = x["range"]
        self.assertAlmostEqual(x["value"], (low + high) / 2 + (high - low) / 2 * math.tanh(x["scale"] * x["sum"]))
        self.assertEqual((x["link"], x["leaf"], x["formula"]), ("tanh", x["value"], "64*tanh(0.011*sum)"))

    def test_interrupt(self):
        # A shell starts background jobs with the signal ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        with Server() as server:
            s = server.new("chess")
            for _ in range(3):
                with self.assertRaises(KeyboardInterrupt):
                    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
                    timer.start()
                    s.search("alphabeta:depth=100")
                timer.join()
                self.assertEqual(server.new("pig").turn, 0)

    def test_threads_get_their_own_answers(self):
        server, wrong, done = Server(), [], []
        self.addCleanup(server._process.kill)  # this also ends blocked threads

        def work(k):
            for i in range(300):
                moves = [str((k + j + i) % 9 + 1) for j in range(1 + i % 4)]
                s = server.new("tictactoe")
                s.apply(*moves)
                if s.plies != len(moves) or set(s.moves) & set(moves):
                    wrong.append((k, moves, s.position))
                s.free()
            done.append(k)
        threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(15)
        self.assertEqual((sorted(done), wrong), ([0, 1, 2, 3], []))

    def test_fork(self):
        child = os.fork()
        if child == 0:
            try:
                self.server.games()
            except PlyfitError as e:
                os._exit(0 if "fork" in str(e) else 1)
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertIn("pig", self.server.games())

    def test_nothing_outlives_a_killed_program(self):
        text = "from plyfit import Server\ns = Server()\nprint(s._process.pid, flush=True)\ns.new('chess').search('alphabeta:depth=100')"
        with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE) as program:
            pid = int(program.stdout.readline())
            program.kill()
        for _ in range(600):
            try:
                with open(f"/proc/{pid}/stat") as f:
                    if f.read().rpartition(")")[2].split()[0] == "Z":
                        return
            except OSError:
                return
            time.sleep(0.1)
        self.fail("the server is still there")

    def test_ended_server(self):
        server = Server()
        server.close()
        with self.assertRaisesRegex(PlyfitError, "closed"):
            server.games()
        server = Server()
        server._process.kill()
        server._process.wait()
        with self.assertRaisesRegex(PlyfitError, "ended"):
            server.games()


if __name__ == "__main__":
    unittest.main()
