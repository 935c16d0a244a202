// Package gametest tests whether a game meets the contract of package game, in the manner of
// testing/fstest.
//
// The test of each game calls [Law] for each variant of the game. Law plays random games from the
// initial position and from the positions in [Options]. It checks the contract at each position
// along the way and then undoes all moves. Where possible, it also tests the game with slips and,
// if the game has chance nodes, with an adversary.
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

// Options determine how thorough Law is. The zero value selects the defaults. If the environment
// variable PLYFIT_LONG is not set, Law plays only a fortieth of the playouts, but at least one from
// each position, and at least 20 if that many are requested.
type Options struct {
	Playouts  int      // number of random games if PLYFIT_LONG is set; 0 means 2000. A wrapped game gets a quarter of them
	Plies     int      // maximum length of a playout; 0 means the game's MaxPlies, but at most 1000
	Reads     int      // mean number of positions per playout that are printed, parsed and cloned; 0 means 2
	Seed      uint64   // seed of the random choices
	Positions []string // positions in which playouts begin, in addition to the initial one
	Unwrapped bool     // whether to omit the wrapped variants
}

// Law fails t if g violates the contract of package game. It counts allocations, so t must not run
// in parallel with other tests. The contract is:
//
//   - Moves are distinct and the same on each call. There are none if and only if the game is
//     over. Noisy returns a subset in the same order, and the Gain of each noisy move is at least
//     0 and less than Max.
//   - The probabilities of nature's moves are positive and sum to 1.
//   - Undo restores Turn, Moves, Hash and String. Rewind restores them in a single call.
//   - Positions with the same Hash have the same turn and the same moves, which lead to the same
//     positions. The Hash therefore covers everything that affects the rest of the game, including
//     dice.
//   - Parse(String()) is the same position: String, Turn, Hash and Moves are equal.
//   - ParseMove reads MoveString(m) and [game.Spelled] as m. Both are different for each move.
//     Invalid text is an error.
//   - A Clone is the same position. Playing on it does not change the original.
//   - Utilities lie in [Min, Max], and sum to 0 in zero-sum games.
//   - A [game.Solver] agrees with minimax in the last plies.
//   - ClassifyMoves lists the same moves as Moves and classifies each of them correctly.
//   - Bounds contain the utility at the end and lie inside the bounds before the move. If a
//     position is printed and parsed, the Bounds of the result lie inside those of the original.
//   - A drawing is the same on each call. It contains no escape sequences except those for
//     colours, and none at all without colour.
//   - A picture is a single well-formed svg element and the same on each call. It contains no
//     scripts, links or styles, and has all places named by Clicks.
//   - MaxPlies is positive and the Shape is valid.
//   - In a game of imperfect information, a sample is a position from the same information set
//     with the same moves. Something is hidden, and there are no wrapped variants.
//   - Play, Undo, Moves, Turn, Hash and the optional methods for searches do not allocate once
//     their buffers are large enough.
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
		t.Errorf("%s: +adversary accepts a game with %d players; want an error", g.Spec, g.Players)
	case !possible || !chance:
	case err != nil:
		t.Errorf("%s: with adversary: %v", g.Spec, err)
	default:
		obey(t, hostile, o)
	}
}

// complainer contains the methods of testing.T that the function obey needs.
type complainer interface {
	Helper()
	Errorf(format string, args ...any)
	Failed() bool
}

// obey plays the playouts and reports whether it encountered a chance node.
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
			t.Errorf("%s: Parse(%q) is %q; want an error", g.Spec, nonsense, s)
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
		t.Errorf("%s: all samples are equal to their positions; want hidden information", g.Spec)
	}
	return j.chance
}

// A checker checks the playouts of a game.
type checker struct {
	t      complainer
	g      *game.Game
	o      Options
	where  string
	rng    *rand.Rand
	chance bool
	hidden bool              // whether any sample has differed from its position
	texts  map[uint64]string // text of one position for each Hash
	solver game.Solver       // created once, as a search would do
	length int               // plies of the last playout, used to estimate the length of the next one
	buffer []game.Move
}

// A snapshot contains the observable properties of a position, recorded so that they can be
// compared after moves are undone.
type snapshot struct {
	turn  game.Player
	hash  uint64
	moves []game.Move
	text  string // empty if the position was not printed
}

func (j *checker) errorf(format string, args ...any) {
	j.t.Helper()
	j.t.Errorf("%s: %s", j.where, fmt.Sprintf(format, args...))
}

// playout plays random moves from s until the game ends or the maximum length is reached, and then
// undoes them. It returns the moves. If first is set, s itself is also printed and parsed.
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

// check checks a single position.
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
				j.errorf("%q: Rank differs between two calls", s)
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

// lists checks that Moves appends to its argument and lists each move only once.
func (j *checker) lists(s game.State, moves []game.Move) {
	j.buffer = s.Moves(append(j.buffer[:0], 7))
	if len(j.buffer) != len(moves)+1 || j.buffer[0] != 7 {
		j.errorf("%q: Moves does not append", s)
	}
	j.buffer = append(j.buffer[:0], moves...)
	slices.Sort(j.buffer)
	if len(slices.Compact(j.buffer)) != len(moves) || slices.Contains(moves, game.NoMove) {
		j.errorf("%q: moves %v contain a duplicate or NoMove", s, moves)
	}
}

