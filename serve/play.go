package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/ink"
	"plyfit/search"
	"plyfit/session"
)

var playRoutes = []route{
	{"GET /{$}", (*Server).home, "home.html"},
	{"GET /at", (*Server).at, "at.html"},
	{"POST /tables", (*Server).open, ""},
	{"GET /tables/{id}", ofGame((*Server).gamePage), "play.html|table"},
	{"POST /tables/{id}/move", ofGame((*Server).move), "table"},
	{"POST /tables/{id}/answer", ofGame((*Server).answer), "table"},
	{"POST /tables/{id}/undo", ofGame((*Server).undo), "table"},
	{"POST /tables/{id}/flip", ofGame((*Server).flip), "table"},
	{"POST /tables/{id}/seats", ofGame((*Server).seats), "table"},
	{"POST /tables/{id}/position", ofGame((*Server).place), "table"},
	{"POST /tables/{id}/think", bare((*Server).think), "thought"},
}

// functions are what the pages' templates call.
func (s *Server) functions() template.FuncMap {
	return template.FuncMap{
		"asset":  func(name string) string { return "/assets/" + name + "?v=" + s.assets[name].digest },
		"number": number,
		"signed": signed,
		"base": func(spec string) string {
			name, _, _ := strings.Cut(spec, ":")
			name, _, _ = strings.Cut(name, "+")
			return name
		},
		"inc": func(i int) int { return i + 1 },
		"dec": func(i int) int { return i - 1 },
		"step": func(link, key, name string) struct{ Link, Key, Name string } {
			return struct{ Link, Key, Name string }{link, key, name}
		},
		"percent": func(x float64) float64 { return 100 * x },
	}
}

// head is what every page has.
type head struct {
	Title string
	Tab   string // of the navigation
	Runs  bool   // there is a folder of runs
}

func (s *Server) head(title, tab string) head { return head{title, tab, s.config.Runs != ""} }

// card is a game in the list.
type card struct {
	Name, Doc, Agent string
	Picture          template.HTML
}

// home lists the games.
func (s *Server) home(http.ResponseWriter, *http.Request) (any, error) {
	data := struct {
		Head  head
		Games []card
	}{Head: s.head("plyfit", "games")}
	for _, e := range s.config.Catalog {
		world, err := s.config.Catalog.World(e.Name)
		if err != nil {
			continue // a game that wants options is there by its spec
		}
		data.Games = append(data.Games, card{e.Name, world.Doc, world.Planner(), picture(sample(world), 0)})
	}
	return data, nil
}

// sample is a position of the game for its picture in the list: a few moves in, the
// same for everybody.
func sample(w *catalog.World) game.State {
	s := w.New()
	rng := rand.New(rand.NewPCG(7, uint64(len(w.Name))))
	for k := 0; k < 14 || s.Turn() == game.Chance; k++ {
		moves := s.Moves(nil)
		if len(moves) == 0 || w.Name == "tree" {
			break
		}
		m := moves[rng.IntN(len(moves))]
		s.Play(m)
		if s.Turn() == game.Nobody {
			s.Undo()
			break
		}
	}
	return s
}

// picture is the position as its game draws it: a picture, or its drawing in text where
// it has none.
func picture(s game.State, below game.Player) template.HTML {
	if d, ok := game.As[game.Illustrator](s); ok {
		return template.HTML(d.SVG(below))
	}
	text := s.String()
	if d, ok := game.As[game.Drawer](s); ok {
		text = ink.Plain(d.Draw(false))
	}
	return drawing(text)
}

// drawing is a picture of letters.
func drawing(text string) template.HTML {
	return template.HTML(`<pre class="drawing">` + template.HTMLEscapeString(text) + "</pre>")
}

// observer is who looks at a game where something is hidden: the person who is to
// decide, else the first person, else player 0.
func (t *openGame) observer() game.Player {
	if p := t.session.State.Turn(); p >= 0 && t.person(p) {
		return p
	}
	return t.firstPerson()
}

// clickable is a legal move with the places to click for it, as the page's script reads
// it.
type clickable struct {
	Move   string     `json:"m"`
	Clicks [][]string `json:"c,omitempty"`
}

func clickables(s game.State) []clickable {
	d, _ := game.As[game.Illustrator](s)
	var out []clickable
	for _, m := range s.Moves(nil) {
		c := clickable{Move: s.MoveString(m)}
		if d != nil {
			c.Clicks = d.Clicks(m)
		}
		out = append(out, c)
	}
	return out
}

// gameView is a game at play as its template shows it.
type gameView struct {
	Head     head
	ID       string
	Spec     string
	Version  int
	Picture  template.HTML
	Moves    []clickable // of the person to move
	Script   string      // the same as JSON
	Status   string
	Luck     []string
	Told     string
	Over     bool
	Thinking string // the agent who is to decide
	Hidden   bool   // the position is what one player knows of it
	Position string
	Link     string
	Seats    []seatView
	History  []played
	Planner  string
	Error    string

	Evaluations []string // that the form of a seat offers
}

