package serve

import (
	"context"
	"errors"
	"fmt"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/session"
)

// fate draws what nature does at s, which it plays on, until a player is to decide, as
// [session.Drawn] has it. Where nature is an agent, it searches as all others do: in its turn, as long as
// ctx lasts, and at most for as long as the limits allow. The lock of no game may be held
// then.
func (s *Server) fate(ctx context.Context, w *catalog.World, state game.State, seed uint64, plies int) (lots []game.Move, err error) {
	nature, thinks := game.Pondering(state)
	draw := func(ctx context.Context) error {
		for ; state.Turn() == game.Chance && plies < w.MaxPlies; plies++ {
			if thinks {
				if err := nature.Ponder(ctx); err != nil {
					return err
				}
			}
			m := session.Drawn(state, seed, plies)
			lots = append(lots, m)
			state.Play(m)
		}
		return nil
	}
	if !thinks || state.Turn() != game.Chance {
		return lots, draw(ctx)
	}
	err = s.turn(ctx, draw, s.natures) // at most half of the room for searches is nature's
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s: nature found nothing within %v, so nothing was moved: want one that looks fewer moves ahead", w.Spec, s.limits.Time)
	}
	return lots, err
}

// play makes the decision m of a game, and nature's moves after it. The game's lock
// must be held; it is released while nature thinks, if it does. Where that comes to
// nothing, or the game changes meanwhile, no move is made.
func (s *Server) play(ctx context.Context, t *openGame, m game.Move, told, value string) error {
	after := t.session.State.Clone()
	after.Play(m)
	plies := t.session.Plies + 1
	var lots []game.Move
	draw := func(ctx context.Context) (err error) {
		lots, err = s.fate(ctx, t.world, after, t.session.Seed, plies)
		return err
	}
	if _, thinks := game.Pondering(after); !thinks {
		if err := draw(ctx); err != nil {
			return err
		}
	} else if stale, err := t.aside(ctx, draw); err != nil || stale {
		return err
	}
	t.play(m, lots, told, value)
	return nil
}

// aside does what takes long while the game's lock, which must be held, is released. What
// was done so before ends, and so does this once the game changes. It reports whether
// the game has changed meanwhile.
func (t *openGame) aside(ctx context.Context, do func(ctx context.Context) error) (stale bool, err error) {
	if t.stop != nil {
		t.stop()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t.stop = stop
	version := t.version
	func() {
		t.mu.Unlock()
		defer t.mu.Lock()
		err = do(ctx)
	}()
	if err == nil {
		err = ctx.Err()
	}
	return t.version != version, err
}
