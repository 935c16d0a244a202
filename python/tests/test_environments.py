"""Test the contracts of Gymnasium's Env and PettingZoo's AECEnv for each game."""

import copy
import pickle
import unittest
import warnings

import numpy as np

from plyfit import Server, aec, solo
from plyfit.actions import Actions

GAMES = ["connect4", "tictactoe", "othello", "checkers", "chess", "pig", "2048", "pacman", "minesweeper",
         "backgammon", "kuhn", "leduc", "doudizhu", "connect4+slip=0.2"]


def episode(env, seed, most=60):
    """Take random legal steps. Return the results of reset and of each step, and the actions."""
    rng = np.random.default_rng(seed)
    told, actions = [env.reset(seed=seed)], []
    for _ in range(most):
        actions.append(int(rng.choice(np.flatnonzero(told[-1][-1]["action_mask"]))))
        told.append(env.step(actions[-1]))
        if told[-1][2] or told[-1][3]:
            break
    return told, actions


def same(a, b):
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()


class TestActions(Shared):
    def test_chess_has_all_moves(self):
        actions = Actions(self.server, "chess")
        self.assertEqual((actions.n, len(set(actions.names))), (1968, 1968))

    def test_mask_and_move_agree(self):
        for game in GAMES:
            actions = Actions(self.server, game)
            s = self.server.new(game)
            s.draw_luck()
            mask = actions.mask(s.moves)
            self.assertEqual(sorted(actions.move(a, s.moves) for a in np.flatnonzero(mask)), sorted(s.moves), game)
            self.assertEqual([actions.move(actions.action(m, s.moves), s.moves) for m in s.moves], s.moves, game)
            if mask.sum() < actions.n:
                self.assertIsNone(actions.move(int(np.flatnonzero(mask == 0)[0]), s.moves), game)

    def test_a_list_that_lacks_a_move(self):
        with self.assertRaisesRegex(ValueError, "none of the actions"):
            Actions(self.server, "pig", ["roll"]).mask(["roll", "hold"])


class TestSolo(Shared):
    def test_contract(self):
        for game in GAMES:
            with self.subTest(game):
                env = solo.Environment(game, server=self.server)
                told, _ = episode(env, 1)
                self.assertEqual(len(told[0]), 2)
                for t in told:
                    self.assertTrue(env.observation_space.contains(t[0]))
                    self.assertEqual(t[-1]["action_mask"].shape, (env.action_space.n,))
                    self.assertEqual(t[-1]["action_mask"].dtype, np.int8)
                for _, reward, terminated, truncated, _ in told[1:]:
                    self.assertIs(type(reward), float)
                    self.assertIs(type(terminated), bool)
                    self.assertIs(type(truncated), bool)
                for t in told[:-1]:  # the learner is to move
                    self.assertEqual(int(t[-1]["action_mask"].sum()), len(t[-1]["moves"]))
                    self.assertGreater(len(t[-1]["moves"]), 0)
                env.close()

    def test_same_seed_same_episode(self):
        for game in GAMES:
            with self.subTest(game):
                a, b = (solo.Environment(game, server=self.server) for _ in range(2))
                episode(a, 9)  # earlier episodes do not affect this one
                self.assertTrue(same(episode(a, 5), episode(b, 5)))

    def test_seeds_differ(self):
        env = solo.Environment("2048", server=self.server)
        self.assertFalse(same(episode(env, 5), episode(env, 6)))

    def test_reset_without_a_seed_goes_on(self):
        env = solo.Environment("2048", server=self.server)
        env.reset(seed=5)
        second = [env.reset()[1]["position"] for _ in range(8)]
        self.assertGreater(len(set(second)), 3)
        env.reset(seed=5)
        self.assertEqual([env.reset()[1]["position"] for _ in range(8)], second)

    def test_rewards_add_up_to_the_utility(self):
        for game, seat in [("connect4", 0), ("connect4", 1), ("2048:size=2", 0), ("leduc", 1), ("pig:target=20", 1)]:
            env = solo.Environment(game, seat=seat, server=self.server)
            for seed in range(5):
                told, _ = episode(env, seed, most=1000)
                self.assertTrue(told[-1][2])
                self.assertAlmostEqual(sum(t[1] for t in told[1:]), env.state.utility[seat], msg=game)

    def test_an_opponent_that_searches(self):
        env = solo.Environment("tictactoe", seat=1, opponent="alphabeta:depth=9,ties=random", server=self.server)
        for seed in range(5):
            told, _ = episode(env, seed)
            self.assertLessEqual(told[-1][1], 0)  # a perfect player never loses
        self.assertTrue(same(episode(env, 1), episode(env, 1)))

    def test_illegal_action(self):
        env = solo.Environment("tictactoe", server=self.server)
        env.reset(seed=1)
        env.step(0)
        with self.assertRaisesRegex(ValueError, "not legal"):
            env.step(0)
        with self.assertRaisesRegex(ValueError, "whole number, 0 to 8"):
            env.step(9)
        env = solo.Environment("tictactoe", illegal_reward=-2, server=self.server)
        env.reset(seed=1)
        env.step(0)
        _, reward, terminated, truncated, info = env.step(0)
        self.assertEqual((reward, terminated, truncated), (-2, True, False))
        self.assertEqual(info["action_mask"].sum(), 0)
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step(1)

    def test_begins_at_a_position(self):
        env = solo.Environment("connect4", server=self.server)
        _, info = env.reset(seed=1, options={"position": "112233"})
        self.assertEqual(info["position"], "112233")
        _, reward, terminated, _, _ = env.step(3)
        self.assertEqual((reward, terminated), (1, True))
        with self.assertRaisesRegex(ValueError, "want position"):
            env.reset(options={"start": ""})

    def test_exact_chance(self):
        env = solo.Environment("pig", server=self.server)
        env.reset(seed=1)
        found = env.outcomes(0)
        self.assertEqual(len(found), 6)
        self.assertAlmostEqual(sum(p for p, _ in found), 1)
        positions = [position for _, position in found]
        env.step(0)  # the result is one of the outcomes, before the opponent moves
        rolled = env.server.new("pig")
        rolled.apply(*env._played[:2])
        self.assertIn(rolled.position, positions)

    def test_hidden_cards_stay_hidden(self):
        env = solo.Environment("kuhn", server=self.server)
        for seed in range(6):
            _, info = env.reset(seed=seed)
            self.assertIn("?", info["position"])
            self.assertNotIn("played", info)
        with self.assertRaisesRegex(ValueError, "hidden information"):
            env.outcomes(0)

    def test_truncation(self):
        env = solo.Environment("pig", server=self.server)
        env.reset(seed=1)
        done = False
        steps = 0
        while not done:
            _, _, terminated, truncated, _ = env.step(1)  # always hold; the opponent moves at random
            done, steps = terminated or truncated, steps + 1
        self.assertTrue(terminated != truncated)

    def test_checker(self):
        try:
            from gymnasium.utils.env_checker import check_env
        except ImportError:
            self.skipTest("Gymnasium is not installed")
        for game in GAMES:
            with self.subTest(game), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check_env(solo.Environment(game, server=self.server, illegal_reward=-1.0))


