package study

import (
	"context"
	"fmt"
	"math"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/models"
	"plyfit/search"
)

var caution = Experiment{
	Name:     "caution",
	Question: "Where does the sentence that expectimax needs magnitudes not hold?",
	Hypothesis: "Written 2026-11-21, before the first run: in 2048 the logarithm of the expected total costs nothing that can be measured, since it is nearly affine within the tree below one position; " +
		"loving risk (exp(gain/100)) and fearing it (-exp(-gain/100)) cost points; independent noise with the same error within the tree costs more than either.",
	Design: "2048 on a small board under expectimax; the evaluation is the hand-written one, an expected final score. Gain is the value less the score at the root. Log, risk love, risk fear, each applied to leaves and ends alike, and for each of the latter two noise with the same root-mean-square error after the best affine fit within the tree below a position, which is all a planner sees. " +
		"Games from the same seeds. Cost is the share of the clean planner's mean score, with bootstrap intervals over games. Sample size: a pilot's deviation of a score was .5 of its mean, so 10,000 games an arm give +-1.5 percent, the quick setting's 1,500 +-4. On 2x2 the arms that judge by gain alone are worked out exactly.",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.2, 1, 4},
	Run:     runCaution,
}

// Gamble is what is done to an expected score.
type gamble struct {
	Kind  string  `json:"kind"` // "", log, seeking, fearing, noise
	Scale float64 `json:"scale,omitempty"`
	Seed  uint64  `json:"seed,omitempty"`
}

const (
	logTotal = "log"
	seeking  = "seeking"
	fearing  = "fearing"
	noisy    = "noise"
)

// riskScale is the gain in points over which the taste for risk shows.
const riskScale = 100

func (g gamble) String() string {
	switch g.Kind {
	case logTotal:
		return "log of the total"
	case seeking:
		return fmt.Sprintf("exp(gain/%g)", g.Scale)
	case fearing:
		return fmt.Sprintf("-exp(-gain/%g)", g.Scale)
	case noisy:
		return fmt.Sprintf("noise, %.0f points", g.Scale)
	}
	return "clean"
}

// bend is what a value at a leaf or an end is taken for, root being the score
// at the root.
func (g gamble) bend(value, root float64) float64 {
	switch g.Kind {
	case logTotal:
		return math.Log(math.Max(1, value))
	case seeking:
		return math.Exp((value - root) / g.Scale)
	case fearing:
		return -math.Exp(-(value - root) / g.Scale)
	}
	return value
}

// gambler is expectimax of a game of one whose utility is its score, through a
// gamble.
type gambler struct {
	gamble
	eval   search.Evaluator
	after  bool // leaves are afterstates
	depth  int
	root   float64
	state  game.State
	chance game.Chancer
	known  map[seen]float64
	moves  []game.Move
	leaves *[]float64 // where it is not nil, the clean values of all leaves met
}

func newGambler(w *catalog.World, j *catalog.Judge, depth int, g gamble) *gambler {
	return &gambler{gamble: g, eval: j.New(), after: j.Leaves == models.Afterstate, depth: depth, known: map[seen]float64{}}
}

// choose is the first of the best moves at s, which is left as it was.
func (g *gambler) choose(s game.State) game.Move {
	g.state = s
	g.chance, _ = game.As[game.Chancer](s)
	scorer, _ := game.As[game.Scorer](s)
	g.root = scorer.Score(0)
	clear(g.known)
	best, move := math.Inf(-1), game.NoMove
	for _, m := range s.Moves(nil) {
		s.Play(m)
		if v := g.value(g.depth - 1); v > best || move == game.NoMove {
			best, move = v, m
		}
		s.Undo()
	}
	return move
}

