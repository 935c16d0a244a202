package serve

import (
	"context"
	"errors"
	"fmt"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/session"
)

// fate draws nature's moves at s until a player is to decide; see [session.Drawn]. An agent for
// nature waits for its turn to search and stops with ctx or at the limits. The caller must hold no
// game's lock.
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

// play makes the decision m and nature's moves after it. The game's lock must be held; it is
// released while nature thinks. If that fails, or the game changes meanwhile, no move is made.
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

// aside runs a slow task while the game's lock, which must be held, is released. It cancels the
// task before it, and is itself cancelled when the game changes; stale reports that.
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
