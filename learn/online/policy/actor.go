package policy

import (
	"math"
	"math/rand/v2"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/elementary"
	"plyfit/learn/online"
	"plyfit/models"
)

// trajectory is an episode as it was played, one side learning.
type trajectory struct {
	learner   game.Player
	decisions []decision
	psi       []float64 // of each: grad log pi, as many numbers as there are weights
	terms     models.Vector
	moves     int
	outcome   online.Outcome
}

// decision is a position in which the learning side drew its move.
type decision struct {
	from, to int     // its terms among the trajectory's, player 0's
	value    float64 // by the baseline
}

// actor plays episodes by the weights as they are. It belongs to
// one goroutine and keeps its buffers.
type actor struct {
	cfg     *online.Task
	set     features.Set
	scale   *online.Scale
	theta   *models.Linear
	other   *models.Linear // an earlier theta with noise
	frozen  []bool
	past    [][]float64          // weights of other days
	stretch int                  // whose weights other has
	sides   [2]features.Unlinked // the learner, and the other
	game    *online.Game
	dice    play.Dice // of nature
	moves   []game.Move
	probs   []float64
	ends    []bool // of moves: the game is over then
	x       models.Vector
}

func newActor(c *online.Task, s *online.Scale, theta *models.Linear, frozen []bool) *actor {
	w := &actor{cfg: c, set: features.Own(c.Set), scale: s, theta: theta, other: theta.Clone(), frozen: frozen, game: online.NewGame(c)}
	w.dice.Random = w.game.Random
	w.game.Luck = &w.dice
	return w
}

// begin takes notice of new weights.
func (w *actor) begin(past [][]float64) {
	w.past, w.stretch = past, -1
	w.sides[0].Evaluator = features.NewEvaluator(w.cfg.Game, w.cfg.Set, w.theta)
}

// disturb gives the other side the weights of a stretch of episodes.
func (w *actor) disturb(stretch int) {
	if stretch == w.stretch {
		return
	}
	w.stretch = stretch
	rng := w.cfg.Random(-2 - stretch) // those of -1 are for weights to begin with
	self, squares, free := w.past[rng.IntN(len(w.past))], 0.0, 0.0
	for i, x := range self {
		if !w.frozen[i] {
			squares += float64(x * x)
			free++
		}
	}
	deviation := w.cfg.Jitter * rng.Float64() * math.Sqrt(squares/max(1, free))
	for i, x := range self {
		w.other.Weights[i] = x
		if !w.frozen[i] {
			w.other.Weights[i] += float64(deviation * rng.NormFloat64())
		}
	}
	w.sides[1].Evaluator = features.NewEvaluator(w.cfg.Game, w.cfg.Set, w.other)
}

// play plays one episode into t. The players of odd and even ones change sides.
func (w *actor) play(number int, t *trajectory) {
	rng := w.game.Random
	*t = trajectory{learner: game.Player(number & 1), decisions: t.decisions[:0], psi: t.psi[:0], terms: t.terms[:0]}
	w.disturb(number / policyStretch)
	w.game.StartEpisode(number)
	s := w.game.State
	for w.game.Next() {
		w.moves = s.Moves(w.moves[:0])
		w.game.Play(w.moves[w.choose(rng, s, s.Turn(), t)])
	}
	t.moves, t.outcome = w.game.Decisions, w.game.Outcome()
}

// choose is the place of the move drawn. A decision of the side that learns is
// recorded.
func (w *actor) choose(rng *rand.Rand, s game.State, turn game.Player, t *trajectory) int {
	if len(w.moves) == 1 {
		return 0
	}
	learns := turn == t.learner
	side := &w.sides[1]
	if learns {
		side = &w.sides[0]
	}
	w.probs, w.ends = w.probs[:0], w.ends[:0]
	most := math.Inf(-1)
	for _, m := range w.moves {
		s.Play(m)
		over := s.Turn() == game.Nobody
		var z float64
		if over {
			z = policySure * w.scale.Of(s.Utility(0)) * float64(1-2*turn)
		} else {
			z = side.Evaluate(s, turn)
		}
		s.Undo()
		w.probs, w.ends = append(w.probs, z), append(w.ends, over)
		most = max(most, z)
	}
	sum := 0.0
	for i, z := range w.probs {
		w.probs[i] = elementary.Exp(z - most)
		sum += w.probs[i]
	}
	for i := range w.probs {
		w.probs[i] /= sum
	}
	if w.cfg.Epsilon > 0 && rng.Float64() < w.cfg.Epsilon {
		return rng.IntN(len(w.moves))
	}
	at, rest := 0, float64(rng.Float64())-w.probs[0]
	for rest >= 0 && at < len(w.moves)-1 {
		at++
		rest -= w.probs[at]
	}
	if learns {
		w.recordDecision(s, turn, at, t)
	}
	return at
}

// recordDecision notes the position and grad log pi of the move drawn.
func (w *actor) recordDecision(s game.State, turn game.Player, at int, t *trajectory) {
	n := len(w.theta.Weights)
	from := len(t.terms)
	t.terms = append(t.terms, models.Term{Index: models.Bias, Value: 1})
	t.terms = w.extract(s, 0, t.terms)
	t.decisions = append(t.decisions, decision{from: from, to: len(t.terms)})
	t.psi = append(t.psi, make([]float64, n)...)
	psi := t.psi[len(t.psi)-n:]
	for i, m := range w.moves {
		share := -w.probs[i]
		if i == at {
			share++
		}
		if w.ends[i] || math.Abs(share) < policySkip {
			continue
		}
		s.Play(m)
		w.x = w.extract(s, turn, w.x[:0])
		s.Undo()
		for _, x := range w.x {
			psi[x.Index] += float64(share * float64(x.Value))
		}
	}
	for i, frozen := range w.frozen {
		if frozen {
			psi[i] = 0
		}
	}
}

// extract appends the features of s in p's favour.
func (w *actor) extract(s game.State, p game.Player, x models.Vector) models.Vector {
	from := len(x)
	x = features.ExtractFirst(w.set, s, x)
	if p != 0 {
		features.Negate(x[from:])
	}
	return x
}
