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
	{"POST /tables/{id}/think", fullyVisible((*Server).think), "thought"},
}

// base returns the name of a spec's game.
func base(spec string) string {
	name, _, _ := strings.Cut(spec, ":")
	name, _, _ = strings.Cut(name, "+")
	return name
}

// functions returns the functions that page templates call.
func (s *Server) functions() template.FuncMap {
	return template.FuncMap{
		"asset":  func(name string) string { return "/assets/" + name + "?v=" + s.assets[name].digest },
		"number": number,
		"signed": signed, "base": base, "file": filepath.Base,
		"alone": func(game string) bool { // reports whether the game has one player
			w, err := s.config.Catalog.World(game)
			return err == nil && w.Players == 1
		},
		"heading": func(spec string) string { // title of the game, followed by the spec if it has options
			w, err := s.config.Catalog.World(spec)
			switch {
			case err != nil:
				return spec
			case w.Label() != w.Entry.Name && w.Entry.Rules == nil:
				return w.Entry.Heading() + ", " + spec
			}
			return w.Entry.Heading()
		},
		"inc":     func(i int) int { return i + 1 },
		"percent": func(x float64) float64 { return 100 * x },
	}
}

// head is the data that all pages share.
type head struct {
	Title string
	Tab   string // current entry of the navigation
	Runs  bool   // whether to link to the list of runs
	Learn bool   // whether pages may start runs
}

func (s *Server) head(title, tab string) head {
	return head{title, tab, s.config.Runs != "" && !s.config.Learn, s.config.Learn}
}

// offered lists the evaluations that agents of w may use: zero, the shipped models, and the files
// in the models folder.
func (s *Server) offered(w *catalog.World) []string {
	names := append([]string{"zero"}, w.Entry.ModelNames()...)
	files, err := os.ReadDir(s.limits.Models)
	if err == nil { // without a readable folder, only shipped models are offered
		for _, f := range files {
			if path := filepath.Join(s.limits.Models, f.Name()); filepath.Ext(path) == ".json" {
				names = append(names, path)
			}
		}
	}
	return names
}

// gamePage shows a game's page, or only its board if the request asks for a fragment.
func (s *Server) gamePage(_ http.ResponseWriter, _ *http.Request, t *openGame) (any, error) {
	return s.view(t), nil
}

// shown responds to a request that has changed the game. It returns the board as a fragment, or
// redirects to the page if the browser does not run scripts. If err shows that another request
// cancelled this one, the response is the current board.
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

// open starts a game. The request contains game=SPEC, position=P, and an agent spec for each seat
// (seat0=, seat1= and so on; empty for a person). others= can specify the agent for all seats
// except the first, and move= a person's first move.
func (s *Server) open(w http.ResponseWriter, r *http.Request) (any, error) {
	world, err := s.opening.World(r.PostFormValue("game"))
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
	begun, pending, err := s.start(r, world, seed)
	if err != nil {
		return nil, err
	}
	t := &openGame{world: world, shownGame: shownGame{Seats: seats}}
	t.begin(begun, pending)
	t.Below = t.firstPerson() // the first person's side is at the bottom of the board
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
		return nil, refusal{http.StatusServiceUnavailable, errors.New("too many games are open on this server; try again later")}
	}
	s.keep(t)
	http.Redirect(w, r, "/tables/"+t.id, http.StatusSeeOther)
	return nil, nil
}

// start creates a game at position=P. Nature's first moves are in pending.
func (s *Server) start(r *http.Request, w *catalog.World, seed uint64) (begun *session.Session, pending []game.Move, err error) {
	if begun, err = session.New(w.Game, strings.TrimSpace(r.PostFormValue("position")), seed); err == nil {
		pending, err = s.drawChance(r.Context(), w, begun.State.Clone(), seed, 0)
	}
	return begun, pending, err
}

