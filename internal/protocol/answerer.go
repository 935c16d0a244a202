package protocol

import (
	"cmp"
	"context"
	"plyfit/internal/program"
	"slices"
	"time"

	"plyfit/features"
	"plyfit/game"
	"plyfit/search"
)

// AnswererConfig configures [NewAnswerer].
type AnswererConfig struct {
	Game    *game.Game
	Command program.Command
	Limits               // time limits; if Answer is 0, the limit is 30 s
	Terms   features.Set // feature set whose terms are sent after each move; nil means no terms
}

// An answerer is an agent that asks a program for its moves, using lines of JSON.
type answerer struct {
	cfg    AnswererConfig
	player Player
	names  map[int32]string // names of the reported terms by index
	seed   uint64
	asked  int
}

var _ search.Agent = (*answerer)(nil)

// NewAnswerer returns an agent that asks a program for each move. It reports no values. The caller
// must close it with [search.Close].
func NewAnswerer(cfg AnswererConfig) search.Agent {
	cfg.Answer = cmp.Or(cfg.Answer, Timeout)
	a := &answerer{cfg: cfg}
	if cfg.Terms != nil {
		a.names = named(cfg.Terms)
	}
	a.player = Player{
		Name:  cfg.Command.Name(),
		Greet: func(context.Context, *program.Engine) error { return nil },
		Clear: func(context.Context, *program.Engine) error { return nil },
		Ask:   a.ask,
	}
	return a
}

// Begin implements [search.Agent]. Each episode starts a new process.
func (a *answerer) Begin(seed uint64) {
	a.player.Close()
	a.player.Launcher = &program.Launcher{Command: a.cfg.Command} // a new Launcher, so that an earlier failure to start is forgotten
	a.seed, a.asked = seed, 0
	a.player.Begin(seed)
}

func (a *answerer) Search(ctx context.Context, s game.State) (search.Result, error) {
	if a.player.Launcher == nil {
		a.Begin(0)
	}
	return a.player.Search(ctx, s)
}

// Close ends the program.
func (a *answerer) Close() error { return a.player.Close() }

func (a *answerer) ask(ctx context.Context, e *program.Engine, s game.State) (search.Result, error) {
	r := search.Result{Move: game.NoMove}
	a.asked++
	q := Question{ID: a.asked, Ask: AskMove, Game: a.cfg.Game.Base().Spec, Position: s.String(), Player: int(s.Turn())}
	q.Seed = uint32(game.Seed(a.seed, uint64(a.asked)) >> 32)
	h, hidden := game.As[game.HiddenState](s)
	if hidden = hidden && a.cfg.Game.Hidden; hidden {
		q.Position = h.Info(s.Turn())
	}
	moves := s.Moves(nil)
	for _, m := range moves {
		q.Moves = append(q.Moves, s.MoveString(m))
		if !hidden {
			q.After = append(q.After, a.after(s, m))
		}
	}
	var name string
	begun := time.Now()
	if err := exchange(ctx, e, a.cfg.Limits, &q, &name); err != nil {
		return r, err
	}
	r.Elapsed = time.Since(begun)
	i := slices.Index(q.Moves, name)
	if i < 0 {
		return r, e.Wrong(name, q.Position)
	}
	r.Move = moves[i]
	r.PV = []game.Move{r.Move}
	return r, nil
}

func (a *answerer) after(s game.State, m game.Move) (out After) {
	mover := s.Turn()
	s.Play(m)
	defer s.Undo()
	out.Position = s.String()
	set := a.cfg.Terms
	switch {
	case s.Turn() == game.Nobody:
		u := s.Utility(mover)
		out.Utility = &u
	case set != nil:
		out.Terms = map[string]float64{}
		for _, t := range set.Extract(s, mover, nil).Merge() {
			if name := a.names[t.Index]; t.Value != 0 && name != "" {
				out.Terms[name] = float64(t.Value)
			}
		}
	}
	return out
}

// named returns the names of a set's features by index. Features in tables have no names.
func named(set features.Set) map[int32]string {
	names, first := map[int32]string{}, 0
	for _, b := range set.Blocks() {
		for i := 0; i < b.Len && !b.Table; i++ {
			names[int32(first+i)] = b.FeatureName(i)
		}
		first += b.Len
	}
	return names
}
