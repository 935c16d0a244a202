package pacman

import (
	"math"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func newGame(t testing.TB, text string) *game.Game {
	t.Helper()
	g := gametest.New(t, New, text)
	if g.Spec != text {
		t.Fatalf("spec %q, want %q", g.Spec, text)
	}
	return g
}

func read(t testing.TB, g *game.Game, text string) *State {
	t.Helper()
	s := vectors.Must(g.Parse(text))
	return s.(*State)
}

func TestLaw(t *testing.T) {
	for _, text := range []string{
		"pacman", "pacman:ghost=directional", "pacman:layout=lecture,stop=off", "pacman:ghosts=0",
		"pacman:layout=corridor", "pacman:layout=gauntlet", "pacman:layout=large,ghosts=1",
	} {
		g := newGame(t, text)
		options := gametest.Options{Playouts: 300, Plies: 600}
		if text == "pacman:layout=corridor" {
			options.Positions = []string{
				"P 5,3 G 7.5,3 West 38 food 06e capsules - score -1 turn pacman",
				"P 5,3 G 7,3 West 1 food 06e capsules - score -1 turn ghost1",
				"P 12,3 G 9,1 Stop 0 food 86a capsules 5,3 score -6 turn pacman",
			}
		}
		gametest.Law(t, g, options)
	}
}

// westward is a policy that gives the first legal move additional probability.
type westward struct{ share float64 }

func (w westward) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	// The policy receives a chance node in which the ghosts move at random.
	c := s.(game.Chancer)
	for i, m := range moves {
		p := (1 - w.share) * c.Prob(m)
		if i == 0 {
			p += w.share
		}
		dst = append(dst, p)
	}
	return dst
}

func TestWithGhosts(t *testing.T) {
	made := 0
	g := vectors.Must(WithGhosts(newGame(t, "pacman:layout=gauntlet"), "westward", func() game.Policy { made++; return westward{0.7} }))
	if g.Spec != "pacman:layout=gauntlet,ghost=(westward)" {
		t.Errorf("spec %q", g.Spec)
	}
	gametest.Law(t, g, gametest.Options{Playouts: 60})
	before := made
	s := g.New().(*State)
	gametest.Play(t, g.ParseMove, s, "North")
	moves := s.Moves(nil)
	for i, m := range moves {
		want := 0.3 / float64(len(moves))
		if i == 0 {
			want += 0.7
		}
		if p := s.Prob(m); math.Abs(p-want) > 1e-15 {
			t.Errorf("%s: %s has %v, want %v", s, s.MoveString(m), p, want)
		}
	}
	if c := s.Clone().(*State); made != before+1 || c.Prob(moves[0]) != s.Prob(moves[0]) || made != before+2 {
		t.Errorf("%d policies for a state and its clone", made-before)
	}
	sure := vectors.Must(WithGhosts(newGame(t, "pacman"), "sure", func() game.Policy { return westward{1} }))
	s = read(t, sure, start(t, sure))
	gametest.Play(t, sure.ParseMove, s, s.MoveString(s.Moves(nil)[0]))
	for s.Turn() == game.Chance && len(s.Moves(nil)) < 2 {
		gametest.Play(t, sure.ParseMove, s, s.MoveString(s.Moves(nil)[0]))
	}
	if moves := s.Moves(nil); s.Turn() == game.Chance && (s.Prob(moves[0]) != 1 || s.Prob(moves[1]) != 0) {
		t.Errorf("%s: %v and %v", s, s.Prob(moves[0]), s.Prob(moves[1]))
	}
	for name, g := range map[string]*game.Game{"twice": sure, "directional": newGame(t, "pacman:ghost=directional")} {
		if g, err := WithGhosts(g, name, func() game.Policy { return westward{1} }); err == nil {
			t.Errorf("%s makes %s", name, g.Spec)
		}
	}
	slippery := vectors.Must(game.WithSlip(newGame(t, "pacman"), 0.5))
	if g, err := WithGhosts(slippery, "x", func() game.Policy { return westward{1} }); err == nil {
		t.Errorf("slip makes %s", g.Spec)
	}
}

func start(t testing.TB, g *game.Game) string { return g.New().String() }

