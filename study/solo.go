package study

import (
	"context"
	"fmt"
	"math"

	"plyfit/catalog"
	"plyfit/game"
)

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
