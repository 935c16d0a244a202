package serve

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/session"
	"plyfit/search"
)

var playRoutes = []route{
	{"GET /{$}", (*Server).home, "home.html"},
	{"GET /at", (*Server).at, "at.html"},
	{"POST /tables", (*Server).open, ""},
	{"GET /tables/{id}", ofGame((*Server).gamePage), "play.html|table"},
	{"POST /tables/{id}/move", changing((*Server).move), "table"},
	{"POST /tables/{id}/answer", changing((*Server).answer), "table"},
	{"POST /tables/{id}/undo", changing((*Server).undo), "table"},
	{"POST /tables/{id}/flip", changing((*Server).flip), "table"},
	{"POST /tables/{id}/seats", changing((*Server).seats), "table"},
	{"POST /tables/{id}/position", ofGame((*Server).place), "table"},
	{"POST /tables/{id}/think", bare((*Server).think), "thought"},
}

// base is the name of the game of a spec.
func base(spec string) string {
	name, _, _ := strings.Cut(spec, ":")
	name, _, _ = strings.Cut(name, "+")
	return name
}

// functions are those that page templates call.
func (s *Server) functions() template.FuncMap {
	return template.FuncMap{
		"asset":  func(name string) string { return "/assets/" + name + "?v=" + s.assets[name].digest },
		"number": number,
		"signed": signed, "base": base, "file": filepath.Base,
		"alone": func(game string) bool { // reports whether the game has one player
			w, err := s.config.Catalog.World(game)
			return err == nil && w.Players == 1
		},
		"heading": func(spec string) string { // of a game: its title, with the spec where it says more
			e, err := s.config.Catalog.Entry(base(spec))
			switch {
			case err != nil:
				return spec
			case e.Name != spec:
				return e.Heading() + ", " + spec
			}
			return e.Heading()
		},
		"inc":     func(i int) int { return i + 1 },
		"percent": func(x float64) float64 { return 100 * x },
	}
}

// head is the data common to all pages.
type head struct {
	Title string
	Tab   string // of the navigation
	Runs  bool   // there is a folder of runs
	Learn bool   // pages may start runs
}

func (s *Server) head(title, tab string) head {
	return head{title, tab, s.config.Runs != "" && !s.config.Learn, s.config.Learn}
}

// offered are the evaluations that agents of w may use: shipped ones and files of the permitted
// folder.
func (s *Server) offered(w *catalog.World) []string {
	names := append([]string{"zero"}, w.Entry.ModelNames()...)
	files, err := os.ReadDir(s.limits.Models)
	if err == nil { // else none can be had: there is no folder, or not any more
		for _, f := range files {
			if path := filepath.Join(s.limits.Models, f.Name()); filepath.Ext(path) == ".json" {
				names = append(names, path)
			}
		}
	}
	return names
}

// gamePage is a game's page, or on request the board alone.
func (s *Server) gamePage(_ http.ResponseWriter, _ *http.Request, t *openGame) (any, error) {
	return s.view(t), nil
}

// shown answers a request to change the game with the board as a fragment, or, without scripts,
// with the page. If another request canceled this one (err), it shows the current board.
func (s *Server) shown(w http.ResponseWriter, r *http.Request, t *openGame, err error) (any, error) {
	if err != nil && (err != context.Canceled || r.Context().Err() != nil) {
		return nil, err
	}
	if !fragment(r) {
		http.Redirect(w, r, "/tables/"+t.id, http.StatusSeeOther)
		return nil, nil
	}
	w.Header().Set("HX-Trigger", "moved")
	return s.view(t), nil
}

// open begins a game: game=SPEC, position=P, seat0=, seat1= ... (an agent's spec, or empty for a
// person), others= the agent on all seats but the first, and move=M for a person's first move.
func (s *Server) open(w http.ResponseWriter, r *http.Request) (any, error) {
	world, err := s.config.Catalog.World(r.PostFormValue("game"))
	if err != nil {
		return nil, err
	}
	seats, err := s.chosenSeats(world, r)
	if err != nil {
		return nil, err
	}
	seed := rand.Uint64N(1 << 53)
	if text := r.PostFormValue("seed"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, fmt.Errorf("seed %q: want a whole number", text)
		}
	}
	begun, lots, err := s.start(r, world, seed)
	if err != nil {
		return nil, err
	}
	t := &openGame{world: world, shownGame: shownGame{Seats: seats}}
	t.begin(begun, lots)
	t.Below = t.firstPerson() // who sees the board from his side
	if text := r.PostFormValue("move"); text != "" {
		t.mu.Lock()
		err := s.decide(r.Context(), t, text)
		t.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
	t.id = strings.ToLower(crand.Text()[:16])
	t.used.Store(time.Now().UnixNano())
	if !s.games.Put(t.id, t) {
		return nil, refusal{http.StatusServiceUnavailable, errors.New("too many games are open on this server: want fewer, or wait until one is forgotten")}
	}
	s.keep(t)
	http.Redirect(w, r, "/tables/"+t.id, http.StatusSeeOther)
	return nil, nil
}

// start begins a game at position=P; lots are nature's first moves.
func (s *Server) start(r *http.Request, w *catalog.World, seed uint64) (begun *session.Session, lots []game.Move, err error) {
	if begun, err = session.New(w.Game, strings.TrimSpace(r.PostFormValue("position")), seed); err == nil {
		lots, err = s.fate(r.Context(), w, begun.State.Clone(), seed, 0)
	}
	return begun, lots, err
}

