package cli

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// examined is what random games showed of a game and a feature set.
type examined struct {
	Game      string   `json:"game"`
	Set       string   `json:"features"`
	Games     int      `json:"games"`
	Positions int      `json:"positions"`             // met, unfinished
	Distinct  int      `json:"distinct"`              // by their Hash
	Played    float64  `json:"played_a_second"`       // positions, rules alone: moves listed, one played
	Extracted float64  `json:"extracted_a_second"`    // positions whose features were worked out
	Found     []string `json:"findings"`              // set by the command
	TableSize int      `json:"table_weights"`         // weights of tables
	TableMet  int      `json:"table_weights_counted"` // those that counted in some position

	terms      []examinedTerm
	collisions []string // positions of one Hash that differ
}

// examinedTerm is what a feature outside of tables was.
type examinedTerm struct {
	name   string
	first  float64 // at the first position
	varied bool
	met    int // positions where it was not 0

	scale float64 // its first value that is not 0
	trace uint64  // of its values by that one: those of a multiple are the same
	stays string  // a position at which it did not turn over; "": none, or nothing is claimed
}

// longestExamined is after how many moves a random game is left.
const longestExamined = 2000

// examine plays random games of g and notes of every term of set what it was.
func examine(ctx context.Context, g *game.Game, set features.Set, games int, seed uint64) (*examined, error) {
	m := models.New(g.Base().Name, set.Name(), set.Blocks())
	r := &examined{Game: g.Spec, Set: set.Name(), Games: games, TableSize: m.Len() - len(m.Weights)}
	for i := range m.Weights {
		r.terms = append(r.terms, examinedTerm{name: m.Name(int32(i))})
	}
	turned, _ := set.(features.Turned)
	x := &examination{
		report: r, game: g, set: set, seen: map[uint64]int{}, met: map[int32]bool{},
		values: make([]float64, len(m.Weights)), other: make([]float64, len(m.Weights)),
		opposed: features.OneValue(g.Base()),
		claimed: turned != nil && turned.Antisymmetric() && g.Base().Players == 2,
	}
	for i := range games {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x.play(rand.New(rand.NewPCG(seed, uint64(i))))
	}
	r.Distinct, r.TableMet = len(x.seen), len(x.met)
	r.Played = float64(r.Positions) / max(x.playing.Seconds(), 1e-9)
	r.Extracted = float64(r.Positions) / max(x.extracting.Seconds(), 1e-9)
	return r, nil
}

// examination is a report in the making.
type examination struct {
	report  *examined
	game    *game.Game
	set     features.Set
	opposed bool // what one player gets says what all get
	claimed bool // the set says that it is antisymmetric

	seen    map[uint64]int // Hash to a place in futures
	futures []uint64       // what may follow, of the first position of each Hash
	texts   []string
	met     map[int32]bool // weights of tables

	x             models.Vector
	values, other []float64

	playing, extracting time.Duration
}

// play plays one random game and visits its positions.
func (x *examination) play(rng *rand.Rand) {
	s := x.game.New()
	var path []game.Move
	var moves []game.Move
	begin := time.Now()
	for len(path) < min(x.game.MaxPlies, longestExamined) && s.Turn() != game.Nobody {
		moves = s.Moves(moves[:0])
		m := moves[rng.IntN(len(moves))]
		path = append(path, m)
		s.Play(m)
	}
	x.playing += time.Since(begin)
	for range path {
		s.Undo()
	}
	for _, m := range path {
		x.visit(s)
		s.Play(m)
	}
}

// visit notes what the position shows.
func (x *examination) visit(s game.State) {
	x.report.Positions++
	x.hash(s)
	base := game.Base(s)
	if base.Turn() == game.Nobody {
		return // the world's last chance node
	}
	begin := time.Now()
	x.x = x.x[:0]
	if x.opposed {
		x.x = features.ExtractFirst(x.set, base, x.x) // as it is learned: whose turn it is varies
	} else {
		x.x = x.set.Extract(base, x.set.View(base), x.x)
	}
	x.extracting += time.Since(begin)
	x.dense(x.values)
	for i, v := range x.values {
		x.report.terms[i].note(v, x.report.Positions)
	}
	if !x.claimed {
		return
	}
	x.x = x.set.Extract(base, 0, x.x[:0])
	x.dense(x.values)
	x.x = x.set.Extract(base, 1, x.x[:0])
	x.dense(x.other)
	for i, v := range x.values {
		if t := &x.report.terms[i]; v != -x.other[i] && t.stays == "" {
			t.stays = base.String()
		}
	}
}

// dense spreads the vector out, and notes the weights of tables that it counts.
func (x *examination) dense(values []float64) {
	clear(values)
	for _, t := range x.x {
		if int(t.Index) < len(values) {
			values[t.Index] += float64(t.Value)
		} else if t.Value != 0 {
			x.met[t.Index] = true
		}
	}
}

// note takes in the term's value at a position, the count-th.
func (t *examinedTerm) note(v float64, count int) {
	if count == 1 {
		t.first = v
	}
	t.varied = t.varied || v != t.first
	if v == 0 {
		return
	}
	if t.met++; t.met == 1 {
		t.scale = v
	}
	t.trace = game.Mix(t.trace ^ game.Mix(uint64(count)) ^ math.Float64bits(v/t.scale))
}

// hash notes where a position shares its Hash with one that has another future.
func (x *examination) hash(s game.State) {
	future, h := futureOf(s), s.Hash()
	at, met := x.seen[h]
	switch {
	case !met:
		x.seen[h] = len(x.futures)
		x.futures, x.texts = append(x.futures, future), append(x.texts, s.String())
	case x.futures[at] != future && len(x.report.collisions) < 5:
		x.report.collisions = append(x.report.collisions, fmt.Sprintf("%q and %q share the hash %x and have other moves: a search with a table takes one for the other", x.texts[at], s, h))
	}
}

// futureOf is a number made of who is to move at s and of what the moves are called.
func futureOf(s game.State) uint64 {
	h := game.Mix(uint64(int64(s.Turn())))
	for _, m := range s.Moves(nil) {
		h = game.Mix(h ^ uint64(m))
	}
	return h
}

// complaints are what seems wrong, a line each.
func (r *examined) complaints() (lines []string) {
	byTrace := map[uint64]int{}
	for i := range r.terms {
		t := &r.terms[i]
		switch twin, again := byTrace[t.trace]; {
		case t.met == 0:
			lines = append(lines, fmt.Sprintf("%s: always 0: its weight cannot be learned from such games", t.name))
		case !t.varied:
			lines = append(lines, fmt.Sprintf("%s: always %v: it says what the bias says", t.name, t.first))
		case again:
			of := r.terms[twin]
			lines = append(lines, fmt.Sprintf("%s: always %.6g times %s: only the sum of their weights can be learned", t.name, t.scale/of.scale, of.name))
		default:
			byTrace[t.trace] = i
		}
		if t.stays != "" {
			lines = append(lines, fmt.Sprintf("%s: does not turn over: the other player does not see the opposite at %q, though the set says that it is antisymmetric", t.name, t.stays))
		}
	}
	return append(lines, r.collisions...)
}