// noisy checks that the noisy moves are a subset of all moves in the same order, and that their
// gains are in range.
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
			j.errorf("%q: noisy move %d is not in Moves, or not in the same order", s, m)
		}
	}
}

// classifies compares the result of ClassifyMoves with the positions after the moves.
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
			j.errorf("%q: ClassifyMoves returns over=%v for move %d, but the turn is %d after the move", s, said, i, turn)
		}
		if said := chance>>i&1 == 1; said != (turn == game.Chance) {
			j.errorf("%q: ClassifyMoves returns chance=%v for move %d, but the turn is %d after the move", s, said, i, turn)
		}
	}
	if n := len(moves); over>>n != 0 || chance>>n != 0 {
		j.errorf("%q: ClassifyMoves marks %b and %b of %d moves", s, over, chance, n)
	}
}

// nature checks a chance node.
func (j *checker) nature(s game.State, moves []game.Move, players int) {
	c, ok := game.As[game.Chancer](s)
	if !ok {
		j.errorf("%q: nature is to move, but the state is not a Chancer", s)
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
		// The number u lies in the middle of the move's interval, where rounding does not matter.
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
		j.errorf("%q: For returns player %d of %d", s, f, players)
	}
}

// bounds checks the utilities and Bounds of s, and stores the Bounds for later comparisons.
func (j *checker) bounds(s game.State, at snapshot, shape game.Shape, bounds [][2]float64) {
	b, bounded := game.As[game.Bounder](s)
	sum := 0.0
	for i := range bounds {
		p := game.Player(i)
		if bounded {
			lo, hi := b.Bounds(p)
			if !(lo <= hi) || lo < bounds[i][0] || hi > bounds[i][1] {
				j.errorf("%q: the bounds of player %d are [%v, %v]; before this move they were %v", s, p, lo, hi, bounds[i])
			}
			bounds[i] = [2]float64{lo, hi}
		}
		if at.turn != game.Nobody {
			continue
		}
		u := s.Utility(p)
		if !(u >= shape.Min && u <= shape.Max) {
			j.errorf("%q: utility %v of player %d is outside [%v, %v]", s, u, p, shape.Min, shape.Max)
		}
		if u < bounds[i][0] || u > bounds[i][1] {
			j.errorf("%q: utility %v of player %d is outside the bounds %v", s, u, p, bounds[i])
		}
		sum += u
	}
	if at.turn == game.Nobody && shape.Sum == game.Zero && math.Abs(sum) > 1e-9*math.Max(1, math.Abs(shape.Max)) {
		j.errorf("%q: utilities of a zero-sum game sum to %v", s, sum)
	}
}

// reads prints, parses and clones s, and parses its moves. It also draws s: always if first is set,
// and otherwise in a quarter of cases.
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
	j.same("after moves on its clone", s, at)
}

// draws checks the drawings of s for a terminal.
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
		j.errorf("%q: a drawing without colour contains escape sequences", s)
	case strings.Contains(text.Plain(coloured), "\x1b"):
		j.errorf("%q: a drawing contains escape sequences other than ESC [ ... m", s)
	case plain != d.Draw(false):
		j.errorf("%q: the drawing differs between two calls", s)
	}
	j.same("drawn", s, at)
}

// carried checks that bounds updated move by move are no tighter than the bounds of the same
// position after parsing.
func (j *checker) carried(s, parsed game.State) {
	b, ok := game.As[game.Bounder](s)
	if !ok {
		return
	}
	again, _ := game.As[game.Bounder](parsed)
	for p := range game.Player(game.ShapeOf(j.g, s).Players) {
		lo, hi := b.Bounds(p)
		if l, h := again.Bounds(p); l < lo || h > hi {
			j.errorf("%q: the bounds of player %d are [%v, %v], but [%v, %v] after parsing", s, p, lo, hi, l, h)
		}
	}
}

// alone checks that s has nothing to undo.
func (j *checker) alone(what string, s game.State) {
	defer func() {
		if recover() == nil {
			j.errorf("%q, %s: Undo does not panic", s, what)
		}
	}()
	s.Undo()
}

// same compares s with a snapshot.
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

// allocations replays the moves in path and counts the allocations.
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
		j.errorf("%v allocations while playing and undoing %d plies", n, len(path))
	}
}

// spells checks that the moves in the notation for people are distinct and that ParseMove reads
// them.
func (j *checker) spells(s game.State, moves []game.Move) {
	if _, ok := game.As[interface{ Spell(m game.Move) string }](s); !ok {
		return
	}
	spelled := map[string]bool{}
	for _, m := range moves {
		name := game.Spelled(s, m)
		if got, err := j.g.ParseMove(s, name); err != nil || got != m || spelled[name] {
			j.errorf("%q: %s is spelled %q; this spelling is not unique, or ParseMove reads it as %d, %v", s, s.MoveString(m), name, got, err)
		}
		spelled[name] = true
	}
}