func (s *Server) chosenSeats(w *catalog.World, r *http.Request) ([]string, error) {
	seats := make([]string, max(w.Players, 16)) // the position may have a different number of players
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

// outdated reports whether the board has changed since the page with version= was shown. A second
// click on such a page has no effect.
func (t *openGame) outdated(r *http.Request) bool {
	version := r.PostFormValue("version")
	return version != "" && version != strconv.Itoa(t.Version)
}

// move makes a person's move, given as move=M in the game's notation.
func (s *Server) move(r *http.Request, t *openGame) error {
	if t.outdated(r) {
		return nil
	}
	return s.decide(r.Context(), t, r.PostFormValue("move"))
}

// decide makes a person's move. The caller holds the game's lock.
func (s *Server) decide(ctx context.Context, t *openGame, text string) error {
	if t.session.Over() {
		return fmt.Errorf("the game is over; undo a move or start a new game")
	}
	if agent, ok := t.mover(); ok {
		return fmt.Errorf("%s is to move but is played by %s", t.world.Seat(t.session.State.Turn()), agent)
	}
	m, err := t.world.ParseMove(t.session.State, strings.TrimSpace(text))
	if err != nil {
		return err
	}
	return s.play(ctx, t, m, "", "")
}

// answer makes an agent's move if an agent is to move. The search ends with the request.
func (s *Server) answer(r *http.Request, t *openGame) error {
	spec, ok := t.mover()
	if !ok || t.outdated(r) {
		return nil
	}
	res, stale, err := s.begin(r.Context(), t, spec)
	if err != nil || stale {
		return err
	}
	answered, value := describe(t.world, t.session.State, &res)
	if t.world.Hidden { // the value and the line of the search would reveal hidden information
		answered, value = game.Spelled(t.session.State, res.Move), ""
	}
	return s.play(r.Context(), t, res.Move, t.world.Side(t.session.State.Turn())+", "+named(t.world, spec)+": "+answered, value)
}

// begin cancels the game's running search and starts a search by the given agent. The caller holds
// the game's lock, which is released during the search. Finally, begin reports whether the game has
// changed in the meantime (in stale).
func (s *Server) begin(ctx context.Context, t *openGame, spec string) (r search.Result, stale bool, err error) {
	state, seed := t.session.State.Clone(), game.Seed(t.session.Seed, game.StreamSeat, uint64(t.session.Plies))
	stale, err = t.unlocked(ctx, func(ctx context.Context) error {
		agent, err := t.world.Agent(spec, catalog.AgentOptions{})
		if err == nil {
			r, err = s.search(ctx, agent, state, seed)
		}
		return err
	})
	return r, stale, err
}

// describe formats the move that a search found, with its details, and its value.
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

// flip turns the board so that the next player is at the bottom.
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

// place sets up position=P. An empty position means the start of the game.
func (s *Server) place(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	t.mu.Lock()
	seed := t.session.Seed
	t.mu.Unlock()
	begun, pending, err := s.start(r, t.world, seed)
	if err == nil {
		t.mu.Lock()
		t.begin(begun, pending)
		t.mu.Unlock()
	}
	return s.shown(w, r, t, err)
}

type rootMove struct {
	Move, Sign, Value string
	Best              bool
}

// thought is the result of a search that the page requested.
type thought struct {
	Agent, Answered string
	Unit            string // unit of the values
	Moves           []rootMove
	Seconds         float64
}

// think searches with the agent in agent=SPEC and lists the values of all moves.
func (s *Server) think(_ http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session.Over() {
		return nil, errors.New("the game is over, so there is nothing to search")
	}
	spec := cmp.Or(strings.TrimSpace(r.PostFormValue("agent")), t.world.Planner())
	res, stale, err := s.begin(r.Context(), t, spec)
	if stale || errors.Is(err, context.Canceled) {
		err = refusal{http.StatusConflict, errors.New("the search was cancelled by another request for this game; start the search again")}
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
