package doudizhu

import (
	"context"

	"plyfit/game"
	board "plyfit/game/doudizhu"
	"plyfit/search"
)

// rule returns a constructor of agents that play by rules of thumb and use only their own cards and
// public information. When leading, such an agent makes the play after which its hand needs the
// fewest plays, and prefers low and long plays. When following, it makes the play that costs its
// hand the least, or passes if every play costs too much. It does not beat the other farmer's play
// unless it can play its last cards. It keeps bombs until an opponent has five cards or fewer. It
// bids 3 if its hand needs few plays or contains both jokers.
func rule(o *game.Options) (func() (search.Agent, error), error) {
	return func() (search.Agent, error) { return new(ruler), nil }, o.Err()
}

type ruler struct{ moves []game.Move }

var _ search.Agent = (*ruler)(nil)

// Begin implements [search.Agent]. It does nothing, because the agent is deterministic.
func (r *ruler) Begin(uint64) {}

func (r *ruler) Search(_ context.Context, st game.State) (search.Result, error) {
	out := search.Result{Move: game.NoMove}
	p := st.Turn()
	if p < 0 {
		return out, nil
	}
	s := game.Base(st).(*board.State)
	r.moves = s.Moves(r.moves[:0])
	if s.Landlord() < 0 {
		out.Move = bid(s, p, r.moves)
	} else {
		out.Move = r.play(s, p)
	}
	out.PV = []game.Move{out.Move}
	return out, nil
}

func bid(s *board.State, p game.Player, moves []game.Move) game.Move {
	hand := s.Hand(p)
	if playsOf(hand) <= 7 || hand[board.Black]+hand[board.Red] == 2 {
		return moves[len(moves)-1]
	}
	return moves[0]
}

// play returns the play with the lowest cost, or a pass.
func (r *ruler) play(s *board.State, p game.Player) game.Move {
	hand, last := s.Hand(p), board.Pass
	best, least := last, 1<<30
	play, by := s.Last()
	follows := play.Kind != board.Other
	partner := follows && p != s.Landlord() && by != s.Landlord() && by != p
	if follows {
		least = 1000*playsOf(hand) + 1500 // cost of a pass, about one and a half plays
	}
	for _, m := range r.moves {
		if m == board.Pass {
			continue
		}
		made := board.PlayOf(m)
		cards := made.Cards()
		rest := *hand
		for i, n := range cards {
			rest[i] -= n
		}
		if rest.Count() == 0 {
			return m
		}
		if partner || made.Kind >= board.Bomb && s.Fewest(p) > 5 {
			continue
		}
		cost := 1000*(playsOf(&rest)+1) + 20*made.Head - 5*cards.Count()
		for _, k := range made.Kickers {
			if int(k) >= board.Two && int(k) < board.Ranks {
				cost += 500 // a high card is a poor kicker
			}
		}
		if cost < least {
			best, least = m, cost
		}
	}
	if !follows && best == board.Pass {
		return r.moves[0] // the hand contains only bombs
	}
	return best
}
