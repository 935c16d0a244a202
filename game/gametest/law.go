// Package gametest is the one law that every game keeps, in the manner of testing/fstest.
//
// The journey: a game's own test calls [Law] with each of its variants. Law plays random games from
// the start and from the positions that [Options] lists, holds every position on the way against
// the contract of package game, takes everything back, and does the same again with the game
// wrapped by slip and, where it has chance, by an adversary.
package gametest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/text"
	"plyfit/internal/vectors"
)

// Options say how thorough Law is. The zero value is the default. Unless the variable
// PLYFIT_LONG is set, it is a fortieth of the playouts: enough for each of Positions, and
// at least 20 where as many are asked for.
type Options struct {
	Playouts  int      // random games of the bare game with PLYFIT_LONG; 0: 2000. A quarter of them for each wrapped one
	Plies     int      // a playout ends here at the latest; 0: the game's MaxPlies or 1000, whichever is less
	Reads     int      // positions of a playout that are printed, parsed and cloned, on average; 0: 2
	Seed      uint64   // of the random choices
	Positions []string // where playouts begin, beside the start
	Unwrapped bool     // leave out the wrapped variants
}

// Law fails t, which may not run in parallel with others (allocations are
// counted), where g breaks the contract of package game:
//
//   - Moves are distinct, the same when asked twice, none if and only if the game
//     is over; Noisy is a subset in their order, and Gain of each lies in [0, Max);
//   - the probabilities of nature's moves are positive and sum to 1;
//   - Undo restores Turn, Moves, Hash and String, and so does Rewind at once;
//   - positions of one Hash have the same turn and moves, which lead to the same, so
//     that a Hash covers what the future depends on, dice above all;
//   - Parse(String()) is the same position: String, Turn, Hash, Moves;
//   - ParseMove(MoveString(m)) is m, and so is that of [game.Spelled], by which no two
//     moves are alike; nonsense is an error;
//   - a Clone is the same position, and playing on it leaves the original alone;
//   - utilities lie in [Min, Max] and sum to 0 where the game says so;
//   - a [game.Solver] of the last plies says what minimax says;
//   - ClassifyMoves lists the moves of Moves and says what comes of each;
//   - Bounds enclose the utility at the end and lie inside those before the move, and those of the
//     position as it is read lie inside them;
//   - a drawing is the same when asked twice and holds no escape sequences but
//     those of colour, without colour none;
//   - a picture is one well-formed svg element, the same when asked twice, without
//     scripts, links and styles, and has the places that Clicks name;
//   - MaxPlies is positive and the Shape is sane;
//   - in a game of imperfect information a sample is a position of the same
//     information set, in which they have the same moves; some of it is hidden,
//     and there are no wrapped variants;
//   - Play, Undo, Moves, Turn, Hash and the rest allocate nothing once buffers
//     are large enough.
func Law(t *testing.T, g *game.Game, options ...Options) {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	o.Playouts, o.Reads = cmp.Or(o.Playouts, 2000), cmp.Or(o.Reads, 2)
	if !vectors.Long() {
		o.Playouts = min(o.Playouts, max(20, o.Playouts/40, len(o.Positions)+1))
	}
	chance := obey(t, g, o)
	if g.Hidden {
		veiled(t, g)
		return
	}
	if o.Unwrapped || t.Failed() {
		return
	}
	o.Playouts = (o.Playouts + 3) / 4
	slip, err := game.WithSlip(g, 0.25)
	if err != nil {
		t.Errorf("%s: with slip: %v", g.Spec, err)
		return
	}
	obey(t, slip, o)
	hostile, err := game.WithAdversary(g)
	switch possible := g.Players == 1 || g.Players == 2 && g.Sum == game.Zero; {
	case !possible && err == nil:
		t.Errorf("%s: +adversary accepts a game of %d players", g.Spec, g.Players)
	case !possible || !chance:
	case err != nil:
		t.Errorf("%s: with adversary: %v", g.Spec, err)
	default:
		obey(t, hostile, o)
	}
}

// complainer is what is needed of testing.T.
type complainer interface {
	Helper()
	Errorf(format string, args ...any)
	Failed() bool
}