func (g *gambler) value(depth int) float64 {
	s := g.state
	turn := s.Turn()
	switch {
	case turn == game.Nobody:
		return g.bend(s.Utility(0), g.root)
	case depth == 0 && (turn >= 0 || g.after):
		v := g.eval.Evaluate(game.Base(s), 0)
		if b, ok := game.As[game.Bounder](s); ok {
			lo, hi := b.Bounds(0)
			v = math.Max(lo, math.Min(hi, v))
		}
		if g.leaves != nil {
			*g.leaves = append(*g.leaves, v)
		}
		if g.Kind == noisy {
			v += g.Scale * normal(s.Hash(), g.Seed)
		}
		return g.bend(v, g.root)
	}
	key := seen{s.Hash(), int32(depth)}
	if v, ok := g.known[key]; ok {
		return v
	}
	first := len(g.moves)
	g.moves = s.Moves(g.moves)
	out := math.Inf(-1)
	if turn == game.Chance {
		out = 0
	}
	for i, last := first, len(g.moves); i < last; i++ {
		m := g.moves[i]
		if turn == game.Chance {
			p := g.chance.Prob(m)
			s.Play(m)
			out += p * g.value(depth)
		} else {
			s.Play(m)
			out = math.Max(out, g.value(depth-1))
		}
		s.Undo()
	}
	g.moves = g.moves[:first]
	g.known[key] = out
	return out
}

// solo is a part of the games of an arm: a cell's key.
type solo struct {
	Game   string `json:"game"`
	Eval   string `json:"eval"`
	Digest string `json:"digest"`
	Depth  int    `json:"depth"`
	Gamble gamble `json:"gamble"`
	From   int    `json:"from"`
	Count  int    `json:"count"`
	Seed   uint64 `json:"seed"`
}

// play plays the games: the scores.
func (k solo) play(ctx context.Context, w *catalog.World, j *catalog.Judge) ([]float64, error) {
	var out []float64
	player := newGambler(w, j, k.Depth, k.Gamble)
	var moves []game.Move
	for i := k.From; i < k.From+k.Count; i++ {
		random := newRand(k.Seed, 0x5010, uint64(i))
		s := w.New()
		for s.Turn() != game.Nobody {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if s.Turn() == game.Chance {
				moves = s.Moves(moves[:0])
				s.Play(game.Drawn(s, moves, random.Float64()))
			} else {
				s.Play(player.choose(s))
			}
		}
		out = append(out, s.Utility(0))
	}
	return out, nil
}

// within is the root-mean-square error of a gamble within trees: over the leaves
// below each of a sample of positions, after the best affine fit there; and the
// variance of the clean values within trees.
func within(trees [][]float64, roots []float64, g gamble) (rms, variance float64) {
	var residual, total, n float64
	for i, values := range trees {
		var sx, sy, sxx, sxy, syy float64
		m := float64(len(values))
		middle := roots[i]
		for _, v := range values {
			// About the root: squares of scores would drown the differences.
			y, x := v-middle, g.bend(v, roots[i])-g.bend(middle, roots[i])
			sx, sy, sxx, sxy, syy = sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
		}
		vx, vy, c := sxx/m-sx/m*sx/m, syy/m-sy/m*sy/m, sxy/m-sx/m*sy/m
		left := vy
		if vx > 0 {
			left = math.Max(0, vy-c*c/vx)
		}
		residual, total, n = residual+m*left, total+m*vy, n+m
	}
	return math.Sqrt(residual / n), total / n
}

// treesOf samples positions of clean play and the leaves below them.
func treesOf(w *catalog.World, j *catalog.Judge, depth int, seed uint64) (trees [][]float64, roots []float64) {
	const games, apart = 20, 7
	player := newGambler(w, j, depth, gamble{})
	var moves []game.Move
	for i := range uint64(games) {
		random := newRand(seed, 0x7ee5, i)
		s := w.New()
		for n := 0; s.Turn() != game.Nobody; {
			if s.Turn() == game.Chance {
				moves = s.Moves(moves[:0])
				s.Play(game.Drawn(s, moves, random.Float64()))
				continue
			}
			var leaves []float64
			if n++; n%apart == 0 {
				player.leaves = &leaves
			}
			m := player.choose(s)
			player.leaves = nil
			if len(leaves) > 1 {
				trees, roots = append(trees, leaves), append(roots, player.root)
			}
			s.Play(m)
		}
	}
	return trees, roots
}

