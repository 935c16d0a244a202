// Package arena plays matches of paired games between agents and computes who is better, with
// intervals.
//
// The typical steps are:
//
//  1. Name a game, two entrants and the games' start in a [Config]: random openings, or positions
//     of a file ([ReadOpenings]), such as a [Book] makes.
//
//  2. [Run] plays pairs of games in which both entrants have the same opening, seats and luck. It
//     writes each finished pair to a file, and the same Config resumes after an interruption. A
//     match with an SPRT ends as soon as that is decided.
//
//  3. Read the [Result]: the score with its interval, Elo where that fits, the faults, how many
//     games were distinct, and a sentence that sums it up. [EachRecord] reads the games again.
//
// A [Tournament] plays more than two entrants and rates them together. Package stats has the
// intervals and tests.
//
// What is a pair depends on the number of players:
//
//   - two players ([Duel]): two games from one opening with the seats swapped;
//   - one player ([Solo]): the same start and luck played by A and by B, also against nature in
//     person in an adversarial world;
//   - more ([Table]): A alone in each seat among Bs, and B alone in each seat among As: 2n games.
//
// Luck is common: each seat has one stream of random numbers for its dice and tiles and one for
// its slips, so the k-th roll of a seat is the same in all games of a pair.
package arena

import (
	"context"
	"fmt"
	"math"
	"time"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/search"
)

// Openings is how the games of a match begin. The zero value is the game's own start.
type Openings struct {
	// Plies are decisions drawn uniformly at the start of a pair, with nature's probabilities;
	// openings that end the game are drawn again.
	Plies int
	// Positions are the starts of pairs, in turn, instead of the game's start. Plies are drawn
	// from there.
	Positions []string
	// Fixed means that Positions are the whole population, not a sample of openings: the figures
	// are of these alone. It needs no Plies, and Pairs that cover each position.
	Fixed bool
}

// Population is what the mean of a match is the mean of, and so the basis of its intervals,
// ratings and tests. Only this type defines which pairs are independent:
//
//   - drawn or listed openings are a sample of more: random effects. Pairs from one opening
//     (PairRecord.From) are one cluster, with or without luck; an opening of its own for each
//     pair makes the pairs independent;
//   - if all pairs begin at the game's own start, luck and the agents' own randomness vary, and
//     pairs are independent;
//   - if listed openings are the whole population, only chance within them is left; pairs count
//     as independent, which errs on the safe side by the variance between openings.
//
// In the last two, pairs without luck that repeat each other move for move from one opening count
// once.
// one opening count once.
type Population string

const (
	Sampled  Population = "openings"       // all openings such as those played
	OneStart Population = "start"          // games from the game's own start
	Listed   Population = "these openings" // games from the openings listed
)

// population is what a match with these openings asks about.
func (o Openings) population() Population {
	switch {
	case o.Fixed:
		return Listed
	case o.Plies == 0 && len(o.Positions) == 0:
		return OneStart
	}
	return Sampled
}

// Measure is what decides a match.
type Measure string

const (
	// Wins counts a game as 1, 1/2 or 0 points.
	Wins Measure = "wins"
	// Utility counts what the players got, in the game's units.
	Utility Measure = "utility"
)

// Config is a match between A and B.
type Config struct {
	Game *game.Game // the world they play in
	// A search must end when its context does. An agent that errs, panics, leaves the position
	// changed or returns an illegal move loses that game, and the next game gets a new agent.
	// Workers share none.
	A, B search.Factory
	// Nature makes nature's moves in an adversarial world of a game of one player, and only there.
	Nature *search.Factory

	Pairs    int    // at most this many; positive
	Seed     uint64 // everything random follows from it
	Workers  int    // pairs played at the same time; 0: one. Never changes a result
	Openings Openings

	// MoveTime is the time for one move; 0: unlimited. The context of a search ends after it, and
	// a move more than Margin later loses the game on time. Results then depend on the machine.
	MoveTime time.Duration
	Margin   time.Duration // 0: 100ms

	// Measure decides; "": Wins in games of two whose utilities span at most 2 (-1 to 1, 0 to 1),
	// Utility in all others.
	Measure Measure
	SPRT    *stats.SPRT // ends the match early; nil: all pairs are played

	// Adjudicate ends games of two on whose outcome both agents agree; nil: every game is played
	// to its end. It needs the measure Wins.
	Adjudicate *Adjudication

	// Out is the file that finished pairs are written to, one JSON object a line, and resumed
	// from; "": none. An empty or absent file begins a match; one with another configuration, or
	// being written by another process, is an error. More Pairs than before continue a finished
	// match.
	Out     string
	NoMoves bool // leave the moves out of the records; their hashes stay

	// Progress is called with each pair, in order; the match waits for it. nil: no calls.
	Progress func(Progress)
}

// Progress is what is known of a running match.
type Progress struct {
	Pairs, Of           int // finished, at most to play
	Openings            int // that differ
	Resumed             int // of the finished ones, read from the file
	Games               int
	Wins, Draws, Losses int            // as in Result
	Measure             Measure        // what decides
	Running             stats.Estimate // of it, as in Result.Score
	LLR                 float64        // of the SPRT, 0 without one
	Faults              FaultCounts    // of both
}

// Mode is what a pair is.
type Mode string

const (
	Duel  Mode = "duel"  // two players, seats swapped
	Solo  Mode = "solo"  // one player: A and B play the same game in turn
	Table Mode = "table" // more than two players, seats rotated
)