type seatView struct {
	Index int
	Name  string
	Agent string
}

// view is the game as it stands.
func (s *Server) view(t *openGame) gameView {
	offered := s.offered(t.world)
	t.mu.Lock()
	defer t.mu.Unlock()
	state := t.session.State
	v := gameView{
		Head: s.head(t.world.Name+" | plyfit", "games"), ID: t.id, Spec: t.world.Spec, Version: t.version, Picture: picture(state, t.below), Luck: t.luck, Told: t.told,
		Position: state.String(), Over: t.session.Over(), Planner: t.world.Planner(), History: slices.Clone(t.history),
		Evaluations: offered,
	}
	if hidden, ok := state.(game.HiddenState); ok && t.world.Hidden && !v.Over {
		v.Hidden = true
		v.Position = hidden.Info(t.observer())
		v.Picture, v.Luck = drawing(v.Position), nil
	}
	v.Link = "/at?" + url.Values{"game": {t.world.Spec}, "position": {v.Position}}.Encode()
	for p, agent := range t.seats {
		v.Seats = append(v.Seats, seatView{p, t.world.Seat(game.Player(p)), agent})
	}
	agent, ok := t.mover()
	switch {
	case state.Turn() == game.Nobody:
		v.Status = "Over: " + session.Outcome(t.world.Game, state, number)
	case t.session.Over():
		v.Status = "cut off after the game's limit of plies"
	case ok:
		v.Thinking = agent
		v.Status = t.world.Seat(state.Turn()) + " thinks"
	default:
		v.Status = t.world.Seat(state.Turn()) + " to move"
		v.Moves = clickables(state)
		if script, err := json.Marshal(v.Moves); err == nil {
			v.Script = string(script)
		}
	}
	return v
}

// offered are the evaluations that agents of w may have here: shipped ones, and the files of
// the folder that is allowed.
func (s *Server) offered(w *catalog.World) []string {
	names := []string{"zero"}
	for _, m := range w.Entry.Shipped() {
		if m.Name != "handwritten" && m.Name != "learned" {
			m.Name = w.Entry.Name + "/" + m.Name
		}
		names = append(names, m.Name)
	}
	if len(names) > 1 {
		names = append(names, "best")
	}
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

// gamePage is the whole page of a game, or the board alone where that is asked for.
func (s *Server) gamePage(_ http.ResponseWriter, _ *http.Request, t *openGame) (any, error) {
	return s.view(t), nil
}

// shown answers a request that was to change the game: with the board as a fragment, or,
// to a browser without scripts, with the page anew. Where err says that something else
// was asked of the game meanwhile, that is the board as it is now.
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

// at shows a position that a link holds, with nothing at play.
func (s *Server) at(_ http.ResponseWriter, r *http.Request) (any, error) {
	world, err := s.config.Catalog.World(r.FormValue("game"))
	if err != nil {
		return nil, err
	}
	state, err := session.Position(world.Game, strings.TrimSpace(r.FormValue("position")))
	if err != nil {
		return nil, err
	}
	return struct {
		Head                    head
		Spec, Position, Planner string
		Players                 []string
		Picture                 template.HTML
	}{s.head(world.Name+" | plyfit", "games"), world.Spec, state.String(), world.Planner(), names(world, state), picture(state, 0)}, nil
}

// names are the players of a position, in their order.
func names(w *catalog.World, s game.State) (out []string) {
	for p := range game.ShapeOf(w.Game, s).Players {
		out = append(out, w.Seat(game.Player(p)))
	}
	return out
}

// open begins a game: game=SPEC, position=P, and seat0=, seat1= ... each an agent's
// spec or nothing for a person.
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
	t := &openGame{world: world, seats: seats}
	t.begin(begun, lots)
	t.below = t.firstPerson() // who sees the board from his side
	gone, err := s.games.add(t, s.limits, time.Now())
	s.unfolded.forget(gone)
	if err == nil {
		http.Redirect(w, r, "/tables/"+t.id, http.StatusSeeOther)
	}
	return nil, err
}

// start begins a game at position=P; lots are what nature does there first.
func (s *Server) start(r *http.Request, w *catalog.World, seed uint64) (begun *session.Session, lots []game.Move, err error) {
	if begun, err = session.New(w.Game, strings.TrimSpace(r.PostFormValue("position")), seed); err == nil {
		lots, err = s.fate(r.Context(), w, begun.State.Clone(), seed, 0)
	}
	return begun, lots, err
}

