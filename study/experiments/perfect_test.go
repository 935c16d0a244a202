package experiments_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/search"
)

var (
	bookFile  = flag.String("book", "", "of TestPerfectPlay: values of connect four's positions of eight stones at most")
	modelFile = flag.String("model", "", "of TestPerfectPlay: the evaluation that begins, one decision ahead")
	gameCount = flag.Int("count", 2000, "of TestPerfectPlay: games")
)

// book has the mover's value of positions, mirrored or not, by [bookKey]: 22 less the
// winner's stones.
type book map[uint64]int8

// readBook reads the number of positions, then key and value of each, eight bytes and
// one, little-endian: the form in which Pons' solver was ported with its book.
func readBook(t *testing.T, path string) book {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) < 8 || uint64(len(raw)-8) != 9*binary.LittleEndian.Uint64(raw) {
		t.Fatalf("%s: %d bytes, want 8 and 9 for each position", path, len(raw))
	}
	b := book{}
	for at := raw[8:]; len(at) > 0; at = at[9:] {
		b[binary.LittleEndian.Uint64(at)] = int8(at[8])
	}
	return b
}

// bookKey is the lesser of the keys of a position and its mirror image: the mover's
// stones added to all stones.
func bookKey(own, all uint64) uint64 {
	mirror := func(set uint64) (m uint64) {
		for column := range 7 {
			m |= set >> (7 * column) & 0x7f << (7 * (6 - column))
		}
		return m
	}
	return min(own+all, mirror(own)+mirror(all))
}

func (b book) value(s game.State) (v int8, ok bool) {
	own, other := s.(*connect4.Distance).Stones()
	if s.Turn() == 1 {
		own, other = other, own
	}
	v, ok = b[bookKey(own, own|other)]
	return v, ok
}

// perfect is a second player who never makes a move that is worth less than another: he
// loses as late as he can. By the book he draws lots among equals; behind it he searches
// to the end, once for each position, and plays the first.
type perfect struct {
	book   book
	solver search.Agent
	random *rand.Rand
	best   map[string][]game.Move
}

func (p *perfect) move(t *testing.T, s game.State, line string) game.Move {
	moves, known := p.best[line]
	if !known {
		moves = p.byBook(s)
		if moves == nil {
			r, err := p.solver.Search(context.Background(), s)
			if err != nil || !r.Exact {
				t.Fatalf("%s: exact: %v, %v", line, r.Exact, err)
			}
			moves = []game.Move{r.Move}
		}
		p.best[line] = moves
	}
	return moves[p.random.IntN(len(moves))]
}

// byBook are the best moves; nil where the book does not have what they lead to.
func (p *perfect) byBook(s game.State) (best []game.Move) {
	most := -100.0
	for _, m := range s.Moves(nil) {
		s.Play(m)
		value, ok := s.Utility(1), s.Turn() == game.Nobody
		if !ok {
			var v int8
			v, ok = p.book.value(s)
			value = -float64(v)
		}
		s.Undo()
		switch {
		case !ok:
			return nil
		case value > most:
			most, best = value, []game.Move{m}
		case value == most:
			best = append(best, m)
		}
	}
	return best
}

