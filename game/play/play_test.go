package play_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/pig"
	"plyfit/game/play"
	"plyfit/game/tictactoe"
	"plyfit/internal/vectors"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// TestEpisode plays games with dice, with slips and with an adversary. It checks that Next returns
// true exactly at decisions, that plies are counted, that Chance is called correctly, and that the
// game ends with an outcome.
func TestEpisode(t *testing.T) {
	dice := gametest.New(t, pig.New, "pig:target=20")
	hostile := vectors.Must(game.WithAdversary(dice))
	for _, g := range []*game.Game{dice, vectors.Must(game.WithSlip(dice, 0.5)), hostile, gametest.New(t, connect4.New, "connect4")} {
		t.Run(g.Spec, func(t *testing.T) {
			draw := &play.Dice{Random: random(1)}
			natures, slips := 0, 0
			var e play.Episode
			e = play.Episode{Luck: draw, Chance: func(m game.Move, slip bool) {
				natures++
				if !slices.Contains(e.State.Moves(nil), m) {
					t.Fatalf("Chance called with %d, which is not a move at %s", m, e.State)
				}
				if slip != e.Pending() {
					t.Fatalf("slip=%v at %s", slip, e.State)
				}
				if slip {
					slips++
				}
			}}
			e.Begin(g.New(), 0, g.MaxPlies)
			for e.Next() {
				if e.State.Turn() < 0 || e.Over() {
					t.Fatalf("a decision at %s", e.State)
				}
				e.Play(draw.Uniform(e.State))
			}
			if e.State.Turn() != game.Nobody || e.Truncated() || !e.Over() {
				t.Fatalf("ended at %s", e.State)
			}
			if e.Plies != e.Decisions+natures {
				t.Errorf("%d plies, of which %d decisions and %d of nature's", e.Plies, e.Decisions, natures)
			}
			want := 0
			if _, ok := game.As[*game.Slip](e.State); ok {
				want = e.Decisions
			}
			if slips != want {
				t.Errorf("%d slips decided after %d decisions, want %d", slips, e.Decisions, want)
			}
			for range e.Plies {
				e.State.Undo()
			}
			if e.State.Hash() != g.New().Hash() {
				t.Error("as many calls of Undo as plies do not lead back to the start")
			}
		})
	}
}

// TestLimit checks that an episode is cut off at its limit, even between a choice and its slip
// unless FinishSlip is set. It also checks that Decide makes no move after the limit.
func TestLimit(t *testing.T) {
	g := vectors.Must(game.WithSlip(gametest.New(t, tictactoe.New, "tictactoe"), 0.5))
	for _, finish := range []bool{false, true} {
		draw := &play.Dice{Random: random(2)}
		e := play.Episode{Luck: draw, FinishSlip: finish}
		e.Begin(g.New(), 0, 3)
		for e.Next() {
			e.Play(draw.Uniform(e.State))
		}
		want := 3
		if finish {
			want = 4
		}
		if e.Plies != want || e.Decisions != 2 || e.Pending() == finish || !e.Truncated() || !e.Over() {
			t.Errorf("finish=%v: %d plies, %d decisions, pending=%v", finish, e.Plies, e.Decisions, e.Pending())
		}
		e.Decide()
		if e.Plies != want {
			t.Errorf("finish=%v: Decide moved beyond the limit", finish)
		}
	}
	draw := &play.Dice{Random: random(2)}
	e := play.Episode{Luck: draw}
	e.Begin(g.New(), 0, play.NoLimit)
	e.Play(draw.Uniform(e.State))
	e.Decide()
	if e.Pending() || e.Plies != 2 {
		t.Errorf("after Decide: pending=%v after %d plies", e.Pending(), e.Plies)
	}
	if e.Decide(); e.Plies != 2 {
		t.Error("Decide moved where nothing was pending")
	}
}

func TestNoAllocation(t *testing.T) {
	g := vectors.Must(game.WithSlip(gametest.New(t, pig.New, "pig"), 0.2))
	draw := &play.Dice{Random: random(3)}
	e := play.Episode{Luck: draw}
	e.Begin(g.New(), 0, g.MaxPlies)
	step := func() {
		if !e.Next() {
			t.Fatal("the game is over")
		}
		e.Play(draw.Uniform(e.State))
		for range e.Plies {
			e.State.Undo()
		}
		e.Plies = 0
	}
	step()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations a move", n)
	}
}

