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
	"fmt"
	"time"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/text"
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
	// Referee makes what plays the pairs in place of the agents; nil: they play. Of Game, A and B
	// only the names are then used, and pairs differ by their seeds alone. Each worker has its own.
	Referee func() (Referee, error)
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

	// Out is the file that finished pairs are written to, one JSON object a line, and resumed from;
	// "": none. An empty or absent file begins a match; one with another configuration, or being
	// written by another process, is an error. More Pairs than before continue a finished match.
	Out     string
	NoMoves bool // leave the moves out of the records; their hashes stay

	// Progress is called with each pair, in order; the match waits for it. nil: no calls.
	Progress func(Progress)
	// Interrupted, if not nil, is called when ctx ends, with the result of the finished pairs. It does
	// not wait for agents that are still busy.
	Interrupted func(Result)
}

// Progress is what is known of a running match.
type Progress struct {
	Pairs, Of           int // finished, at most to play
	Openings            int // that differ
	Resumed             int // of the finished ones, read from the file
	Games               int
	Wins, Draws, Losses int                   // as in Result
	Measure             Measure               // what decides
	Running             func() stats.Estimate // of it, as in Result.Score; may be called until the callback returns
	LLR                 float64               // of the SPRT, 0 without one
	Faults              FaultCounts           // of both
}

// Mode is what a pair is.
type Mode string

const (
	Duel  Mode = "duel"  // two players, seats swapped
	Solo  Mode = "solo"  // one player: A and B play the same game in turn
	Table Mode = "table" // more than two players, seats rotated
)

// String is the running score, such as "12 won, 3 drawn, 5 lost, 67.5% ± 12.1%, LLR 0.81".
func (p Progress) String() string {
	line := fmt.Sprintf("%d won, %d drawn, %d lost", p.Wins, p.Draws, p.Losses)
	if running := p.Running(); running.Bounded || running.Alike {
		if p.Measure == Wins {
			line += ", " + running.Percent()
		} else {
			line += ", A minus B " + running.Format(running.Decimals(), 1)
		}
	}
	if p.LLR != 0 {
		line += fmt.Sprintf(", LLR %.2f", p.LLR)
	}
	if n := p.Faults.All(); n > 0 {
		line += ", " + text.Counted(n, "fault")
	}
	return line
}
