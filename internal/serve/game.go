package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/session"
	"plyfit/search"
)

// openGame is a game that requests share: its session, its seats and the agents' answers. It is
// kept in memory and, if the server has a folder for games, also in a file.
type openGame struct {
	id    string
	world *catalog.World

	used atomic.Int64 // time of the last request, in Unix nanoseconds

	mu      sync.Mutex
	session *session.Session
	pending []game.Move        // chance moves that have been drawn but not yet played
	stop    context.CancelFunc // cancels the running search; may be nil
	shownGame
}

// shownGame contains the information about a game that a page shows in addition to the position.
type shownGame struct {
	Seats   []string    `json:"seats"` // agent spec of each player, or "" for a person
	Below   game.Player `json:"below"`
	Version int         `json:"version"` // number of changes so far
	Luck    []string    `json:"luck"`    // nature's moves since the last decision, in words
	Answer  string      `json:"answer"`  // search result for the last move of an agent
	History []played    `json:"history"`
}

// played is a move in the list of moves.
type played struct {
	By    string
	Move  string // move as shown on the page
	Value string // value found by the search that chose the move; "" if there was no search
	Plies int    `json:"plies"` // number of calls to Play before the move
}

// begin replaces the game's session with a new one. Nature's first moves are in pending.
func (t *openGame) begin(s *session.Session, pending []game.Move) {
	t.install(s)
	t.pending, t.History, t.Answer, t.Luck = pending, nil, "", nil
	t.changed()
	s.Next()
}

// install makes s the session of the game and gives each player a seat.
func (t *openGame) install(s *session.Session) {
	t.session = s
	s.Luck = play.LuckFunc(func(game.State) (m game.Move) {
		m, t.pending = t.pending[0], t.pending[1:]
		return m
	})
	s.Chance = func(m game.Move, slip bool) { t.Luck = append(t.Luck, session.DescribeChance(s.State, m, slip)) }
	seats := make([]string, s.Players())
	copy(seats, t.Seats)
	t.Seats = seats
}

// snapshot returns a copy of the position and the current version.
func (t *openGame) snapshot() (s game.State, version string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.session.State.Clone(), strconv.Itoa(t.Version)
}

// changed increments the version and cancels the running search. The caller holds t.mu.
func (t *openGame) changed() {
	t.Version++
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
}

// play makes the decision m, followed by nature's moves, which are in pending.
func (t *openGame) play(m game.Move, pending []game.Move, answered, value string) {
	s := t.session.State
	t.pending = pending
	t.History = append(t.History, played{By: t.world.Side(s.Turn()), Move: game.Spelled(s, m), Value: value, Plies: t.session.Plies})
	t.Luck, t.Answer = nil, answered
	t.session.Play(m)
	t.changed()
	t.session.Next()
}

// undo returns to a person's last decision. If there is none, it undoes the last decision of any
// player.
func (t *openGame) undo() {
	if !t.session.TakeBack(t.person) && !t.session.TakeBack(func(game.Player) bool { return true }) {
		return
	}
	t.History = slices.DeleteFunc(t.History, func(p played) bool { return p.Plies >= t.session.Plies })
	t.Luck, t.Answer = nil, ""
	t.changed()
}

func (t *openGame) person(p game.Player) bool { return t.Seats[p] == "" }

// firstPerson returns the first player who is a person, or 0 if all players are agents.
func (t *openGame) firstPerson() game.Player { return game.Player(max(0, slices.Index(t.Seats, ""))) }

// mover returns the agent that is to move. ok is false if a person is to move or the game is over.
func (t *openGame) mover() (agent string, ok bool) {
	if t.session.Over() {
		return "", false
	}
	agent = t.Seats[t.session.State.Turn()]
	return agent, agent != ""
}

// ofGame adapts an answer that needs the game specified by the request.
func ofGame(h func(*Server, http.ResponseWriter, *http.Request, *openGame) (any, error)) answer {
	return func(s *Server, w http.ResponseWriter, r *http.Request) (any, error) {
		t := s.games.Get(r.PathValue("id"))
		if t == nil {
			return nil, missing("no such game; the game was closed after a period without use, or the server was restarted")
		}
		t.used.Store(time.Now().UnixNano())
		if r.Method == http.MethodPost {
			defer s.keep(t)
		}
		return h(s, w, r, t)
	}
}