// TestOpening checks that an opening makes the given number of decisions, does not end the game,
// and decides the last slip if requested. It also checks that the start is unchanged if all tries
// fail.
func TestOpening(t *testing.T) {
	plain := gametest.New(t, tictactoe.New, "tictactoe")
	world := vectors.Must(game.WithSlip(plain, 0.5))
	again := 0
	counts := map[int]int{}
	pending := 0
	for seed := range uint64(300) {
		s := world.New()
		o := play.Opening{Least: 3, Most: 5, Tries: 50, MaxPlies: world.MaxPlies, Again: func() { again++ }}
		o.DecideSlip = seed%2 == 0
		if !o.Draw(s, random(seed)) || s.Turn() == game.Nobody {
			t.Fatalf("seed %d: no opening, at %s", seed, s)
		}
		e := play.Episode{}
		e.Begin(s, 0, play.NoLimit)
		if e.Pending() {
			if o.DecideSlip {
				t.Fatalf("seed %d: a move is pending", seed)
			}
			pending++
		}
		counts[(len(o.Moves)+1)/2]++
		for range o.Moves {
			s.Undo()
		}
		if s.Hash() != world.New().Hash() {
			t.Fatalf("seed %d: Moves are not what was played", seed)
		}
	}
	if len(counts) != 3 || counts[3] == 0 || counts[4] == 0 || counts[5] == 0 {
		t.Errorf("decisions drawn: %v, want 3 to 5", counts)
	}
	if again == 0 || pending != 150 {
		t.Errorf("%d further tries, %d openings with a move pending of 150 that may have one", again, pending)
	}

	s, tries := plain.New(), 1
	o := play.Opening{Least: 9, Most: 9, Tries: 20, Again: func() { tries++ }}
	if o.Draw(s, random(1)) || tries != 20 || len(o.Moves) != 0 || s.Hash() != plain.New().Hash() {
		t.Errorf("an opening of the whole game: %d tries, %d moves, at %s", tries, len(o.Moves), s)
	}
	o = play.Opening{Least: 4, Most: 4, Tries: 3, MaxPlies: 4}
	if o.Draw(s, random(1)) {
		t.Error("an opening that comes to the limit of plies")
	}
}

// TestDistinct checks that no two episodes begin alike while there are enough openings, even if an
// opening is drawn again. Once the openings are exhausted, each episode must use its first draw.
func TestDistinct(t *testing.T) {
	g := gametest.New(t, tictactoe.New, "tictactoe")
	source := func(most int) func(e uint64) func() game.State {
		return func(e uint64) func() game.State {
			r := random(e)
			return func() game.State {
				s := g.New()
				o := play.Opening{Most: most, Tries: 50, MaxPlies: g.MaxPlies}
				o.Draw(s, r)
				return s
			}
		}
	}
	d := vectors.Must(play.NewDistinct(context.Background(), 200, source(4)))
	began := map[uint64]bool{}
	for e := range uint64(200) {
		draw := source(4)(e)
		s := d.Draw(e, false, draw)
		if began[game.BoardHash(s)] {
			t.Fatalf("episode %d begins at %s, as another did", e, s)
		}
		began[game.BoardHash(s)] = true
		if again := d.Draw(e, true, draw); began[game.BoardHash(again)] {
			t.Fatalf("episode %d begins again at %s, as another did", e, again)
		}
	}

	// One decision leads to ten positions: the initial one and nine others.
	d = vectors.Must(play.NewDistinct(context.Background(), 40, source(1)))
	began = map[uint64]bool{}
	for e := range uint64(40) {
		draws := 0
		draw := source(1)(e)
		s := d.Draw(e, false, func() game.State { draws++; return draw() })
		if e > 30 && draws != 1 {
			t.Errorf("episode %d takes %d draws after the openings ran out", e, draws)
		}
		began[game.BoardHash(s)] = true
	}
	if len(began) != 10 {
		t.Errorf("%d beginnings, want all 10", len(began))
	}

	stopped, stop := context.WithCancelCause(context.Background())
	why := errors.New("no more")
	stop(why)
	if _, err := play.NewDistinct(stopped, 1, source(1)); err != why {
		t.Errorf("stopped: %v, want its cause", err)
	}
}