// chosenSeats reads seat0=, seat1= ..., each checked as an agent of the world.
func (s *Server) chosenSeats(w *catalog.World, r *http.Request) ([]string, error) {
	seats := make([]string, max(w.Players, 16)) // positions of a game may have players of their own number
	for p := range seats {
		text := strings.TrimSpace(r.PostFormValue(fmt.Sprintf("seat%d", p)))
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

// move makes a person's move: move=M in the game's notation, version= that of the
// board that he saw.
func (s *Server) move(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	return s.shown(w, r, t, s.decide(r.Context(), t, r.PostFormValue("move"), r.PostFormValue("version")))
}

// decide makes a person's move. A board that is no more is no error: its second click
// does nothing.
func (s *Server) decide(ctx context.Context, t *openGame, text, version string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if version != "" && version != strconv.Itoa(t.version) {
		return nil
	}
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

// answer has the agent who is to move decide. The search lasts as long as the request.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	return s.shown(w, r, t, s.reply(r.Context(), t, r.PostFormValue("version")))
}

// reply makes the move of the agent who is to decide. Where the board is no more, or
// nobody but a person is to decide, it does nothing.
func (s *Server) reply(ctx context.Context, t *openGame, version string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	spec, ok := t.mover()
	if !ok || version != "" && version != strconv.Itoa(t.version) {
		return nil
	}
	res, err := s.begin(ctx, t, spec)
	if err != nil || res.stale {
		return err
	}
	told, value := describe(t.session.State, &res.Result)
	if t.world.Hidden { // its value and line would tell what it holds
		told, value = t.session.State.MoveString(res.Move), ""
	}
	return s.play(ctx, t, res.Move, spec+": "+told, value)
}

// found is a search's result; stale where the game has changed meanwhile.
type found struct {
	search.Result
	stale bool
}

// begin searches the position by the agent of a spec. The game's lock must
// be held; it is released while the agent is made and searches, and a search that was
// under way on the game ends.
func (s *Server) begin(ctx context.Context, t *openGame, spec string) (r found, err error) {
	state, seed := t.session.State.Clone(), game.Seed(t.session.Seed, game.StreamSeat, uint64(t.session.Plies))
	r.stale, err = t.aside(ctx, func(ctx context.Context) error {
		agent, err := t.world.Agent(spec, catalog.AgentOptions{})
		if err == nil {
			r.Result, err = s.search(ctx, agent, state, seed)
		}
		return err
	})
	return r, err
}

// describe is a search's answer in a line, and its value.
func describe(s game.State, r *search.Result) (told, value string) {
	told = s.MoveString(r.Move)
	if len(r.Values) > 0 {
		value = number(r.Value)
		told += ", value " + value
	}
	if r.Nodes > 0 {
		told += fmt.Sprintf(", depth %d, %d nodes", r.Depth, r.Nodes)
	}
	if line := session.Line(s, r.PV, game.State.MoveString); len(line) > 1 {
		told += ", line " + strings.Join(line, " ")
	}
	return told, value
}

func (s *Server) undo(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	t.mu.Lock()
	t.undo()
	t.mu.Unlock()
	return s.shown(w, r, t, nil)
}

// flip turns the board to the next player.
func (s *Server) flip(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	t.mu.Lock()
	t.below = (t.below + 1) % game.Player(max(len(t.seats), 2))
	t.mu.Unlock()
	return s.shown(w, r, t, nil)
}

// seats changes who plays.
func (s *Server) seats(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	seats, err := s.chosenSeats(t.world, r)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	copy(t.seats, seats)
	t.changed()
	t.mu.Unlock()
	return s.shown(w, r, t, nil)
}

// place puts position=P on the board; "" is the game's start.
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

// rootMove is a move of the root as a search left it.
type rootMove struct {
	Move, Sign, Value string
	Best              bool
}

// thought is what a search found of every move.
type thought struct {
	Agent, Told string
	Moves       []rootMove
	Seconds     float64
}

// think searches the position by agent=SPEC and tells what it found of every move.
func (s *Server) think(_ http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	v, err := s.thought(r.Context(), t, cmp.Or(strings.TrimSpace(r.PostFormValue("agent")), t.world.Planner()))
	if errors.Is(err, context.Canceled) {
		err = refusal{http.StatusConflict, errors.New("something else was asked of this game, and this search ended: want it again")}
	}
	return v, err
}

// thought searches the position of a game.
func (s *Server) thought(ctx context.Context, t *openGame, spec string) (v thought, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session.Over() {
		return v, errors.New("the game is over: there is nothing to search")
	}
	res, err := s.begin(ctx, t, spec)
	if err != nil {
		return v, err
	}
	if res.stale {
		return v, context.Canceled
	}
	state := t.session.State
	v.Agent, v.Seconds = spec, res.Elapsed.Seconds()
	v.Told, _ = describe(state, &res.Result)
	for _, m := range res.Root {
		v.Moves = append(v.Moves, rootMove{state.MoveString(m.Move), relation[m.Kind], number(m.Value), m.Move == res.Move})
	}
	return v, nil
}