// TestMeetings checks some ways in which Pacman and a ghost can meet in the corridor.
func TestMeetings(t *testing.T) {
	g := newGame(t, "pacman:layout=corridor")
	for _, c := range []struct {
		from  string
		moves string
		want  string
	}{
		{"P 5,3 G 7,3 West 39 food 06e capsules - score 0 turn pacman", "East", // a whole cell apart
			"P 6,3 G 7,3 West 39 food 06e capsules - score -1 turn ghost1"},
		{"P 6,3 G 7,3 West 39 food 06e capsules - score -1 turn ghost1", "West", // half a cell apart
			"P 6,3 G 9,1 Stop 0 food 06e capsules - score 199 turn pacman"},
		{"P 6,3 G 7,3 West 1 food 06e capsules - score -1 turn ghost1", "West", // 6.5 snaps to 7
			"P 6,3 G 7,3 West 0 food 06e capsules - score -1 turn pacman"},
		{"P 6,3 G 6.5,3 East 1 food 06e capsules - score -1 turn ghost1", "East",
			""}, // impossible: they would have met before
		{"P 5,3 G 6.5,3 West 1 food 06e capsules - score -1 turn ghost1", "West", // snaps to 6
			"P 5,3 G 6,3 West 0 food 06e capsules - score -1 turn pacman"},
		{"P 5,3 G 7,3 West 0 food 06e capsules - score 0 turn pacman", "East West",
			"P 6,3 G 6,3 West 0 food 06e capsules - score -501 turn lost"},
		{"P 6,3 G 7,3 West 0 food 86e capsules 5,3 score 0 turn pacman", "West West", // Pacman reaches the capsule in time
			"P 5,3 G 6.5,3 West 39 food 86e capsules - score -1 turn pacman"},
		{"P 2,3 G 1,3 West 0 food 80 capsules - score 0 turn pacman", "", ""},
		{"P 2,3 G 1,3 West 0 food 800 capsules - score 0 turn pacman", "West", // eats the last food and meets the ghost
			"P 1,3 G 1,3 West 0 food 000 capsules - score 509 turn won"},
	} {
		s, err := g.Parse(c.from)
		if c.want == "" {
			if err == nil {
				t.Errorf("%q is read", c.from)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		gametest.Play(t, g.ParseMove, s, c.moves)
		if s.String() != c.want {
			t.Errorf("%s, %v:\n%s, want\n%s", c.from, c.moves, s, c.want)
		}
	}
}

// TestCaughtTwice checks that two ghosts that catch Pacman in the same move cost 500 points each,
// as in Berkeley's rules.
func TestCaughtTwice(t *testing.T) {
	g := newGame(t, "pacman:layout=ring")
	s := read(t, g, start(t, g))
	if _, hi := s.Bounds(0); hi != g.Max {
		t.Errorf("bound %v at the start, Max %v", hi, g.Max)
	}
	small := newGame(t, "pacman")
	two := small.New().(*State)
	p := two.at()
	for i := range 2 {
		p.ghosts[i] = body{at: p.pacman + 2*two.step[North], heading: South}
	}
	gametest.Play(t, small.ParseMove, two, "North")
	if two.Score(0) != 9-1000 || two.Turn() != game.Nobody || two.Won() {
		t.Errorf("%s", two)
	}
	read(t, small, two.String())
}

func TestDirectionalGhost(t *testing.T) {
	g := newGame(t, "pacman:layout=room,ghost=directional")
	// The ghost may go west, north and south. Pacman is in the north-west.
	for text, want := range map[string]map[string]float64{
		"West 0":  {"West": 0.4 + 0.2/3, "North": 0.4 + 0.2/3, "South": 0.2 / 3},
		"West 40": {"West": 0.2 / 3, "North": 0.2 / 3, "South": 0.8 + 0.2/3},
	} {
		s := read(t, g, "P 1,7 G 10,3 "+text+" food "+foodOf(g)+" capsules - score 0 turn ghost1")
		for _, m := range s.Moves(nil) {
			if p := s.Prob(m); math.Abs(p-want[s.MoveString(m)]) > 1e-12 {
				t.Errorf("%s: %s has %v, want %v", s, s.MoveString(m), p, want[s.MoveString(m)])
			}
		}
	}
}

// foodOf returns the initial food in the notation of String.
func foodOf(g *game.Game) string {
	_, rest, _ := strings.Cut(g.New().String(), " food ")
	food, _, _ := strings.Cut(rest, " ")
	return food
}

func TestFaults(t *testing.T) {
	g := newGame(t, "pacman:layout=corridor")
	for text, at := range map[string]int{
		"": 0,
		"P 5,3 G 7,3 West 39 food 06e capsules - score 0 turn":           52,
		"P 5,3 G 7,3 West 39 food 06e capsules - score 0 turn ghost2":    53,
		"P 5,3 G 7,3 West 39 food 06e capsules - score 0 turn pacman ":   59,
		"P 5,3 G 7,3 West 39 food 06e capsules - score 00 turn pacman":   46,
		"P 5,3 G 7,3 West 39 food 06e capsules - score 9999 turn pacman": 46,
		"P 5,3 G 7,3 West 39 food 06e capsules - score -9999 turn won":   -1,
		"P 5,3 G 7,3 West 39 food 06e capsules score 0 turn pacman":      38,
		"P 5,3 G 7,3 West 39 food 06e capsules 6,3 score 0 turn pacman":  38,
		"P 5,3 G 7,3 West 39 food 06f capsules - score 0 turn pacman":    27,
		"P 5,3 G 7,3 West 39 food 06E capsules - score 0 turn pacman":    27,
		"P 5,3 G 7,3 West 39 food 06 capsules - score 0 turn pacman":     25,
		"P 5,3 G 7,3 West 41 food 06e capsules - score 0 turn pacman":    17,
		"P 5,3 G 7,3 west 39 food 06e capsules - score 0 turn pacman":    12,
		"P 5,3 G 7,3 Stop 39 food 06e capsules - score 0 turn pacman":    12,
		"P 5,3 G 7.5,3 West 0 food 06e capsules - score 0 turn pacman":   8,
		"P 5,3 G 7.5,3 North 9 food 06e capsules - score 0 turn pacman":  8,
		"P 5,3 G 7,3.5 North 9 food 06e capsules - score 0 turn pacman":  8,
		"P 5.5,3 G 7,3 West 9 food 06e capsules - score 0 turn pacman":   2,
		"P 0,3 G 7,3 West 9 food 06e capsules - score 0 turn pacman":     2,
		"P 05,3 G 7,3 West 9 food 06e capsules - score 0 turn pacman":    2,
		"P 5,3 G 5,3 West 9 food 06e capsules - score 0 turn pacman":     -1,
		"P 5,3 G 7,3 West 9 food 06e capsules - score 0 turn lost":       -1,
		"P 5,3 G 7,3 West 9 food 000 capsules - score 0 turn pacman":     -1,
		"P 1,3 G 7,3 West 9 food 86e capsules - score 0 turn pacman":     -1,
		"P 5,3 food 06e capsules - score 0 turn pacman":                  6,
	} {
		gametest.Fault(t, g, text, at, "")
	}
	gametest.Refuse(t, New, "pacman:layout=nowhere", "pacman:layout=no/such.lay", "pacman:ghosts=-1", "pacman:ghost=tame", "pacman:speed=2", "pacman:stop=maybe")
}

func FuzzParse(f *testing.F) {
	games := []*game.Game{newGame(f, "pacman:layout=corridor"), newGame(f, "pacman"), newGame(f, "pacman:layout=lecture,ghosts=0")}
	for i, g := range games {
		s := g.New()
		for range 30 {
			f.Add(s.String(), i)
			if moves := s.Moves(nil); len(moves) > 0 {
				s.Play(moves[len(moves)-1])
			}
		}
	}
	f.Add("P 5,3 G 7.5,3 West 38 food 06e capsules - score -1 turn pacman", 0)
	f.Add("P 6,3 G 6,3 West 0 food 06e capsules - score -501 turn lost", 0)
	f.Fuzz(func(t *testing.T, text string, which int) {
		g := games[uint(which)%uint(len(games))]
		s, err := g.Parse(text)
		if err != nil {
			return
		}
		if s.String() != text {
			t.Fatalf("%q is printed %q", text, s)
		}
		if lo, hi := s.(*State).Bounds(0); lo < g.Min || hi > g.Max || lo > hi {
			t.Fatalf("%q: bounds [%v, %v]", text, lo, hi)
		}
		// Any position that can be read can be continued, printed and read back.
		for i := range 60 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			s.Play(moves[(i*7+which&3)%len(moves)])
			if float64(s.(*State).at().score) < longest*timePoints && s.Turn() != game.Nobody {
				break // beyond the move limit
			}
			if again, err := g.Parse(s.String()); err != nil || again.Hash() != s.Hash() {
				t.Fatalf("%q leads to %q: %v", text, s, err)
			}
		}
	})
}
