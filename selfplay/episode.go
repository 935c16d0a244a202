package selfplay

import (
	"context"
	"errors"
	"math/rand/v2"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/search"
)

// player plays whole episodes.
type player struct {
	cfg   *Config
	own   []search.Agent // each once
	seats []search.Agent // by player
	moves []game.Move
}

func newPlayer(cfg *Config) (*player, error) {
	p := &player{cfg: cfg}
	for _, m := range cfg.Agents {
		a, err := m.New()
		if err != nil {
			return nil, err
		}
		p.own = append(p.own, a)
	}
	for seat := range cfg.Game.Players {
		p.seats = append(p.seats, p.own[min(seat, len(p.own)-1)])
	}
	return p, nil
}

// openingTries is how often an opening that ends the game is drawn again before
// the episode begins at the start.
const openingTries = 50

func (p *player) episode(ctx context.Context, e uint64) ([]datasets.Record, error) {
	seed := game.Seed(p.cfg.Seed, game.StreamEpisode, e)
	rng := rand.New(rand.NewPCG(seed, game.Mix(seed)))
	for i, a := range p.own {
		a.Begin(game.Seed(p.cfg.Seed, game.StreamPlayer, e, uint64(i)))
	}
	var s game.State
	var records []datasets.Record
	// Nature may end the game right after an opening, as a slip can.
	for try := 0; len(records) == 0; try++ {
		if try > 0 && (p.cfg.Openings == 0 || try > openingTries) {
			return nil, errors.New("no decision in it: want a game in which players decide")
		}
		var err error
		if s, records, err = p.play(ctx, e, rng); err != nil {
			return nil, err
		}
	}
	outcome, truncated := make([]float64, p.cfg.Game.Base().Players), s.Turn() != game.Nobody
	if !truncated {
		for i := range outcome {
			outcome[i] = s.Utility(game.Player(i))
		}
	}
	for i := range records {
		records[i].Outcome, records[i].Truncated = outcome, truncated
	}
	return records, nil
}

// play is one game of episode e: its last position and its decisions, yet
// without an outcome.
func (p *player) play(ctx context.Context, e uint64, rng *rand.Rand) (s game.State, records []datasets.Record, err error) {
	s, ply := p.opening(rng)
	for ; s.Turn() != game.Nobody && ply < p.cfg.Game.MaxPlies; ply++ {
		switch {
		case s.Turn() == game.Chance:
			p.draw(s, rng)
		case game.NatureToMove(s): // the adversary: it decides, but is no protagonist
			r, err := whole(ctx, p.seats[s.Turn()], s)
			if err != nil {
				return nil, nil, err
			}
			s.Play(r.Move)
		default:
			rec := datasets.Record{Episode: e, Ply: int32(ply), Position: s.String(), Mover: s.Turn()}
			m, err := p.decide(ctx, s, rng, &rec)
			if err != nil {
				return nil, nil, err
			}
			records = append(records, rec)
			s.Play(m)
		}
	}
	return s, records, nil
}

// decide chooses a move at s and writes it into rec.
func (p *player) decide(ctx context.Context, s game.State, rng *rand.Rand, rec *datasets.Record) (m game.Move, err error) {
	if p.cfg.Explore > 0 && rng.Float64() < p.cfg.Explore {
		rec.Explored, m = true, p.random(s, rng)
	} else {
		r, err := whole(ctx, p.seats[s.Turn()], s)
		if err != nil {
			return m, err
		}
		m, rec.Depth = r.Move, int32(r.Depth)
		if r.Nodes > 0 { // a random agent looks at nothing
			rec.Value, rec.HasValue = r.Value, true
		}
	}
	rec.Move = s.MoveString(m)
	return m, nil
}

// whole is an agent's answer, and an error where ctx ended meanwhile: a search
// that was stopped says what it has, which depends on when it was stopped.
func whole(ctx context.Context, a search.Agent, s game.State) (search.Result, error) {
	r, err := a.Search(ctx, s)
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// opening is the start after some random decisions, and the plies it took.
func (p *player) opening(rng *rand.Rand) (s game.State, plies int) {
	limit := p.cfg.Game.MaxPlies
	for try := 0; ; try++ {
		s, plies = p.cfg.Game.New(), 0
		decisions := 0
		if p.cfg.Openings > 0 && try < openingTries {
			decisions = rng.IntN(p.cfg.Openings + 1)
		}
		for decisions > 0 && s.Turn() != game.Nobody && plies < limit {
			if s.Turn() == game.Chance {
				p.draw(s, rng)
			} else {
				if !game.NatureToMove(s) {
					decisions--
				}
				s.Play(p.random(s, rng))
			}
			plies++
		}
		if s.Turn() != game.Nobody && plies < limit || try >= openingTries {
			return s, plies
		}
	}
}

func (p *player) draw(s game.State, rng *rand.Rand) {
	p.moves = s.Moves(p.moves[:0])
	s.Play(game.Drawn(s, p.moves, rng.Float64()))
}

func (p *player) random(s game.State, rng *rand.Rand) game.Move {
	p.moves = s.Moves(p.moves[:0])
	return p.moves[rng.IntN(len(p.moves))]
}
