package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/disk"
	"plyfit/internal/text"
	"plyfit/search"
)

type opening struct {
	start string // initial position; empty unless positions are listed
	moves []game.Move
	hash  uint64 // hash of the position after the opening
}

// openingTries is the maximum number of attempts to draw an opening. If all of them end the game,
// the match fails.
const openingTries = 1000

func (m *match) start(pair int) (game.State, string, error) {
	list := m.cfg.Openings.Positions
	if len(list) == 0 {
		return m.cfg.Game.New(), "", nil
	}
	text := list[pair%len(list)]
	s, err := m.cfg.Game.Parse(text)
	return s, text, err
}

// drawOpening draws the opening that all games of a pair share. It does not depend on the agents.
func (m *match) drawOpening(pair int) (opening, error) {
	s, text, err := m.start(pair)
	if err != nil {
		return opening{}, err
	}
	plies := m.cfg.Openings.Plies
	if plies == 0 {
		return opening{start: text, hash: s.Hash()}, nil
	}
	random := &openingRandom{key: game.Seed(m.cfg.Seed, uint64(pair), streamOpening)}
	o := play.Opening{
		Least: plies, Most: plies, Tries: openingTries, MaxPlies: m.cfg.Game.MaxPlies,
		DecideSlip: true, AdversaryByChance: true,
		Again: func() { random.try, random.drawn = random.try+1, 0 },
	}
	if !o.Draw(s, random) {
		return opening{}, fmt.Errorf("%s: all %d attempts to draw an opening of %d random plies ended the game; use fewer plies", m.cfg.Game.Spec, openingTries, plies)
	}
	return opening{start: text, moves: o.Moves, hash: s.Hash()}, nil
}

// openingRandom generates the random numbers of an opening. They depend only on the seed, the pair,
// the attempt and their position in the sequence.
type openingRandom struct{ key, try, drawn uint64 }

func (r *openingRandom) Float64() float64 {
	r.drawn++
	return unit(game.Seed(r.key, r.try, r.drawn))
}

func (r *openingRandom) IntN(n int) int { return int(r.Float64() * float64(n)) }

const largestBook = 1 << 30

// ReadOpenings reads positions for Openings.Positions from a file with one position per line. It
// ignores empty lines, comments (#) and labels ([game.Game.ParseLine]).
//
// A line causes an error that contains the file name and line number if its position is invalid in
// g or the game is over. If skip is nil, ReadOpenings returns this error. Otherwise it passes the
// error to skip and continues. It also returns an error if the file contains no positions, is not a
// regular file, or is larger than 1 GiB.
func ReadOpenings(path string, g *game.Game, skip func(error)) ([]string, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > largestBook {
		return nil, cmp.Or(err, fmt.Errorf("%s: larger than %d bytes: %w", path, largestBook, disk.ErrTooLarge))
	}
	var list []string
	var first error
	skipped, line := 0, 1
	in := text.NewScanner(f, 1<<20)
	for ; in.Scan(); line++ {
		text, ok := game.PositionLine(in.Text())
		if !ok {
			continue
		}
		s, err := g.ParseLine(text)
		if err == nil && s.Turn() == game.Nobody {
			err = errors.New("the game is over; want a position with legal moves")
		}
		if err == nil {
			list = append(list, s.String())
			continue
		}
		err = fmt.Errorf("%s, line %d: %w", path, line, err)
		if skip == nil {
			return nil, err
		}
		if skipped++; skipped == 1 {
			first = err
		}
		skip(err)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
	}
	switch {
	case len(list) == 0 && first != nil:
		return nil, fmt.Errorf("%w; no other line is a valid opening", first)
	case len(list) == 0:
		return nil, fmt.Errorf("%s: no positions; want one position per line", path)
	}
	return list, nil
}

// A Book generates openings: positions after random plies that an agent evaluates as balanced.
type Book struct {
	Game  *game.Game     // two-player game that is zero-sum or constant-sum
	Agent search.Factory // evaluates the positions
	Plies int            // number of random decisions; positive
	Size  int            // number of distinct positions to generate; positive
	Seed  uint64
	// Within is the maximum absolute value of a position, on a scale from 0 (draw) to 1 (win). It
	// must be in (0, 1]; 0 means 0.2.
	Within float64
	// Tries is the maximum number of positions to draw; 0 means 1000 times Size.
	Tries int
	// Skip lists positions to exclude.
	Skip []string
	// Progress, if not nil, is called with the number of positions found so far.
	Progress func(found int)
}