// obey plays the playouts and reports whether nature ever moved.
func obey(t complainer, g *game.Game, o Options) (chance bool) {
	t.Helper()
	if g.Name == "" || g.Spec == "" || g.Doc == "" {
		t.Errorf("game %q, spec %q, doc %q: want all three", g.Name, g.Spec, g.Doc)
	}
	if g.MaxPlies <= 0 {
		t.Errorf("%s: MaxPlies %d: want a positive number", g.Spec, g.MaxPlies)
	}
	if g.Players < 1 || !(g.Min <= g.Max) {
		t.Errorf("%s: %d players, utilities in [%v, %v]", g.Spec, g.Players, g.Min, g.Max)
	}
	for _, nonsense := range []string{"", " ", "no such position", "\x00", "é"} {
		if s, err := g.Parse(nonsense); err == nil {
			t.Errorf("%s: Parse(%q) is %q, want an error", g.Spec, nonsense, s)
		}
	}
	o.Plies = cmp.Or(o.Plies, min(g.MaxPlies, 1000))
	starts := append([]string{""}, o.Positions...)
	j := &checker{t: t, g: g, o: o, where: g.Spec}
	j.celled()
	for i := 0; i < o.Playouts && !t.Failed(); i++ {
		j.where = fmt.Sprintf("%s, playout %d", g.Spec, i)
		j.rng = rand.New(rand.NewPCG(o.Seed, uint64(i)))
		s := g.New()
		if text := starts[i%len(starts)]; text != "" {
			var err error
			if s, err = g.Parse(text); err != nil {
				t.Errorf("%s: Parse(%q): %v", g.Spec, text, err)
				return j.chance
			}
		}
		path := j.playout(s, i < len(starts))
		if i < 8 && !t.Failed() {
			j.allocations(s, path)
		}
	}
	if g.Hidden && !j.hidden {
		t.Errorf("%s: no sample differs from the position it is drawn for: want something hidden", g.Spec)
	}
	return j.chance
}

// checker follows playouts of one game.
type checker struct {
	t      complainer
	g      *game.Game
	o      Options
	where  string
	rng    *rand.Rand
	chance bool
	hidden bool              // a sample differed from its position
	texts  map[uint64]string // some position of a Hash
	solver game.Solver       // made once, as a search would
	length int               // plies of the last playout, a guess at the next one's
	buffer []game.Move
}

// snapshot is what a position answered on the way forward.
type snapshot struct {
	turn  game.Player
	hash  uint64
	moves []game.Move
	text  string // empty where it was not printed
}

func (j *checker) errorf(format string, args ...any) {
	j.t.Helper()
	j.t.Errorf("%s: %s", j.where, fmt.Sprintf(format, args...))
}

// playout plays s to the end and back, and returns the moves; first: s itself is read.
func (j *checker) playout(s game.State, first bool) (path []game.Move) {
	shape := game.ShapeOf(j.g, s)
	bounds := make([][2]float64, shape.Players)
	for p := range bounds {
		bounds[p] = [2]float64{math.Inf(-1), math.Inf(1)}
	}
	var seen []snapshot
	for len(path) <= j.o.Plies && !j.t.Failed() {
		read := first && len(path) == 0 || j.rng.IntN(max(j.length, 1)) < j.o.Reads
		at := j.check(s, shape, bounds, read, len(path) == 0)
		seen = append(seen, at)
		if at.turn == game.Nobody || len(path) == j.o.Plies {
			if !read {
				j.reads(s, at, false)
			}
			break
		}
		m := at.moves[j.rng.IntN(len(at.moves))]
		path = append(path, m)
		s.Play(m)
	}
	j.length = len(path)
	for i := len(seen) - 1; i >= 0 && !j.t.Failed(); i-- {
		j.same("after Undo", s, seen[i])
		if i >= len(seen)-lastPlies {
			j.solves(s)
		}
		if i > 0 {
			s.Undo()
		}
	}
	if r, ok := s.(interface{ Rewind() }); ok && !j.t.Failed() {
		for _, m := range path {
			s.Play(m)
		}
		r.Rewind()
		j.same("after Rewind", s, seen[0])
	}
	return path
}

