// Package arena plays matches of paired games between agents and estimates, with confidence
// intervals, which agent is better.
//
// The typical steps are:
//
//  1. Fill in a [Config] with a game, two entrants and the openings. The openings can be random or
//     read from a file ([ReadOpenings]).
//
//  2. Call [Run]. It plays pairs of games in which both entrants have the same openings, seats and
//     luck. If the Config names a file, each finished pair is written to it, and running the same
//     Config again resumes the match. A match with an SPRT ends as soon as the test has decided.
//
//  3. Read the [Result]. It contains the score with its interval, the Elo difference in two-player
//     games, the faults, the number of distinct games, and a sentence that summarises the match.
//     [EachRecord] reads the games back.
//
// A [Tournament] has more than two entrants and rates them together. Package stats implements the
// intervals and tests.
//
// The games in a pair depend on the number of players:
//
//   - Two players ([Duel]): two games from the same opening with swapped seats.
//   - One player ([Solo]): A and B each play a game with the same start and the same luck. In an
//     adversarial world, an agent plays nature.
//   - Three or more players ([Table]): one game for each seat in which A plays against copies of B,
//     and one for each seat in which B plays against copies of A. With n players, a pair has 2n
//     games.
//
// The games of a pair have the same luck. Each seat has a stream of random numbers for its dice and
// tiles and another for its slips. The k-th roll of a seat is therefore the same in all games of a
// pair.
package arena

import (
	"fmt"
	"time"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/text"
	"plyfit/search"
)

// Openings specifies how the games of a match begin. The zero value means that all games begin at
// the game's initial position.
type Openings struct {
	// Plies is the number of random decisions at the start of a pair. Chance moves are drawn with
	// their own probabilities. If an opening ends the game, another one is drawn.
	Plies int
	// Positions lists initial positions. The pairs use them in turn and play the random plies from
	// there.
	Positions []string
	// Fixed means that Positions is the whole population of openings rather than a sample, so that
	// the results refer to these openings only. Plies must be 0, and there must be at least as many
	// Pairs as positions.
	Fixed bool
}

// Population is the set of games to which the mean of a match refers. It determines the intervals,
// ratings and tests, because it defines which pairs are independent:
//
//   - If openings are drawn or listed, they are a sample of a larger set (random effects). Pairs
//     from the same opening (PairRecord.From) form a cluster, with or without luck. If each pair
//     has its own opening, the pairs are independent.
//   - If all pairs begin at the game's initial position, only luck and the randomness of the agents
//     vary, and the pairs are independent.
//   - If the listed openings are the whole population, only chance within them varies. Pairs count
//     as independent, which is conservative because it includes the variance between openings.
//
// In the last two cases, pairs that share an opening and involve no luck are counted only once if
// they all have the same moves.
type Population string

const (
	Sampled  Population = "openings"       // all openings of the same kind
	OneStart Population = "start"          // games from the initial position
	Listed   Population = "these openings" // games from the listed openings
)

// population returns the population to which a match with these openings refers.
func (o Openings) population() Population {
	switch {
	case o.Fixed:
		return Listed
	case o.Plies == 0 && len(o.Positions) == 0:
		return OneStart
	}
	return Sampled
}

// A Measure is the quantity that decides a match.
type Measure string

const (
	// Wins scores a game as 1, 1/2 or 0 points.
	Wins Measure = "wins"
	// Utility scores a game by the players' utilities, in the game's units.
	Utility Measure = "utility"
)

// Config specifies a match between A and B.
type Config struct {
	Game *game.Game // world of the match
	// A search must return when its context is done. An agent that returns an error or an illegal
	// move, panics, or does not restore the position loses the game and is replaced by a new agent
	// for the next one. Each worker has its own agents.
	A, B search.Factory
	// Referee, if not nil, returns a program that plays the pairs in place of the agents. In that
	// case, only the names of Game, A and B are used, and pairs differ only in their seeds. Each
	// worker has its own referee.
	Referee func() (Referee, error)
	// Nature makes the chance moves in the adversarial world of a single-player game. It must be
	// nil in other worlds.
	Nature *search.Factory

	Pairs    int    // maximum number of pairs; positive
	Seed     uint64 // determines all random choices
	Workers  int    // number of pairs played in parallel, at least 1; does not affect the result
	Openings Openings

	// MoveTime is the time allowed for a move; 0 means no limit. The context of a search ends after
	// this time, and a move that arrives more than Margin later loses the game. With a limit, the
	// result depends on the machine.
	MoveTime time.Duration
	Margin   time.Duration // 0 means 100 ms

	// Measure is the quantity that decides the match. If it is empty, Wins is used in two-player
	// games whose utilities span at most 2, and Utility in all other games.
	Measure Measure
	SPRT    *stats.SPRT // ends the match early; nil if all pairs are played

	// Adjudicate, if not nil, ends two-player games when both agents agree on the outcome. It
	// requires the measure Wins.
	Adjudicate *Adjudication

	// Out is the file to which finished pairs are written, with one JSON object per line. If Out is
	// empty, nothing is written. If the file exists, the match resumes from it. It is an error if
	// the file belongs to a match with another configuration or if another process is writing it.
	// To extend a finished match, increase Pairs.
	Out     string
	NoMoves bool // omit the moves from the records; their hashes are kept

	// Progress, if not nil, is called after each pair, in order. The match waits for it to return.
	Progress func(Progress)
	// Interrupted, if not nil, is called when ctx is done, with the result of the finished pairs.
	// The call does not wait for agents that are still searching.
	Interrupted func(Result)
}

// Progress describes the state of a running match.
type Progress struct {
	Pairs, Of           int                   // number of finished pairs, and the maximum
	Openings            int                   // number of distinct openings
	Wins, Draws, Losses int                   // as in [Result]
	Measure             Measure               // quantity that decides the match
	Running             func() stats.Estimate // returns the score as in Result.Score; must not be called after the callback returns
	LLR                 float64               // log-likelihood ratio of the SPRT; 0 without a test
	Faults              FaultCounts           // faults of both entrants
}

// A Mode is the structure of a pair.
type Mode string

const (
	Duel  Mode = "duel"  // two players, with swapped seats
	Solo  Mode = "solo"  // one player; A and B play the same game separately
	Table Mode = "table" // three or more players, with rotated seats
)

// String formats the running score, for example as "12 won, 3 drawn, 5 lost, 67.5% ± 12.1%, LLR
// 0.81".
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
