package exact_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
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
