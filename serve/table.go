package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/search"
)

// table is a game at play: its position, who sits where, and what was told of it. It
// lives in memory alone.
type table struct {
	id    string
	world *catalog.World

	used atomic.Int64 // when it was last asked for, in nanoseconds of Unix's time
	seed uint64

	mu      sync.Mutex
	episode play.Episode
	lots    []game.Move // nature's next moves, which were drawn before
	begun   string      // the position that it began from, "" for the game's start
	players int
	seats   []string // an agent's spec by player, "" for a person
	below   game.Player
	version int                // counts what changed
	stop    context.CancelFunc // of the search under way
	luck    []string           // what nature did since the last decision
	told    string             // of the last decision of an agent
	history []played
}

// played is a decision as it is listed.
type played struct {
	By    string
	Move  string
	Value string // by the search that chose it; "" for none
	plies int    // calls of Play before it
}

// tables are the games at play by their names.
type tables struct {
	mu  sync.Mutex
	all map[string]*table
}

var errFull = errors.New("too many games are open on this server: want fewer, or wait until one is forgotten")

// add keeps t under a new name. Where there is no room, tables that nobody has used for
// long make some; gone are their names.
func (ts *tables) add(t *table, l Limits, now time.Time) (gone []string, err error) {
	t.id = strings.ToLower(rand.Text()[:16])
	t.used.Store(now.UnixNano())
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if len(ts.all) >= l.Tables {
		for id, other := range ts.all {
			if now.Sub(time.Unix(0, other.used.Load())) > l.Idle {
				delete(ts.all, id)
				gone = append(gone, id)
			}
		}
	}
	if len(ts.all) >= l.Tables {
		return gone, errFull
	}
	ts.all[t.id] = t
	return gone, nil
}

func (ts *tables) get(id string) *table {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.all[id]
}

// seat seats agents by their specs, "" for persons.
func (t *table) seat(seats []string) {
	copy(t.seats, seats)
	for p, seat := range t.seats { // a person sees the board from his side
		if seat == "" {
			t.below = game.Player(p)
			break
		}
	}
}

// begin puts a position on the table, with as many seats as it has players; lots are what
// nature does first.
func (t *table) begin(s game.State, begun string, lots []game.Move) {
	t.begun = begun
	t.players = game.ShapeOf(t.world.Game, s).Players
	seats := make([]string, t.players)
	copy(seats, t.seats)
	t.seats = seats
	t.episode = play.Episode{Luck: play.LuckFunc(t.draw), Chance: t.tell, Keep: true}
	t.lots = lots
	t.episode.Begin(s, 0, t.world.MaxPlies)
	t.history, t.told, t.luck = nil, "", nil
	t.changed()
	t.episode.Next()
}

// now is a copy of the position on the table, and its version.
func (t *table) now() (s game.State, version string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.episode.State.Clone(), strconv.Itoa(t.version)
}

// changed ends a search that was begun before.
func (t *table) changed() {
	t.version++
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
}

// draw is nature's move, the next of the lots.
func (t *table) draw(game.State) (m game.Move) {
	m, t.lots = t.lots[0], t.lots[1:]
	return m
}

// tell notes what nature is about to do.
func (t *table) tell(m game.Move, slip bool) {
	s := t.episode.State
	text := s.MoveString(m)
	if slip {
		world, _ := game.As[*game.Slip](s)
		if intended, _ := world.Intended(); intended == m {
			text = "the hand is steady"
		} else {
			text = "the hand slips: " + text + " instead of " + s.MoveString(intended)
		}
	}
	t.luck = append(t.luck, text)
}

// play makes the decision m of the player to move, and then nature's moves, the lots.
func (t *table) play(m game.Move, lots []game.Move, told, value string) {
	s := t.episode.State
	t.lots = lots
	t.history = append(t.history, played{By: t.world.Seat(s.Turn()), Move: s.MoveString(m), Value: value, plies: t.episode.Plies})
	t.luck, t.told = nil, told
	t.episode.Play(m)
	t.changed()
	t.episode.Next()
}

// undo goes back to a person's last decision, or one move where nobody sits here.
func (t *table) undo() {
	last := len(t.history) - 1
	for k := last; k >= 0; k-- {
		if t.seats[t.seatOf(t.history[k])] == "" {
			last = k
			break
		}
	}
	if last < 0 {
		return
	}
	for t.episode.Plies > t.history[last].plies {
		t.episode.Undo()
	}
	t.history, t.luck, t.told = t.history[:last], nil, ""
	t.changed()
}

// seatOf is the player of a decision that was made.
func (t *table) seatOf(m played) game.Player {
	for p := range t.players {
		if t.world.Seat(game.Player(p)) == m.By {
			return game.Player(p)
		}
	}
	return 0
}

// mover is the agent who is to decide; ok is false where a person is, or nobody.
func (t *table) mover() (agent string, ok bool) {
	if t.episode.Over() {
		return "", false
	}
	agent = t.seats[t.episode.State.Turn()]
	return agent, agent != ""
}

// seated finds the table that a request names.
func (s *Server) seated(h func(*Server, http.ResponseWriter, *http.Request, *table)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		t := s.tables.get(r.PathValue("id"))
		if t == nil {
			refuse(w, r, http.StatusNotFound, "no such game here: it was cleared away after a while, or the server was started anew")
			return
		}
		t.used.Store(time.Now().UnixNano())
		h(s, w, r, t)
	}
}

// search has an agent search a position in its turn.
func (s *Server) search(ctx context.Context, a *catalog.Agent, state game.State, seed uint64) (r search.Result, err error) {
	err = s.turn(ctx, func(ctx context.Context) (err error) {
		r, err = s.found(ctx, a, state, seed)
		return err
	})
	return r, err
}

// found is what an agent finds of a position, in whose turn it is.
func (s *Server) found(ctx context.Context, a *catalog.Agent, state game.State, seed uint64) (search.Result, error) {
	agent, err := a.New()
	if err != nil {
		return search.Result{}, err
	}
	defer search.Close(agent)
	agent.Begin(seed)
	r, err := agent.Search(ctx, state)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("agent %s: found nothing within %v: want fewer moves ahead", a.Name, s.limits.Time)
	}
	return r, err
}

// turn waits for room to search in, and for a place in the other rooms, and then does
// what takes long: as long as ctx lasts, and at most for as long as the limits allow.
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

// number prints x as a person reads it: up to four significant digits, more where a
// whole number has them.
func number(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Sprint(x)
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return fmt.Sprintf("%.0f", x+0)
	}
	return fmt.Sprintf("%.4g", x)
}

// signed is number with a plus sign where x is positive.
func signed(x float64) string {
	if x > 0 {
		return "+" + number(x)
	}
	return number(x)
}