// changing adapts a function that changes the game specified by the request. The game is locked
// while the function runs. The answer shows the resulting board.
func changing(do func(s *Server, r *http.Request, t *openGame) error) answer {
	return ofGame(func(s *Server, w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
		err := func() error {
			t.mu.Lock()
			defer t.mu.Unlock()
			return do(s, r, t)
		}()
		return s.shown(w, r, t, err)
	})
}

// fullyVisible is like ofGame, for answers that reveal the whole position. It rejects games with
// hidden information.
func fullyVisible(h func(*Server, http.ResponseWriter, *http.Request, *openGame) (any, error)) answer {
	return ofGame(func(s *Server, w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
		if t.world.Hidden {
			return nil, errors.New("part of this position is hidden from the player to move, so the position cannot be analysed here")
		}
		return h(s, w, r, t)
	})
}

// search runs an agent's search when a search slot is free.
func (s *Server) search(ctx context.Context, a *catalog.Agent, state game.State, seed uint64) (r search.Result, err error) {
	err = s.turn(ctx, func(ctx context.Context) (err error) {
		r, err = s.runSearch(ctx, a, state, seed)
		return err
	})
	return r, err
}

// runSearch runs a search. The caller holds a search slot.
func (s *Server) runSearch(ctx context.Context, a *catalog.Agent, state game.State, seed uint64) (search.Result, error) {
	agent, err := a.New()
	if err != nil {
		return search.Result{}, err
	}
	defer search.Close(agent)
	agent.Begin(seed)
	r, err := agent.Search(ctx, state)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("agent %s found no move within %v; reduce the agent's depth", a.Name, s.limits.Time)
	}
	return r, err
}

// turn waits for a free search slot and for a slot in each of the other channels, and then calls a
// function, whose context is cancelled after the time limit.
func (s *Server) turn(ctx context.Context, do func(ctx context.Context) error, others ...chan struct{}) error {
	for _, room := range append(others, s.searches) {
		select {
		case room <- struct{}{}:
			defer func() { <-room }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ctx, stop := context.WithTimeout(ctx, s.limits.Time)
	defer stop()
	return do(ctx)
}

// drawChance plays nature's moves in state until a player is to move, and returns them; see
// [session.Drawn]. If nature is an agent, drawChance waits for a search slot and observes ctx and
// the time limit. The caller must not hold the lock of a game.
func (s *Server) drawChance(ctx context.Context, w *catalog.World, state game.State, seed uint64, plies int) (pending []game.Move, err error) {
	nature, thinks := game.Pondering(state)
	draw := func(ctx context.Context) error {
		for ; state.Turn() == game.Chance && plies < w.MaxPlies; plies++ {
			if thinks {
				if err := nature.Ponder(ctx); err != nil {
					return err
				}
			}
			m := session.Drawn(state, seed, plies)
			pending = append(pending, m)
			state.Play(m)
		}
		return nil
	}
	if !thinks || state.Turn() != game.Chance {
		return pending, draw(ctx)
	}
	err = s.turn(ctx, draw, s.natures) // nature may use at most half of the search slots
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s: nature found no move within %v, so no move was made; reduce the depth of nature's agent", w.Spec, s.limits.Time)
	}
	return pending, err
}

// play makes the decision m, followed by nature's moves. The caller holds the game's lock, which is
// released while nature thinks. If nature fails or the game changes in the meantime, no move is
// made.
func (s *Server) play(ctx context.Context, t *openGame, m game.Move, answered, value string) error {
	after := t.session.State.Clone()
	after.Play(m)
	plies := t.session.Plies + 1
	var pending []game.Move
	draw := func(ctx context.Context) (err error) {
		pending, err = s.drawChance(ctx, t.world, after, t.session.Seed, plies)
		return err
	}
	if _, thinks := game.Pondering(after); !thinks {
		if err := draw(ctx); err != nil {
			return err
		}
	} else if stale, err := t.unlocked(ctx, draw); err != nil || stale {
		return err
	}
	t.play(m, pending, answered, value)
	return nil
}

// unlocked calls a function with the game's lock released. The caller holds the lock. The game's
// previous task is cancelled first, and the function's context is cancelled when the game changes.
// Finally, unlocked reports whether the game has changed (in stale).
func (t *openGame) unlocked(ctx context.Context, do func(ctx context.Context) error) (stale bool, err error) {
	if t.stop != nil {
		t.stop()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t.stop = stop
	version := t.Version
	func() {
		t.mu.Unlock()
		defer t.mu.Lock()
		err = do(ctx)
	}()
	return t.Version != version, cmp.Or(err, ctx.Err())
}