// Make draws positions until it has found Size balanced ones. It returns an error if it does not
// find enough of them within Tries positions.
func (b Book) Make(ctx context.Context) ([]string, error) {
	b.Within, b.Tries = cmp.Or(b.Within, 0.2), cmp.Or(b.Tries, 1000*b.Size)
	switch {
	case b.Plies <= 0:
		return nil, fmt.Errorf("book plies=%d: want 1 or more", b.Plies)
	case b.Size <= 0:
		return nil, fmt.Errorf("book positions=%d: want 1 or more", b.Size)
	case !(b.Within > 0 && b.Within <= 1): // also rejects NaN
		return nil, fmt.Errorf("book within=%v: want a number above 0 and at most 1", b.Within)
	}
	m, err := newMatch(Config{Game: b.Game, A: b.Agent, B: b.Agent, Pairs: 1, Seed: b.Seed, Openings: Openings{Plies: b.Plies}})
	if err != nil {
		return nil, err
	}
	if m.layout.mode != Duel || m.layout.shape.Sum == game.General {
		return nil, fmt.Errorf("book for %s: want a two-player constant-sum game", b.Game.Spec)
	}
	agent, err := b.Agent.New()
	if err != nil {
		return nil, err
	}
	defer search.Close(agent)
	var list []string
	seen := map[uint64]bool{}
	for _, p := range b.Skip {
		s, err := b.Game.Parse(p)
		if err != nil {
			return nil, fmt.Errorf("book: %w", err)
		}
		seen[s.Hash()] = true
	}
	for try := 0; try < b.Tries && len(list) < b.Size; try++ {
		o, err := m.drawOpening(try)
		if err != nil {
			return nil, err
		}
		if seen[o.hash] {
			continue
		}
		seen[o.hash] = true
		s := b.Game.New()
		for _, mv := range o.moves {
			s.Play(mv)
		}
		even, err := m.balanced(ctx, agent, s, try, b.Within)
		if err != nil {
			return nil, err
		}
		if even {
			list = append(list, s.String())
		}
		if b.Progress != nil {
			b.Progress(len(list))
		}
	}
	if len(list) < b.Size {
		return nil, fmt.Errorf("book for %s: found %d balanced positions among %d; want %d; use more plies or allow a larger distance from a draw", b.Game.Spec, len(list), b.Tries, b.Size)
	}
	return list, nil
}

func (m *match) balanced(ctx context.Context, agent search.Agent, s game.State, try int, within float64) (bool, error) {
	agent.Begin(game.Seed(m.cfg.Seed, uint64(try), streamAgent))
	found, err := agent.Search(ctx, s)
	switch err = cmp.Or(err, ctx.Err()); {
	case err != nil:
		return false, err
	case len(found.Values) == 0:
		return false, errors.New("book: the agent reports no value; use an agent that searches")
	}
	x := (found.Values[0] - m.layout.even) / (m.layout.win - m.layout.even)
	return math.Abs(x) <= within, nil
}

// Keep returns the first b.Size positions in the file at path. If the file does not exist or
// contains fewer positions, Keep generates them and writes the file. The last line of the file is a
// comment with a digest of the positions; Keep returns an error if the digest does not match.
// Several processes must not call Keep for the same file.
func (b Book) Keep(ctx context.Context, path string) ([]string, error) {
	list, err := ReadOpenings(path, b.Game, nil)
	if !errors.Is(err, fs.ErrNotExist) {
		text, _ := disk.Read(path, largestBook)
		if err != nil || string(text) != sealedBook(list) {
			return nil, disk.Damaged(path, path)
		}
		if len(list) >= b.Size {
			return list[:b.Size], nil
		}
	}
	if list, err = b.Make(ctx); err != nil {
		return nil, err
	}
	return list, disk.WriteBytes(path, []byte(sealedBook(list)))
}

func sealedBook(list []string) string {
	text := strings.Join(list, "\n") + "\n"
	return text + "# SHA-256: " + digest([]byte(text)) + "\n"
}
