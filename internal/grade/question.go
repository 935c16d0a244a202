package grade

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/internal/text"
	"plyfit/search"
)

type question struct {
	protocol.Question
	want any // correct answer: a number, a list of numbers, or the best moves
}

// newAnswer returns a pointer to a new variable of the answer's type.
func (q *question) newAnswer() any {
	switch q.want.(type) {
	case float64:
		return new(float64)
	case []float64:
		return new([]float64)
	}
	return new(string)
}

// right reports whether an answer is correct.
func (q *question) right(got any) bool {
	switch want := q.want.(type) {
	case float64:
		return near(*got.(*float64), want)
	case []float64:
		return slices.EqualFunc(*got.(*[]float64), want, near)
	}
	return slices.Contains(q.want.([]string), *got.(*string))
}

// questions returns the questions of an exercise in order.
func (e *Exercise) questions(ctx context.Context, w *catalog.World, seed uint64) ([]question, error) {
	texts := slices.Clone(e.Trees)
	if e.Random != nil {
		rng := rand.New(rand.NewPCG(seed, streamOf(e.Name)))
		for range e.Random.Trees {
			texts = append(texts, e.Random.tree(rng, 0))
		}
	}
	var out []question
	for i, text := range texts {
		s, err := w.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i+1, err)
		}
		if s.Turn() == game.Nobody || e.Ask == protocol.AskMove && s.Turn() < 0 {
			return nil, fmt.Errorf("tree %d: no player moves at %s; want max or min at the root", i+1, text)
		}
		if shape := game.ShapeOf(w.Game, s); shape.Players != 2 || shape.Sum != game.Zero {
			return nil, fmt.Errorf("tree %d: want max, min and chance nodes, and numbers as leaves", i+1)
		}
		q, err := e.question(ctx, w, s)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i+1, err)
		}
		q.Question = protocol.Question{Ask: e.Ask, Game: w.Spec, Position: s.String(), By: e.By, Player: int(s.Turn()), Seed: uint32(game.Seed(seed, streamOf(e.Name), uint64(i)) >> 32)}
		if e.Ask == protocol.AskMove {
			q.Moves = list.Map(s.Moves(nil), s.MoveString)
		}
		out = append(out, q)
	}
	return out, nil
}

// streamOf returns the number of an exercise's random stream, a hash of its name.
func streamOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// tree returns a random tree whose root is at the given level.
func (r *Random) tree(rng *rand.Rand, level int) string {
	if level == len(r.Levels) {
		return strconv.Itoa(rng.IntN(100))
	}
	var b strings.Builder
	b.WriteString("(" + r.Levels[level])
	for range r.Branching {
		if r.Levels[level] == "chance" {
			fmt.Fprintf(&b, " 1/%d", r.Branching)
		}
		b.WriteString(" " + r.tree(rng, level+1))
	}
	return b.String() + ")"
}

// leaves observes a search and collects the utilities of the visited leaves, in order.
type leaves []float64

func (l *leaves) Node(n *search.Visit) {
	if n.State.Turn() == game.Nobody {
		*l = append(*l, n.State.Utility(0))
	}
}

func (e *Exercise) question(ctx context.Context, w *catalog.World, s game.State) (q question, err error) {
	if e.Ask == protocol.AskTable {
		return question{want: tableOf(s)}, nil
	}
	var visited leaves
	found, err := ask(ctx, w, oracles[e.By], s, &visited)
	if err != nil {
		return q, err
	}
	switch e.Ask {
	case protocol.AskVisited:
		return question{want: []float64(visited)}, nil
	case protocol.AskValue:
		return question{want: found.Values[0]}, nil
	}
	return question{want: list.Map(found.Best, s.MoveString)}, nil
}

// ask searches s with an agent that computes the correct answer.
func ask(ctx context.Context, w *catalog.World, spec string, s game.State, visited *leaves) (r search.Result, err error) {
	for _, o := range []catalog.AgentOptions{{Observer: visited}, {Complete: true}} { // only the first search is observed, because Complete adds nodes
		a, err := w.Agent(spec, o)
		if err != nil {
			return r, err
		}
		searcher, err := a.New()
		if err != nil {
			return r, err
		}
		searcher.Begin(0)
		r, err = searcher.Search(ctx, s)
		search.Close(searcher)
		if err != nil {
			return r, err
		}
		if !r.Exact {
			return r, fmt.Errorf("%s does not finish its search at %s", spec, s)
		}
	}
	return r, nil
}