func runCaution(ctx context.Context, s *Session) (*Findings, error) {
	spec := "2048:size=3"
	if len(s.Over.Games) > 0 {
		spec = s.Over.Games[0]
	}
	w, j, err := s.scoreGame(spec)
	if err != nil {
		return nil, err
	}
	depth := or(s.Over.Depths, []int{2})[0]
	trees, roots := treesOf(w, j, depth, s.Seed)
	arms := []gamble{{}, {Kind: logTotal}, {Kind: seeking, Scale: riskScale}, {Kind: fearing, Scale: riskScale}}
	errors := make([]float64, 0, 6)
	for _, g := range arms {
		rms, _ := within(trees, roots, g)
		errors = append(errors, rms)
	}
	for i, g := range arms[2:] {
		rms := errors[2+i]
		_, variance := within(trees, roots, g)
		if rms*rms >= variance {
			continue
		}
		// After the best affine fit noise of variance v leaves var*v/(var+v).
		v := rms * rms * variance / (variance - rms*rms)
		arms, errors = append(arms, gamble{noisy, round(math.Sqrt(v), 2), seedOf(s.Seed, 0x6a3b1e)}), append(errors, rms)
	}
	games := s.pairs(1500, 10000, 40000)
	var keys []solo
	var of []int
	const few = 50
	for i, g := range arms {
		for from := 0; from < games; from += few {
			keys, of = append(keys, solo{w.Spec, j.Name, j.Digest, depth, g, from, min(few, games-from), s.Seed}), append(of, i)
		}
	}
	found, err := Cells(ctx, s, "games", keys, nil, func(ctx context.Context, k solo) ([]float64, error) { return k.play(ctx, w, j) })
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, len(arms))
	for i, x := range found {
		scores[of[i]] = append(scores[of[i]], x...)
	}
	f := &Findings{}
	if err := cautionFindings(f, w, depth, arms, errors, scores, s.Seed); err != nil {
		return nil, err
	}
	return f, s.exactScores(f, arms, depth)
}

// scoreGame is a game of one whose utility is its score, with the evaluation.
func (s *Session) scoreGame(spec string) (*catalog.World, *catalog.Judge, error) {
	w, err := s.Catalog.World(spec)
	if err != nil {
		return nil, nil, err
	}
	_, scores := game.As[game.Scorer](w.New())
	if w.Players != 1 || !scores || w.Inside != nil {
		return nil, nil, fmt.Errorf("game %s: want a game of one player whose utility is its score, without +", w.Spec)
	}
	name := "handwritten"
	if s.Over.Eval != "" {
		name = s.Over.Eval
	}
	j, err := w.Judge(name)
	return w, j, err
}

func cautionFindings(f *Findings, w *catalog.World, depth int, arms []gamble, errors []float64, scores [][]float64, seed uint64) error {
	data := Data{Name: "games", Head: []string{"arm", "error", "game", "score"}}
	t := report.Table{Head: []string{"judged by", "error within the tree, points", "mean score", "cost, % of clean"},
		Caption: fmt.Sprintf("%s, expectimax of depth %d, %d games an arm. Error: root mean square after the best affine fit within each tree.", w.Spec, depth, len(scores[0]))}
	costs := make([]Interval, len(arms))
	p := panel("", "judged by", "cost, percent of the clean score", nil, nil)
	p.Level = ptr(0)
	for i, g := range arms {
		for k, x := range scores[i] {
			data.Row(g, round(errors[i], 4), k, x)
		}
		n := len(scores[0])
		costs[i] = exactly(0)
		if i > 0 {
			costs[i] = bootstrap(2*n, seed, func(weight []float64) float64 {
				var a, an, b, bn float64
				for k := range n {
					a, an = a+weight[k]*scores[0][k], an+weight[k]
					b, bn = b+weight[n+k]*scores[i][k], bn+weight[n+k]
				}
				return 1 - b/bn/(a/an)
			})
			x := float64(i)
			p.XTicks = append(p.XTicks, x)
			p.Series = append(p.Series, report.Series{Name: fmt.Sprintf("%d: %s", i, g), Points: true, X: []float64{x}, Y: []float64{100 * costs[i].Value}, Low: []float64{100 * costs[i].Low}, High: []float64{100 * costs[i].High}})
		}
		t.Rows = append(t.Rows, []string{g.String(), number(errors[i], 1), meanOf(scores[i], seed).Format(0), percent(costs[i])})
	}
	fig, err := figure("cost", "What a taste for risk costs, "+w.Spec, "The share of the clean planner's mean score that is lost, with 95% bootstrap intervals over games; below 0 it is a gain.", p)
	if err != nil {
		return err
	}
	f.Data, f.Tables, f.Figures = append(f.Data, data), append(f.Tables, t), append(f.Figures, fig)

	const small = 0.05
	c := costs[1]
	v := Verdict{Claim: fmt.Sprintf("the logarithm of the total changes the score by less than %.0f percent", 100*small), Outcome: NotDecided, Figure: "cost " + percent(c) + " percent"}
	switch {
	case c.Low > -small && c.High < small:
		v.Outcome = Supported
	case c.Low > small || c.High < -small:
		v.Outcome = Contradicted
	}
	f.Verdicts = append(f.Verdicts, v)
	for i, g := range arms[2:] {
		c := costs[2+i]
		f.Verdicts = append(f.Verdicts, Judge(g.String()+" costs points", c, Above, 0, "cost "+percent(c)+" percent"))
	}
	for i := 4; i < len(arms); i++ {
		warped := i - 2
		n := len(scores[0])
		d := bootstrap(2*n, seed, func(weight []float64) float64 {
			var a, an, b, bn float64
			for k := range n {
				a, an = a+weight[k]*scores[warped][k], an+weight[k]
				b, bn = b+weight[n+k]*scores[i][k], bn+weight[n+k]
			}
			return (a/an - b/bn) / mean(scores[0])
		})
		f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("noise of its size costs more than %s", arms[warped]), d, Above, 0, "difference "+percent(d)+" percent of the clean score"))
	}
	noise := ""
	for i := 4; i < len(arms); i++ {
		noise = fmt.Sprintf(", %s %s", arms[i], percent(costs[i]))
	}
	f.Headline = fmt.Sprintf("In %s the cost in percent of the score is, judged by the logarithm of the total, %s, loving risk %s, fearing it %s%s.",
		w.Spec, percent(costs[1]), percent(costs[2]), percent(costs[3]), noise)
	return nil
}