// check holds one position against the law.
func (j *checker) check(s game.State, shape game.Shape, bounds [][2]float64, read, first bool) snapshot {
	at := snapshot{turn: s.Turn(), hash: s.Hash(), moves: s.Moves(nil)}
	if over := at.turn == game.Nobody; over != (len(at.moves) == 0) {
		j.errorf("%q: turn %d and %d moves", s, at.turn, len(at.moves))
	}
	if at.turn < game.Nobody || int(at.turn) >= shape.Players {
		j.errorf("%q: turn %d of %d players", s, at.turn, shape.Players)
	}
	j.lists(s, at.moves)
	if at.turn == game.Chance {
		j.chance = true
		j.nature(s, at.moves, shape.Players)
	}
	if n, ok := game.As[game.Noisy](s); ok && at.turn >= 0 {
		j.noisy(s, n, at.moves)
	}
	if p, ok := s.(game.MoveClassifier); ok {
		j.classifies(s, p, at.moves)
	}
	if r, ok := game.As[game.Ranker](s); ok && at.turn >= 0 {
		for _, m := range at.moves {
			if once, again := r.Rank(m), r.Rank(m); once != again {
				j.errorf("%q: Rank differs when asked twice", s)
			}
		}
	}
	j.bounds(s, at, shape, bounds)
	if read {
		at.text = s.String()
		j.reads(s, at, first)
		j.siblings(s, at.moves)
		j.met(s, at)
	}
	return at
}

// lists holds Moves against the law: each move once, and appended.
func (j *checker) lists(s game.State, moves []game.Move) {
	j.buffer = s.Moves(append(j.buffer[:0], 7))
	if len(j.buffer) != len(moves)+1 || j.buffer[0] != 7 {
		j.errorf("%q: Moves does not append", s)
	}
	j.buffer = append(j.buffer[:0], moves...)
	slices.Sort(j.buffer)
	if len(slices.Compact(j.buffer)) != len(moves) || slices.Contains(moves, game.NoMove) {
		j.errorf("%q: a move of %v is listed twice or is NoMove", s, moves)
	}
}

// noisy checks that noisy moves are some of all moves, in their order, and gain what a
// game can give.
func (j *checker) noisy(s game.State, n game.Noisy, moves []game.Move) {
	next := 0
	g, gains := game.As[game.Guessed](s)
	for _, m := range n.Noisy(nil) {
		if gains {
			if gain := g.Gain(m); !(gain >= 0 && gain < j.g.Max) {
				j.errorf("%q: noisy move %d gains %v: want at least 0 and less than %v", s, m, gain, j.g.Max)
			}
		}
		for next < len(moves) && moves[next] != m {
			next++
		}
		if next == len(moves) {
			j.errorf("%q: noisy move %d is not among Moves, in their order", s, m)
		}
	}
}

// classifies compares what s says of its moves with what they lead to.
func (j *checker) classifies(s game.State, p game.MoveClassifier, moves []game.Move) {
	prefix := []game.Move{7}
	listed, over, chance := p.ClassifyMoves(prefix)
	if len(listed) == 0 || listed[0] != 7 || !slices.Equal(listed[1:], moves) {
		j.errorf("%q: ClassifyMoves lists %v after 7, Moves %v", s, listed, moves)
		return
	}
	played := s.Clone()
	for i, m := range moves {
		played.Play(m)
		turn := played.Turn()
		played.Undo()
		if said := over>>i&1 == 1; said != (turn == game.Nobody) || i >= 64 {
			j.errorf("%q: ClassifyMoves says over: %v of move %d; turn %d comes of it", s, said, i, turn)
		}
		if said := chance>>i&1 == 1; said != (turn == game.Chance) {
			j.errorf("%q: ClassifyMoves says chance: %v of move %d; turn %d comes of it", s, said, i, turn)
		}
	}
	if n := len(moves); over>>n != 0 || chance>>n != 0 {
		j.errorf("%q: ClassifyMoves marks %b and %b of %d moves", s, over, chance, n)
	}
}