// The entrants as records number them.
const (
	sideA = iota
	sideB
	sideNature
)

// layout is how the games of a pair are seated.
type layout struct {
	mode        Mode
	shape       game.Shape
	seats       [][]int // by game: who sits in each seat
	loss        float64 // utility of a player who loses by a fault
	win         float64 // of each of the others
	even        float64 // of everyone where a game of two or more is cut off that cannot be counted
	least, most float64 // any utility; far away where the game has no bounds
	scored      bool    // utilities are points collected on the way
	countable   bool    // a game that is cut off is counted as it stands
}

func layoutOf(cfg *Config, s game.State) (layout, error) {
	l := layout{shape: game.ShapeOf(cfg.Game, s)}
	_, l.scored = game.As[game.Scorer](s)
	_, l.countable = game.As[game.Countable](s)
	adversary, hostile := game.As[*game.Adversary](s)
	solo := hostile && adversary.Solo()
	switch {
	case solo && cfg.Nature == nil:
		return l, fmt.Errorf("%s: want an agent for nature", cfg.Game.Spec)
	case !solo && cfg.Nature != nil:
		return l, fmt.Errorf("%s: nature moves by its probabilities or has a player: want no agent for it", cfg.Game.Spec)
	}
	n := l.shape.Players
	switch {
	case solo:
		l.mode, l.seats = Solo, [][]int{{sideA, sideNature}, {sideB, sideNature}}
	case n == 1:
		l.mode, l.seats = Solo, [][]int{{sideA}, {sideB}}
	case n == 2:
		l.mode, l.seats = Duel, [][]int{{sideA, sideB}, {sideB, sideA}}
	default:
		l.mode = Table
		for _, alone := range []int{sideA, sideB} {
			for k := range n {
				seats := make([]int, n)
				for i := range seats {
					seats[i] = 1 - alone
				}
				seats[k] = alone
				l.seats = append(l.seats, seats)
			}
		}
	}
	l.least, l.most = math.Max(l.shape.Min, -1e100), math.Min(l.shape.Max, 1e100)
	l.loss, l.win, l.even = l.shape.Min, l.shape.Max, (l.shape.Min+l.shape.Max)/2
	if math.IsInf(l.shape.Min, 0) || math.IsInf(l.shape.Max, 0) {
		l.loss, l.win, l.even = -1, 1, 0
	}
	switch {
	case l.shape.Sum == game.Zero:
		l.even, l.win = 0, -l.loss/math.Max(1, float64(n-1))
	case n > 2:
		l.win = l.even
	}
	return l, nil
}

func (cfg *Config) check() error {
	if cfg.Game == nil || cfg.A.New == nil || cfg.B.New == nil {
		panic("arena: a match without a game or entrants")
	}
	if cfg.Workers <= 0 {
		cfg.Workers = 1
	}
	if cfg.Margin == 0 {
		cfg.Margin = 100 * time.Millisecond
	}
	switch {
	case cfg.Pairs <= 0:
		return fmt.Errorf("pairs=%d: want at least 1", cfg.Pairs)
	case cfg.Openings.Plies < 0:
		return fmt.Errorf("opening plies=%d: want at least 0", cfg.Openings.Plies)
	case cfg.Openings.Fixed && (cfg.Openings.Plies > 0 || len(cfg.Openings.Positions) == 0):
		return fmt.Errorf("fixed openings: want a list of positions, and no random plies")
	case cfg.Openings.Fixed && cfg.Pairs < len(cfg.Openings.Positions):
		return fmt.Errorf("fixed openings: %d pairs of %d openings: want at least one pair an opening", cfg.Pairs, len(cfg.Openings.Positions))
	case cfg.Measure != "" && cfg.Measure != Wins && cfg.Measure != Utility:
		return fmt.Errorf("measure %q: want %s or %s", cfg.Measure, Wins, Utility)
	}
	return nil
}

// choose sets the measure and the test that the layout allows.
func (cfg *Config) choose(l layout) error {
	if cfg.Measure == "" {
		cfg.Measure = Utility
		if l.mode == Duel && l.shape.Max-l.shape.Min <= 2 {
			cfg.Measure = Wins
		}
	}
	if cfg.Measure == Wins && l.mode != Duel {
		return fmt.Errorf("%s: points are counted in games of two players; want measure %s", cfg.Game.Spec, Utility)
	}
	if cfg.Adjudicate != nil {
		if l.mode != Duel || cfg.Measure != Wins || l.shape.Sum == game.General {
			return fmt.Errorf("%s: games are adjudicated where two players win, draw or lose; want measure %s", cfg.Game.Spec, Wins)
		}
		rule, err := cfg.Adjudicate.check()
		if err != nil {
			return err
		}
		cfg.Adjudicate = &rule
	}
	if cfg.SPRT == nil {
		return nil
	}
	t, err := cfg.SPRT.Check()
	if err != nil {
		return err
	}
	if t.Scale == stats.LogisticElo && cfg.Measure != Wins {
		return fmt.Errorf("sprt scale %s: want measure %s", t.Scale, Wins)
	}
	cfg.SPRT = &t
	return nil
}

// Run plays the match, or the rest if cfg.Out holds its beginning. The result is the same for any
// number of workers and interruptions. If ctx ends first, it covers the finished pairs, with ctx's
// error.
func Run(ctx context.Context, cfg Config) (Result, error) {
	m, err := newMatch(cfg)
	if err != nil {
		return Result{}, err
	}
	return m.run(ctx)
}