func (s *Server) chosenSeats(w *catalog.World, r *http.Request) ([]string, error) {
	seats := make([]string, max(w.Players, 16)) // positions of a game may have players of their own number
	for p := range seats {
		text := strings.TrimSpace(r.PostFormValue(fmt.Sprintf("seat%d", p)))
		if text == "" && p > 0 && p < w.Players {
			text = r.PostFormValue("others")
		}
		if text == "" || text == "human" {
			continue
		}
		if _, err := w.Agent(text, catalog.AgentOptions{}); err != nil {
			return nil, err
		}
		seats[p] = text
	}
	return seats, nil
}

// old reports whether the board has changed since the page showed it, by version=. A second click then
// does nothing.
func (t *openGame) old(r *http.Request) bool {
	version := r.PostFormValue("version")
	return version != "" && version != strconv.Itoa(t.Version)
}

// move makes a person's move: move=M in the game's notation.
func (s *Server) move(r *http.Request, t *openGame) error {
	if t.old(r) {
		return nil
	}
	return s.decide(r.Context(), t, r.PostFormValue("move"))
}

// decide makes a person's move.
func (s *Server) decide(ctx context.Context, t *openGame, text string) error {
	if t.session.Over() {
		return fmt.Errorf("the game is over: want undo, or a new game")
	}
	if agent, ok := t.mover(); ok {
		return fmt.Errorf("%s is to move, who is %s", t.world.Seat(t.session.State.Turn()), agent)
	}
	m, err := t.world.ParseMove(t.session.State, strings.TrimSpace(text))
	if err != nil {
		return err
	}
	return s.play(ctx, t, m, "", "")
}

// answer makes the move of the agent to decide, if one is. The search ends with the request.
func (s *Server) answer(r *http.Request, t *openGame) error {
	spec, ok := t.mover()
	if !ok || t.old(r) {
		return nil
	}
	res, stale, err := s.begin(r.Context(), t, spec)
	if err != nil || stale {
		return err
	}
	answered, value := describe(t.world, t.session.State, &res)
	if t.world.Hidden { // its value and line would reveal what it holds
		answered, value = game.Spelled(t.session.State, res.Move), ""
	}
	return s.play(r.Context(), t, res.Move, t.world.Side(t.session.State.Turn())+", "+named(t.world, spec)+": "+answered, value)
}

// begin has the agent of a spec search the position and cancels the game's running search; stale reports
// that the game has changed meanwhile. The game's lock must be held; it is released meanwhile.
func (s *Server) begin(ctx context.Context, t *openGame, spec string) (r search.Result, stale bool, err error) {
	state, seed := t.session.State.Clone(), game.Seed(t.session.Seed, game.StreamSeat, uint64(t.session.Plies))
	stale, err = t.aside(ctx, func(ctx context.Context) error {
		agent, err := t.world.Agent(spec, catalog.AgentOptions{})
		if err == nil {
			r, err = s.search(ctx, agent, state, seed)
		}
		return err
	})
	return r, stale, err
}

// describe formats a search's answer and its value.
func describe(w *catalog.World, s game.State, r *search.Result) (answered, value string) {
	answered = game.Spelled(s, r.Move)
	if len(r.Values) > 0 {
		value = valued(w, r.Value)
		answered += ", value " + value
		if u := unit(w); u != "" {
			answered += " " + u
		}
	}
	if r.Nodes > 0 {
		answered += fmt.Sprintf(", depth %d, %d nodes", r.Depth, r.Nodes)
	}
	if line := session.Line(s, r.PV, game.Spelled); len(line) > 1 {
		answered += ", line " + strings.Join(line, " ")
	}
	return answered, value
}

func (s *Server) undo(_ *http.Request, t *openGame) error {
	t.undo()
	return nil
}

// flip turns the board to the next player.
func (s *Server) flip(_ *http.Request, t *openGame) error {
	t.Below = (t.Below + 1) % game.Player(max(len(t.Seats), 2))
	return nil
}

func (s *Server) seats(r *http.Request, t *openGame) error {
	seats, err := s.chosenSeats(t.world, r)
	if err == nil {
		copy(t.Seats, seats)
		t.changed()
	}
	return err
}

// place sets up position=P; "" is the game's start.
func (s *Server) place(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	t.mu.Lock()
	seed := t.session.Seed
	t.mu.Unlock()
	begun, lots, err := s.start(r, t.world, seed)
	if err == nil {
		t.mu.Lock()
		t.begin(begun, lots)
		t.mu.Unlock()
	}
	return s.shown(w, r, t, err)
}

type rootMove struct {
	Move, Sign, Value string
	Best              bool
}

type thought struct {
	Agent, Answered string
	Unit            string // of values
	Moves           []rootMove
	Seconds         float64
}

// think searches with agent=SPEC and lists what it found of every move.
func (s *Server) think(_ http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session.Over() {
		return nil, errors.New("the game is over: there is nothing to search")
	}
	spec := cmp.Or(strings.TrimSpace(r.PostFormValue("agent")), t.world.Planner())
	res, stale, err := s.begin(r.Context(), t, spec)
	if stale || errors.Is(err, context.Canceled) {
		err = refusal{http.StatusConflict, errors.New("something else was asked of this game, and this search ended: want it again")}
	}
	if err != nil {
		return nil, err
	}
	state := t.session.State
	v := thought{Agent: spoken(spec), Unit: unit(t.world), Seconds: res.Elapsed.Seconds()}
	v.Answered, _ = describe(t.world, state, &res)
	for _, m := range res.Root {
		v.Moves = append(v.Moves, rootMove{game.Spelled(state, m.Move), relation[m.Kind], valued(t.world, m.Value), m.Move == res.Move})
	}
	return v, nil
}
