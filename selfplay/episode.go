package selfplay

import (
	"context"
	"errors"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/search"
)

type player struct {
	cfg      *Config
	openings *openings      // nil if each episode starts from its first random opening
	distinct *play.Distinct // the openings of all episodes, once they have been drawn
	opening  play.Opening
	number   uint64         // number of the current episode
	dice     play.Dice      // random numbers for the current episode
	own      []search.Agent // one instance of each agent
	seats    []search.Agent // agent of each player

	// run and game are reused for all episodes, so that the callbacks of run are allocated only
	// once.
	run  play.Episode
	game played
}

func newPlayer(cfg *Config, o *openings) (*player, error) {
	p := &player{cfg: cfg, openings: o, opening: cfg.opening()}
	p.run = play.Episode{Luck: &p.dice, FinishSlip: true, Chance: func(m game.Move, slip bool) {
		if n := len(p.game.records); slip && n > 0 {
			p.game.records[n-1].Made = p.run.State.MoveString(m)
		}
	}}
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

// beginnings is the maximum number of openings drawn to avoid an initial position with a proven
// outcome. After that many attempts, the proven position is recorded.
const beginnings = 8

func (p *player) episode(ctx context.Context, e uint64) (_ []datasets.Record, err error) {
	if p.openings != nil {
		if p.distinct, err = p.openings.get(ctx); err != nil {
			return nil, err
		}
	}
	p.dice.Random, p.number = p.cfg.random(e), e
	for i, a := range p.own {
		a.Begin(game.Seed(p.cfg.Seed, game.StreamPlayer, e, uint64(i)))
	}
	g := &p.game
	*g = played{}
	// The first attempt may yield no records, because a slip or a proof can end the game right
	// after the opening.
	for try := 0; len(g.records) == 0; try++ {
		if try > 0 && (p.cfg.Openings == 0 || try > openingTries) && g.proven == nil {
			return nil, errors.New("no player makes a decision; use a game in which the players decide")
		}
		if g.proven != nil && (p.cfg.Openings == 0 || try >= beginnings) {
			g.records = append(g.records, *g.proven)
			break
		}
		if err := p.play(ctx, e, try > 0); err != nil {
			return nil, err
		}
	}
	for i := range g.records {
		g.records[i].Outcome, g.records[i].Truncated = g.outcome, g.truncated
	}
	return g.records, nil
}

// played holds the outcome of one game and its decisions, whose outcome fields have not yet been
// set.
type played struct {
	records   []datasets.Record
	outcome   []float64
	truncated bool
	proven    *datasets.Record // position whose proof ended the game, or nil
}

// play plays one game of episode e and stores it in p.game. again is true if an earlier attempt at
// the episode produced no records.
func (p *player) play(ctx context.Context, e uint64, again bool) error {
	g, s, run := &p.game, p.begin(e, again), &p.run
	*g = played{}
	run.Begin(s, len(p.opening.Moves), p.cfg.Game.MaxPlies)
	for run.Next() {
		if game.NatureToMove(s) { // the adversary, whose decisions are not recorded
			r, err := search.SearchUninterrupted(ctx, p.seats[s.Turn()], s)
			if err != nil {
				return err
			}
			run.Play(r.Move)
			continue
		}
		rec := datasets.Record{Episode: e, Ply: int32(run.Plies), Position: s.String(), View: p.cfg.Game.View(s, s.Turn()), Mover: s.Turn()}
		m, values, err := p.decide(ctx, s, &rec)
		if err != nil {
			return err
		}
		if rec.Proven && p.cfg.Adjudicate == datasets.AdjudicateProven {
			proven := rec
			g.outcome, g.proven = values, &proven
			return nil
		}
		g.records = append(g.records, rec)
		run.Play(m)
	}
	g.outcome, g.truncated = make([]float64, p.cfg.Game.Base().Players), run.Truncated()
	if !g.truncated {
		for i := range g.outcome {
			g.outcome[i] = s.Utility(game.Player(i))
		}
	}
	return nil
}

// decide chooses a move at s and stores it in rec. If the search proves the outcome, decide sets
// rec.Proven and returns the utility of each player.
func (p *player) decide(ctx context.Context, s game.State, rec *datasets.Record) (m game.Move, values []float64, err error) {
	if p.cfg.Explore > 0 && p.dice.Float64() < p.cfg.Explore {
		rec.Explored, m = true, p.dice.Uniform(s)
	} else {
		r, err := search.SearchUninterrupted(ctx, p.seats[s.Turn()], s)
		if err != nil {
			return m, nil, err
		}
		m = r.Move
		values = value(rec, &r, p.cfg.Game)
	}
	rec.Move = s.MoveString(m)
	if _, slips := game.As[*game.Slip](s); !slips {
		rec.Made = rec.Move
	}
	return m, values, nil
}

// value stores the result of a search in rec. If the result proves the outcome, value returns the
// utility of each player. Otherwise, it returns nil.
func value(rec *datasets.Record, r *search.Result, g *game.Game) []float64 {
	rec.Value, rec.HasValue, rec.Depth, rec.Proven = 0, false, 0, false
	if len(r.Values) == 0 { // no score: for example, from the random agent and some external engines
		return nil
	}
	rec.Value, rec.HasValue, rec.Depth = r.Value, true, int32(r.Depth)
	if !r.Exact || !provable(g) {
		return nil
	}
	rec.Proven = true
	values := []float64{r.Value}
	if g.Players == 2 {
		total, _ := g.FixedSum()
		values = append(values, total-r.Value)
		if rec.Mover == 1 {
			slices.Reverse(values)
		}
	}
	for i := range values {
		values[i] += 0 // Adding 0 replaces -0 with 0.
	}
	return values
}