func agentOf(t *testing.T, world, spec string) (*catalog.World, search.Agent) {
	t.Helper()
	w, err := catalog.All().World(world)
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Agent(spec, catalog.AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.New()
	if err != nil {
		t.Fatal(err)
	}
	a.Begin(1)
	return w, a
}

// A learned evaluation begins against perfect play, and the log has its mean result (the
// measure of Thill, Koch and Konen). No game ends better for it than the book had it.
func TestPerfectPlay(t *testing.T) {
	if *bookFile == "" || *modelFile == "" {
		t.Skip("wants -book FILE -model FILE")
	}
	plain, learned := agentOf(t, "connect4", "alphabeta:depth=1,eval="+*modelFile)
	distance, solver := agentOf(t, "connect4:score=distance", "alphabeta:depth=42,eval=zero")
	second := &perfect{readBook(t, *bookFile), solver, rand.New(rand.NewPCG(1, 2)), map[string][]game.Move{}}
	chosen := map[string]game.Move{}
	var results [3]int // lost, drawn, won
	for range *gameCount {
		s, as, line, still := plain.New(), distance.New(), "", int8(100)
		for as.Turn() != game.Nobody {
			var m game.Move
			switch v, ok := second.book.value(as); {
			case as.Turn() == 1:
				m = second.move(t, as, line)
			case ok:
				if v > still {
					t.Fatalf("%s: worth %d, and %d two stones before: the second player lets go", line, v, still)
				}
				still = v
				fallthrough
			default:
				var known bool
				if m, known = chosen[line]; !known {
					r, err := learned.Search(context.Background(), s)
					if err != nil {
						t.Fatal(err)
					}
					m = r.Move
					chosen[line] = m
				}
			}
			line += s.MoveString(m)
			s.Play(m)
			as.Play(m)
		}
		u := as.Utility(0)
		if u > float64(still) {
			t.Errorf("%s: ends with %v, and was worth %d by the book", line, u, still)
		}
		results[1+cmp.Compare(u, 0)]++
	}
	t.Logf("%s: mean %.3f: %d won, %d drawn, %d lost", *modelFile,
		float64(results[2]-results[0])/float64(*gameCount), results[2], results[1], results[0])
}

var writeKept = flag.Int("positions", 0, "of TestValueKept: so many positions are drawn and solved anew, in place of those of the file")

const keptFile = "testdata/kept.txt"

// Positions are of so many stones, early enough that searches of a few decisions do not
// see the end, and late enough to be solved in a second.
const (
	fewestStones = 18
	mostStones   = 26
)

// kept is a position of connect four and the moves that keep its value.
type kept struct{ line, best string }

// readKept reads positions, one a line: the columns played so far, and those that keep
// the value.
func readKept(t *testing.T) (all []kept) {
	t.Helper()
	f, err := os.Open(keptFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var k kept
		if _, err := fmt.Sscan(lines.Text(), &k.line, &k.best); err != nil {
			t.Fatalf("%s: %q: want the columns played and those that keep the value: %v", keptFile, lines.Text(), err)
		}
		all = append(all, k)
	}
	return all
}

// solverOf searches connect four to its end, and finds all moves that are as good.
func solverOf(t *testing.T) (*catalog.World, search.Agent) {
	t.Helper()
	w, err := catalog.All().World("connect4")
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Agent("alphabeta:depth=42,eval=zero", catalog.AgentOptions{Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.New()
	if err != nil {
		t.Fatal(err)
	}
	a.Begin(1)
	return w, a
}

// solve are the moves that keep the value of s, by a search to the end.
func solve(t *testing.T, solver search.Agent, s game.State) string {
	t.Helper()
	r, err := solver.Search(context.Background(), s)
	if err != nil || !r.Exact {
		t.Fatalf("%s: exact: %v, %v", s, r.Exact, err)
	}
	best := ""
	for _, m := range r.Best {
		best += s.MoveString(m)
	}
	return best
}

// drawKept plays games by the hand-written evaluation two decisions ahead, one move in
// four at random, and keeps a position of each in which no move wins at once and some
// moves keep the value and some do not.
func drawKept(t *testing.T, solver search.Agent, n int) (all []kept) {
	w, player := agentOf(t, "connect4", "mix(0.75*(alphabeta:depth=2,eval=handwritten,ties=random),0.25*random)")
	random := rand.New(rand.NewPCG(3, 4))
	seen := map[string]bool{}
	for game := uint64(0); len(all) < n; game++ {
		player.Begin(game)
		s := w.New()
		for stones := fewestStones + random.IntN(mostStones-fewestStones+1); stones > 0 && s.Turn() >= 0; stones-- {
			r, err := player.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			s.Play(r.Move)
		}
		if s.Turn() < 0 || seen[s.String()] || winsAtOnce(s) {
			continue
		}
		seen[s.String()] = true
		if best := solve(t, solver, s); len(best) < len(s.Moves(nil)) {
			all = append(all, kept{s.String(), best})
		}
	}
	return all
}

func winsAtOnce(s game.State) bool {
	p := s.Turn()
	return slices.ContainsFunc(s.Moves(nil), func(m game.Move) bool {
		s.Play(m)
		defer s.Undo()
		return s.Turn() == game.Nobody && s.Utility(p) > 0
	})
}

// TestValueKept: in positions in the middle of games in which some moves keep what the
// position is worth with best play and some do not, an evaluation keeps it one and three
// decisions ahead in the share that the log has. It moves with every choice of a game,
// where the result against perfect play hangs on a few.
func TestValueKept(t *testing.T) {
	w, solver := solverOf(t)
	if *writeKept > 0 {
		var b strings.Builder
		for _, k := range drawKept(t, solver, *writeKept) {
			fmt.Fprintln(&b, k.line, k.best)
		}
		if err := os.WriteFile(keptFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all := readKept(t)
	for _, k := range all[:min(8, len(all))] {
		s, err := w.Parse(k.line)
		if err != nil {
			t.Fatal(err)
		}
		if best := solve(t, solver, s); best != k.best {
			t.Errorf("%s: %s keep the value, and the file has %s", k.line, best, k.best)
		}
	}
	share := func(spec string) float64 {
		_, a := agentOf(t, "connect4", spec)
		held := 0
		for i, k := range all {
			s, err := w.Parse(k.line)
			if err != nil {
				t.Fatal(err)
			}
			a.Begin(uint64(i))
			r, err := a.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(k.best, s.MoveString(r.Move)) {
				held++
			}
		}
		p := float64(held) / float64(len(all))
		t.Logf("%s: %.1f%% ± %.1f of %d positions", spec, 100*p, 196*math.Sqrt(p*(1-p)/float64(len(all))), len(all))
		return p
	}
	evals := []string{"zero,ties=random", "handwritten", "learned"}
	if *modelFile != "" {
		evals = append(evals, *modelFile)
	}
	var shallow []float64
	for _, eval := range evals {
		shallow = append(shallow, share("alphabeta:depth=1,eval="+eval))
		share("alphabeta:depth=3,eval=" + eval)
	}
	if shallow[0] > 0.6 || shallow[2] < shallow[0]+0.1 {
		t.Errorf("knowing nothing keeps %.3f of the values, and what ships %.3f: want more by .1 at least", shallow[0], shallow[2])
	}
}