// nature holds a chance node against the law.
func (j *checker) nature(s game.State, moves []game.Move, players int) {
	c, ok := game.As[game.Chancer](s)
	if !ok {
		j.errorf("%q: nature is to move and the state is no Chancer", s)
		return
	}
	sum := 0.0
	for _, m := range moves {
		p := c.Prob(m)
		if !(p > 0 && p <= 1) {
			j.errorf("%q: probability %v of %s", s, p, s.MoveString(m))
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		j.errorf("%q: probabilities sum to %v", s, sum)
	}
	if r, ok := s.(interface{ SampleChance(u float64) game.Move }); ok {
		// In the middle of each move's share rounding does not matter.
		from := 0.0
		for _, m := range moves {
			p := c.Prob(m)
			if u := from + float64(p/2); r.SampleChance(u) != m || game.Drawn(s, moves, u) != m {
				j.errorf("%q: %v samples %s and draws %s, want %s", s, u, s.MoveString(r.SampleChance(u)), s.MoveString(game.Drawn(s, moves, u)), s.MoveString(m))
			}
			from += p
		}
	}
	if f := c.For(); f < 0 || int(f) >= players {
		j.errorf("%q: the luck is player %d's of %d", s, f, players)
	}
}

// bounds checks utilities and Bounds, and narrows bounds to those of s.
func (j *checker) bounds(s game.State, at snapshot, shape game.Shape, bounds [][2]float64) {
	b, bounded := game.As[game.Bounder](s)
	sum := 0.0
	for i := range bounds {
		p := game.Player(i)
		if bounded {
			lo, hi := b.Bounds(p)
			if !(lo <= hi) || lo < bounds[i][0] || hi > bounds[i][1] {
				j.errorf("%q: player %d's bounds [%v, %v], before the move %v", s, p, lo, hi, bounds[i])
			}
			bounds[i] = [2]float64{lo, hi}
		}
		if at.turn != game.Nobody {
			continue
		}
		u := s.Utility(p)
		if !(u >= shape.Min && u <= shape.Max) {
			j.errorf("%q: utility %v of player %d outside [%v, %v]", s, u, p, shape.Min, shape.Max)
		}
		if u < bounds[i][0] || u > bounds[i][1] {
			j.errorf("%q: utility %v of player %d outside its bounds %v", s, u, p, bounds[i])
		}
		sum += u
	}
	if at.turn == game.Nobody && shape.Sum == game.Zero && math.Abs(sum) > 1e-9*math.Max(1, math.Abs(shape.Max)) {
		j.errorf("%q: utilities of a zero-sum game sum to %v", s, sum)
	}
}

// reads prints, parses and clones s, and reads its moves; it draws the first position of a
// playout and a quarter of the others.
func (j *checker) reads(s game.State, at snapshot, first bool) {
	text := s.String()
	at.text = text
	parsed, err := j.g.Parse(text)
	if err != nil {
		j.errorf("Parse(%q): %v", text, err)
		return
	}
	j.same("parsed", parsed, at)
	j.carried(s, parsed)
	j.fills(s, parsed, at)
	j.alone("parsed", parsed)
	spelled := map[string]bool{}
	for _, m := range at.moves {
		name := s.MoveString(m)
		if spelled[name] {
			j.errorf("%q: two moves are written %q", s, name)
		}
		spelled[name] = true
		if got, err := j.g.ParseMove(s, name); err != nil || got != m {
			j.errorf("%q: ParseMove(%q) is %d, %v; want %d", s, name, got, err, m)
		}
	}
	j.spells(s, at.moves)
	if m, err := j.g.ParseMove(s, "no such move"); err == nil {
		j.errorf("%q: ParseMove of nonsense is %d", s, m)
	}
	if first || j.rng.IntN(4) == 0 { // drawing takes most of the time
		j.draws(s, at)
		j.pictures(s, at)
	}
	j.hides(s, at, game.ShapeOf(j.g, s).Players)
	c := s.Clone()
	j.same("cloned", c, at)
	j.alone("cloned", c)
	for i := 0; i < 12; i++ {
		moves := c.Moves(nil)
		if len(moves) == 0 {
			break
		}
		c.Play(moves[j.rng.IntN(len(moves))])
	}
	j.same("after its clone was played on", s, at)
}

// draws checks the drawings.
func (j *checker) draws(s game.State, at snapshot) {
	d, ok := game.As[game.Drawer](s)
	if !ok {
		return
	}
	plain, coloured := d.Draw(false), d.Draw(true)
	switch {
	case strings.TrimSpace(plain) == "" || strings.TrimSpace(text.Plain(coloured)) == "":
		j.errorf("%q: nothing is drawn", s)
	case strings.Contains(plain, "\x1b"):
		j.errorf("%q: escape sequences in a drawing without colour", s)
	case strings.Contains(text.Plain(coloured), "\x1b"):
		j.errorf("%q: escape sequences other than ESC [ ... m in a drawing", s)
	case plain != d.Draw(false):
		j.errorf("%q: drawn differently when asked twice", s)
	}
	j.same("drawn", s, at)
}

// carried checks that bounds which are carried from move to move are no tighter than the position's own.
func (j *checker) carried(s, parsed game.State) {
	b, ok := game.As[game.Bounder](s)
	if !ok {
		return
	}
	again, _ := game.As[game.Bounder](parsed)
	for p := range game.Player(game.ShapeOf(j.g, s).Players) {
		lo, hi := b.Bounds(p)
		if l, h := again.Bounds(p); l < lo || h > hi {
			j.errorf("%q: player %d's bounds [%v, %v], parsed [%v, %v]", s, p, lo, hi, l, h)
		}
	}
}

// alone checks that there is nothing to undo.
func (j *checker) alone(what string, s game.State) {
	defer func() {
		if recover() == nil {
			j.errorf("%q, %s: Undo does not panic", s, what)
		}
	}()
	s.Undo()
}

// same compares a position with what was seen.
func (j *checker) same(what string, s game.State, want snapshot) {
	if want.text != "" {
		if text := s.String(); text != want.text {
			j.errorf("%s: %q, want %q", what, text, want.text)
		}
	}
	if turn := s.Turn(); turn != want.turn {
		j.errorf("%q %s: turn %d, want %d", s, what, turn, want.turn)
	}
	if hash := s.Hash(); hash != want.hash {
		j.errorf("%q %s: hash %x, want %x", s, what, hash, want.hash)
	}
	if j.buffer = s.Moves(j.buffer[:0]); !slices.Equal(j.buffer, want.moves) {
		j.errorf("%q %s: moves %v, want %v", s, what, j.buffer, want.moves)
	}
}

// allocations plays the path once more and counts what is allocated on the way.
func (j *checker) allocations(s game.State, path []game.Move) {
	players := game.ShapeOf(j.g, s).Players
	chancer, _ := game.As[game.Chancer](s)
	ranker, _ := game.As[game.Ranker](s)
	noisy, _ := game.As[game.Noisy](s)
	bounder, _ := game.As[game.Bounder](s)
	classifier, _ := s.(game.MoveClassifier)
	var buffer []game.Move
	visit := func() {
		buffer = s.Moves(buffer[:0])
		turn := s.Turn()
		s.Hash()
		for _, m := range buffer {
			if turn == game.Chance && chancer != nil {
				chancer.Prob(m)
			}
			if turn >= 0 && ranker != nil {
				ranker.Rank(m)
			}
		}
		for p := range players {
			if bounder != nil {
				bounder.Bounds(game.Player(p))
			}
			if turn == game.Nobody {
				s.Utility(game.Player(p))
			}
		}
		if classifier != nil {
			buffer, _, _ = classifier.ClassifyMoves(buffer[:0])
		}
		if turn >= 0 && noisy != nil {
			buffer = noisy.Noisy(buffer[:0])
		}
	}
	walk := func() {
		for _, m := range path {
			visit()
			s.Play(m)
		}
		visit()
		for range path {
			s.Undo()
		}
	}
	walk()
	if n := testing.AllocsPerRun(3, walk); n > 0 {
		j.errorf("%v allocations in %d plies there and back", n, len(path))
	}
}

// spells holds moves as people write them to being different and legible.
func (j *checker) spells(s game.State, moves []game.Move) {
	if _, ok := game.As[interface{ Spell(m game.Move) string }](s); !ok {
		return
	}
	spelled := map[string]bool{}
	for _, m := range moves {
		name := game.Spelled(s, m)
		if got, err := j.g.ParseMove(s, name); err != nil || got != m || spelled[name] {
			j.errorf("%q: %s is spelled %q, which another move is, too, or ParseMove reads as %d, %v", s, s.MoveString(m), name, got, err)
		}
		spelled[name] = true
	}
}