// near reports whether two numbers are equal up to rounding.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-6*max(1, math.Abs(want))
}

// tableOf returns player 0's results at s for each combination of nature's assumed and actual
// behaviour: (worst, worst), (worst, chance), (chance, worst) and (chance, chance). The player
// plans according to the assumption and takes the first of equally good moves.
func tableOf(s game.State) []float64 {
	var out []float64
	for _, worst := range []bool{true, false} {
		for _, truth := range []bool{true, false} {
			_, v := resultOf(s, worst, truth)
			out = append(out, v)
		}
	}
	return out
}

// resultOf returns the utility that player 0 expects at s and the utility that the player actually
// receives. The first flag specifies whether nature is assumed to be adversarial, and the second
// whether it actually is.
func resultOf(s game.State, worst, truth bool) (expected, got float64) {
	mover := s.Turn()
	if mover == game.Nobody {
		return s.Utility(0), s.Utility(0)
	}
	c, _ := game.As[game.Chancer](s)
	least, leastGot, mean, meanGot := math.Inf(1), math.Inf(1), 0.0, 0.0 // over the moves of the opponent or nature
	expected = math.Inf(-1)
	for _, m := range s.Moves(nil) {
		p := 0.0
		if mover == game.Chance {
			p = c.Prob(m)
		}
		s.Play(m)
		e, g := resultOf(s, worst, truth)
		s.Undo()
		if e > expected {
			expected, got = e, g
		}
		least, leastGot = min(least, e), min(leastGot, g)
		mean, meanGot = mean+float64(p*e), meanGot+float64(p*g)
	}
	if mover == 0 {
		return expected, got
	}
	expected, got = least, leastGot // an opponent minimises the actual result, and so does adversarial nature
	if mover == game.Chance && !worst {
		expected = mean
	}
	if mover == game.Chance && !truth {
		got = meanGot
	}
	return expected, got
}

// mostLate is the number of late answers after which an exercise ends. The remaining questions are
// counted as wrong.
const mostLate = 3

// put asks a program an exercise's questions and scores the answers.
func (g *grader) put(ctx context.Context, e *Exercise, questions []question, d *workspace) (Part, error) {
	part := Part{Name: e.Name, Of: e.Points}
	right := 0
	for _, q := range questions {
		item := Item{Question: q.Position, Want: spelled(q.want)}
		if d.left == 0 {
			item.Why = d.why()
			part.Items = append(part.Items, item)
			continue
		}
		got := q.newAnswer()
		err := protocol.Once(ctx, d.command, g.limits(d), q.Question, got)
		if ctx.Err() != nil {
			return part, ctx.Err()
		}
		var fault *program.EngineError
		switch {
		case errors.As(err, &fault):
			item.Why = d.redact(fault.What)
			part.Faults.Add(fault.Kind, item.Why)
			d.note(fault)
		case err != nil:
			return part, err
		default:
			item.Got, item.Right = spelled(got), q.right(got)
		}
		if item.Right {
			right++
		}
		part.Items = append(part.Items, item)
	}
	part.deaf = d.deaf
	part.Points = rounded(e.Points * float64(right) / float64(len(questions)))
	part.Said = fmt.Sprintf("%d of %d answers are correct.", right, len(questions))
	return part, nil
}

// mostSpelled is the maximum length of a displayed answer in bytes.
const mostSpelled = 200

// spelled formats an answer.
func spelled(x any) string {
	switch v := x.(type) {
	case *float64:
		return spelled(*v)
	case *string:
		return spelled(text.Printable(*v))
	case *[]float64:
		return spelled(*v)
	case []string:
		return spelled(strings.Join(v, " or "))
	case float64:
		return strconv.FormatFloat(v+0, 'g', 10, 64)
	case []float64:
		return spelled(strings.Join(list.Map(v, func(x float64) string { return spelled(x) }), " "))
	}
	return text.Clip(fmt.Sprint(x), mostSpelled)
}