// exactScores works the arms that judge by gain alone out on 2x2, where a policy
// depends on the board alone: expected scores without a game played.
func (s *Session) exactScores(f *Findings, arms []gamble, depth int) error {
	w, j, err := s.scoreGame("2048:size=2")
	if err != nil {
		return err
	}
	t := report.Table{Head: []string{"2x2, judged by", "expected score", "cost, % of clean"}, Caption: fmt.Sprintf("Exact, over all positions, expectimax of depth %d; perfect play is what no evaluation can better.", depth)}
	best, err := expected(w, nil)
	if err != nil {
		return err
	}
	t.Rows = append(t.Rows, []string{"perfect play", number(best, 3), ""})
	clean := 0.0
	for _, g := range arms {
		if g.Kind == logTotal || g.Kind == noisy {
			continue // they depend on the score so far, too
		}
		x, err := expected(w, newGambler(w, j, depth, g))
		if err != nil {
			return err
		}
		if g.Kind == "" {
			clean = x
		}
		t.Rows = append(t.Rows, []string{g.String(), number(x, 3), number(100*(1-x/clean), 2)})
	}
	f.Tables = append(f.Tables, t)
	return nil
}

// expected is the expected final score of a player from the start, or of perfect
// play for nil.
func expected(w *catalog.World, player *gambler) (float64, error) {
	known := map[string]float64{}
	s := w.New()
	scorer, _ := game.As[game.Scorer](s)
	chance, _ := game.As[game.Chancer](s)
	var togo func() float64 // what is still to be gained
	togo = func() float64 {
		if s.Turn() == game.Nobody {
			return 0
		}
		// The board and the turn: what is to be gained does not depend on the score.
		text := s.String()
		for text[len(text)-1] != ' ' {
			text = text[:len(text)-1]
		}
		if v, ok := known[text]; ok {
			return v
		}
		out := math.Inf(-1)
		moves := s.Moves(nil)
		if s.Turn() == game.Chance {
			out = 0
			for _, m := range moves {
				p := chance.Prob(m)
				s.Play(m)
				out += p * togo()
				s.Undo()
			}
		} else {
			if player != nil {
				moves = []game.Move{player.choose(s)}
			}
			before := scorer.Score(0)
			for _, m := range moves {
				s.Play(m)
				gain := scorer.Score(0) - before
				out = math.Max(out, gain+togo())
				s.Undo()
			}
		}
		known[text] = out
		return out
	}
	return togo(), nil
}