class TestRefused(Shared):
    """Check that a refused call does not change an environment."""

    def test_all(self):
        for kind in (solo, aec):
            a, b = (kind.Environment("2048", server=self.server, render_mode="ansi") for _ in range(2))
            for call in (a.render, lambda: a.step(0)):
                with self.assertRaisesRegex(RuntimeError, "call reset"):
                    call()
            told = [(e.reset(seed=3), e.step(0)) for e in (a, b)]
            self.assertTrue(same(*told))
            refused = [
                (Exception, "nonsense", lambda: a.reset(seed=9, options={"position": "nonsense"})),
                *((ValueError, "whole number", lambda x=x: a.step(x)) for x in (2.5, "2", True, np.True_, np.float64(1), -1, 4)),
                *((TypeError, "cannot be copied", lambda f=f: f(a)) for f in (copy.deepcopy, pickle.dumps)),
            ]
            for error, text, call in refused:
                with self.assertRaisesRegex(error, text):
                    call()
            self.assertTrue(same(*[(e.step(1), e.render(), e.reset(), e.render()) for e in (a, b)]))


class TestAEC(Shared):
    def play(self, env, seed, most=80):
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        log, totals, steps = [], dict.fromkeys(env.possible_agents, 0.0), 0
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            totals[agent] += reward
            log.append((agent, observation, reward, terminated, truncated, info))
            if terminated or truncated:
                env.step(None)
                continue
            self.assertTrue(env.observation_space(agent)["observation"].contains(observation["observation"]))
            self.assertTrue(env.observation_space(agent).contains(observation))
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            log.append(action)
            env.step(action)
            steps += 1
            if steps == most:
                break
        return log, totals

    def test_contract(self):
        for game in GAMES:
            with self.subTest(game):
                env = aec.Environment(game, server=self.server)
                log, totals = self.play(env, 1)
                if env.play.over:
                    self.assertEqual(env.agents, [])
                    self.assertEqual([totals[a] for a in env.possible_agents], env.play.utility)

    def test_same_seed_same_episode(self):
        for game in GAMES:
            with self.subTest(game):
                a, b = (aec.Environment(game, server=self.server) for _ in range(2))
                self.play(a, 9)
                self.assertTrue(same(self.play(a, 5), self.play(b, 5)))

    def test_who_is_not_to_move_has_no_actions(self):
        env = aec.Environment("connect4", server=self.server)
        env.reset(seed=1)
        self.assertEqual(env.agent_selection, "player_0")
        self.assertEqual(env.observe("player_0")["action_mask"].sum(), 7)
        self.assertEqual(env.observe("player_1")["action_mask"].sum(), 0)

    def test_dead_steps(self):
        env = aec.Environment("connect4", server=self.server)
        env.reset(options={"position": "112233"})
        env.step(3)
        self.assertEqual(env.rewards, {"player_0": 1.0, "player_1": -1.0})
        self.assertEqual(env.terminations, {"player_0": True, "player_1": True})
        with self.assertRaisesRegex(ValueError, "want None"):
            env.step(1)
        env.step(None)
        self.assertEqual(env.agents, ["player_1"])
        self.assertEqual(env.last()[1], -1.0)
        env.step(None)
        self.assertEqual(env.agents, [])

    def test_checkers(self):
        try:
            from pettingzoo.test import api_test, seed_test
        except ImportError:
            self.skipTest("PettingZoo is not installed")
        for game in GAMES:
            with self.subTest(game), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                api_test(aec.Environment(game, server=self.server), num_cycles=100)
                seed_test(lambda: aec.Environment(game, server=self.server), num_cycles=20)


if __name__ == "__main__":
    unittest.main()
