package arena

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/search"
)

// Run plays the match, or resumes it from cfg.Out. The result does not depend on the number of
// workers or on interruptions. If ctx is cancelled, Run returns the result of the finished pairs
// and the error of ctx.
func Run(ctx context.Context, cfg Config) (Result, error) {
	m, err := newMatch(cfg)
	if err != nil {
		return Result{}, err
	}
	return m.run(ctx)
}

type match struct {
	cfg    Config
	layout layout
}

func newMatch(cfg Config) (*match, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m := &match{cfg: cfg}
	if cfg.Referee != nil {
		m.layout = refereed
		return m, m.cfg.choose(m.layout)
	}
	s, _, err := m.start(0)
	if err != nil {
		return nil, err
	}
	if m.layout, err = layoutOf(&m.cfg, s); err != nil {
		return nil, err
	}
	if err := m.cfg.choose(m.layout); err != nil {
		return nil, err
	}
	for i := range cfg.Openings.Positions {
		s, text, err := m.start(i)
		switch {
		case err != nil:
			return nil, fmt.Errorf("opening %d: %w", i+1, err)
		case s.Turn() < 0 && len(s.Moves(nil)) == 0:
			return nil, fmt.Errorf("opening %d: the game is over at %s; want a position with legal moves", i+1, text)
		}
		if l, _ := layoutOf(&m.cfg, s); len(l.seats) != len(m.layout.seats) {
			return nil, fmt.Errorf("opening %d: the game has %d players; want %d, as in the first opening", i+1, l.shape.Players, m.layout.shape.Players)
		}
	}
	return m, nil
}

func (m *match) entrant(side int) search.Factory {
	switch side {
	case sideA:
		return m.cfg.A
	case sideB:
		return m.cfg.B
	}
	return *m.cfg.Nature
}

// The entrants, as numbered in records.
const (
	sideA = iota
	sideB
	sideNature
)

// A layout describes how the games of a pair are seated and scored.
type layout struct {
	mode        Mode
	shape       game.Shape
	seats       [][]int // entrant in each seat, by game
	loss        float64 // utility of a player who loses by a fault
	win         float64 // utility of each other player in that case
	even        float64 // utility of all players in a truncated multiplayer game
	least, most float64 // bounds of all utilities; very large if the game has none
	scored      bool    // utilities are points collected during the game
}

func layoutOf(cfg *Config, s game.State) (layout, error) {
	l := layout{shape: game.ShapeOf(cfg.Game, s)}
	_, l.scored = game.As[game.Scorer](s)
	adversary, hostile := game.As[*game.Adversary](s)
	solo := hostile && adversary.Solo()
	switch {
	case solo && cfg.Nature == nil:
		return l, fmt.Errorf("%s: want an agent for nature", cfg.Game.Spec)
	case !solo && cfg.Nature != nil:
		return l, fmt.Errorf("%s: chance or a player makes nature's moves; want no agent for nature", cfg.Game.Spec)
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
				seats := slices.Repeat([]int{1 - alone}, n)
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
	if cfg.Game == nil || cfg.Referee == nil && (cfg.A.New == nil || cfg.B.New == nil) {
		panic("arena: the match has no game or no entrants")
	}
	if cfg.Workers <= 0 {
		cfg.Workers = 1
	}
	cfg.Margin = cmp.Or(cfg.Margin, 100*time.Millisecond)
	switch {
	case cfg.Pairs <= 0:
		return fmt.Errorf("pairs=%d: want at least 1", cfg.Pairs)
	case cfg.Openings.Plies < 0:
		return fmt.Errorf("opening plies=%d: want at least 0", cfg.Openings.Plies)
	case cfg.Openings.Fixed && (cfg.Openings.Plies > 0 || len(cfg.Openings.Positions) == 0):
		return fmt.Errorf("fixed openings: want a list of positions and no random plies")
	case cfg.Openings.Fixed && cfg.Pairs < len(cfg.Openings.Positions):
		return fmt.Errorf("fixed openings: %d pairs for %d openings; want at least one pair per opening", cfg.Pairs, len(cfg.Openings.Positions))
	case cfg.Referee != nil && (cfg.Openings.Plies > 0 || cfg.Openings.Positions != nil || cfg.MoveTime > 0 || cfg.Nature != nil || cfg.Adjudicate != nil):
		return fmt.Errorf("referee: a referee cannot be combined with openings, an agent for nature, a move time limit or adjudication")
	case cfg.Measure != "" && cfg.Measure != Wins && cfg.Measure != Utility:
		return fmt.Errorf("measure %q: want %s or %s", cfg.Measure, Wins, Utility)
	}
	return nil
}

// choose sets the measure and the test and checks that the layout supports them.
func (cfg *Config) choose(l layout) error {
	if cfg.Measure == "" {
		cfg.Measure = Utility
		if l.mode == Duel && l.shape.Max-l.shape.Min <= 2 {
			cfg.Measure = Wins
		}
	}
	if cfg.Measure == Wins && l.mode != Duel {
		return fmt.Errorf("%s: only two-player games are scored in points; want measure %s", cfg.Game.Spec, Utility)
	}
	if cfg.Adjudicate != nil {
		if l.mode != Duel || cfg.Measure != Wins || l.shape.Sum == game.General {
			return fmt.Errorf("%s: only two-player games with a win, draw or loss can be adjudicated; want measure %s", cfg.Game.Spec, Wins)
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
