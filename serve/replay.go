package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/report"
	"plyfit/search"
	"plyfit/session"
	"plyfit/stats"
)

var replayRoutes = []route{
	{"GET /replay", (*Server).replay, "replay.html"},
	{"GET /replay/board", (*Server).replayBoard, "replayed"},
	{"POST /replay/values", (*Server).replayValues, "values"},
}

// replayed is a game of a match, read from its file.
type replayed struct {
	world *catalog.World
	pair  int // its number in the file, from 0
	game  int
	games int // of the pair
	pairs int
	drawn int // moves of the opening, which nobody chose
	*game.Transcript
}

// replayLink is the address of a game of a match.
func replayLink(name string, pair, game int) string {
	return "/replay?" + url.Values{"name": {name}, "pair": {strconv.Itoa(pair + 1)}, "game": {strconv.Itoa(game + 1)}}.Encode()
}

// replayed reads the game that a request names: name=FILE, pair=, game=.
func (s *Server) replayed(r *http.Request) (g *replayed, err error) {
	defer func() {
		if err != nil {
			err = refusal{http.StatusNotFound, err}
		}
	}()
	root, err := s.runs()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := r.FormValue("name")
	if kind, err := runNamed(root, name); err != nil || kind != matchKind {
		return nil, fmt.Errorf("no match %q in the folder that is shown", shortened(name))
	}
	pair, err := numberFrom1(r, "pair")
	if err != nil {
		return nil, err
	}
	k, err := numberFrom1(r, "game")
	if err != nil {
		return nil, err
	}
	err = s.matchOf(root, name, func(f *followed, file *os.File) error {
		record, err := f.Pair(file, pair)
		if err != nil {
			return err
		}
		g, err = s.gameOf(f, record, k)
		if result, any := f.Result(); err == nil && any {
			g.pair, g.pairs = pair, result.Pairs
		}
		return err
	})
	return g, err
}

// numberFrom1 reads a number that is counted from 1 in addresses and from 0 here.
func numberFrom1(r *http.Request, name string) (int, error) {
	n, err := strconv.Atoi(cmp.Or(r.FormValue(name), "1"))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s %q: want a whole number from 1", name, shortened(r.FormValue(name)))
	}
	return n - 1, nil
}

// gameOf is game k of a pair.
func (s *Server) gameOf(f *followed, record *arena.PairRecord, k int) (*replayed, error) {
	h := f.Header()
	if h.NoMoves {
		return nil, errors.New("the moves of this match were not kept")
	}
	if k < 0 || k >= len(record.Games) {
		return nil, fmt.Errorf("game %d: want one of the pair's %d", k, len(record.Games))
	}
	world, err := s.config.Catalog.World(h.Game)
	if err != nil {
		return nil, err
	}
	transcripts, err := record.Transcripts(world.Game, h.A, h.B)
	if err != nil {
		return nil, err
	}
	return &replayed{world: world, game: k, games: len(record.Games), drawn: record.Drawn, Transcript: transcripts[k]}, nil
}

// at is the position after so many plies.
func (g *replayed) at(plies int) (game.State, error) {
	s, err := session.Position(g.world.Game, g.Start)
	if err != nil {
		return nil, err
	}
	for _, m := range g.Moves[:plies] {
		s.Play(m)
	}
	return s, nil
}

// replayView is a game of a match as its page shows it.
type replayView struct {
	Head                       head
	Name, Back, Title, Outcome string
	Spec, Agent                string
	Pair, Pairs, Game, Games   int // from 1, and how many
	Others                     []pairLink
	Board                      boardView
}

// boardView is a position of a game that is replayed.
type boardView struct {
	Picture                   template.HTML
	Ply, Plies                int
	Said, Link                string
	First, Before, Next, Last string // addresses; "" where there is none
}

// replay shows a game of a match, to be gone through move by move.
func (s *Server) replay(_ http.ResponseWriter, r *http.Request) (any, error) {
	g, err := s.replayed(r)
	if err != nil {
		return nil, err
	}
	board, err := g.board(r, 0)
	if err != nil {
		return nil, err
	}
	outcome, err := g.outcome()
	if err != nil {
		return nil, err
	}
	title := spoken(g.Names[0])
	if len(g.Names) == 2 {
		title = against(g.Names[0], g.Names[1])
	}
	v := replayView{
		Head: s.head(g.Event+" | plyfit", "runs"), Name: r.FormValue("name"), Back: "/run?" + url.Values{"name": {r.FormValue("name")}}.Encode(),
		Title: title, Outcome: outcome, Spec: g.world.Spec, Agent: g.world.Planner(),
		Pair: g.pair + 1, Pairs: g.pairs, Game: g.game + 1, Games: g.games, Board: board,
	}
	for k := range g.games {
		if k != g.game {
			v.Others = append(v.Others, pairLink{k + 1, replayLink(v.Name, g.pair, k)})
		}
	}
	return v, nil
}

// outcome is how the game ended, by its rules or otherwise.
func (g *replayed) outcome() (string, error) {
	if g.End != game.Played {
		var got []string
		for p, u := range g.Utility {
			got = append(got, fmt.Sprintf("%s gets %s", g.world.Side(game.Player(p)), number(u)))
		}
		return strings.Join(got, ", ") + " (" + string(g.End) + ")", nil
	}
	s, err := g.at(len(g.Moves))
	if err != nil {
		return "", err
	}
	return session.Outcome(g.world.Game, s, g.world.Side, number), nil
}

// replayBoard shows the position after ply= moves.
func (s *Server) replayBoard(_ http.ResponseWriter, r *http.Request) (any, error) {
	g, err := s.replayed(r)
	if err != nil {
		return nil, err
	}
	ply, err := strconv.Atoi(r.FormValue("ply"))
	if err != nil || ply < 0 || ply > len(g.Moves) {
		return nil, fmt.Errorf("ply %q: want a whole number from 0 to %d", shortened(r.FormValue("ply")), len(g.Moves))
	}
	return g.board(r, ply)
}

// board is the position after so many plies.
func (g *replayed) board(r *http.Request, ply int) (v boardView, err error) {
	s, err := g.at(max(0, ply-1))
	if err != nil {
		return v, err
	}
	last := ""
	if ply > 0 {
		last = game.Spelled(s, g.Moves[ply-1])
		s.Play(g.Moves[ply-1])
	}
	v = boardView{Picture: picture(s, 0), Ply: ply, Plies: len(g.Moves), Link: "/at?" + url.Values{"game": {g.world.Spec}, "position": {s.String()}}.Encode()}
	to := func(ply int) string { return g.boardLink(r.FormValue("name"), ply) }
	if ply > 0 {
		v.First, v.Before = to(0), to(ply-1)
		v.Said = "after " + last
	}
	if ply < len(g.Moves) {
		v.Next, v.Last = to(ply+1), to(len(g.Moves))
	}
	return v, nil
}

func (g *replayed) boardLink(name string, ply int) string {
	return "/replay/board?" + url.Values{"name": {name}, "pair": {strconv.Itoa(g.pair + 1)}, "game": {strconv.Itoa(g.game + 1)}, "ply": {strconv.Itoa(ply)}}.Encode()
}

// annotated is a move of a game with what an agent thinks of it.
type annotated struct {
	Ply    int // before it
	Number int // from 1
	By     string
	Move   string
	Value  float64 // of the position before it, for player 0
	Shown  string  // the value as people tell it
	Loss   float64 // of the mover, against the best move
	Better string  // the best move, where it was not this one
	Mark   string  // "", "inaccuracy", "mistake" or "blunder"
	Sign   string
	Link   string // of the board after it

	searched bool
}

// Marks by the loss as a share of half of what there is to win, those of Lichess for
// winning chances from -1 to 1.
var marks = []struct {
	loss       float64
	name, sign string
}{{0.3, "blunder", "??"}, {0.2, "mistake", "?"}, {0.1, "inaccuracy", "?!"}}

// replayValues has an agent search every position of the game, and marks the moves
// that lost much: agent=SPEC.
func (s *Server) replayValues(_ http.ResponseWriter, r *http.Request) (any, error) {
	g, err := s.replayed(r)
	if err != nil {
		return nil, err
	}
	agent := cmp.Or(strings.TrimSpace(r.PostFormValue("agent")), g.world.Planner())
	moves, err := s.annotate(r.Context(), g, agent)
	if err != nil {
		return nil, err
	}
	data := struct {
		Agent, Player string
		Moves         []annotated
		Graph         []template.HTML
		Searched      int
		Counts        []string
	}{Agent: agent, Player: g.world.Side(0), Moves: moves}
	lines := make([]report.Series, 1+len(marks)) // the values, and those of the moves of each mark
	for i := range moves {
		m := &moves[i]
		m.Link = g.boardLink(r.FormValue("name"), m.Ply+1)
		m.Shown = valued(g.world, m.Value)
		if !m.searched {
			continue
		}
		data.Searched++
		value := stats.Estimate{Value: m.Value, Known: true}
		add(&lines[0], float64(m.Ply), value)
		for k, mark := range marks {
			if m.Mark == mark.name {
				add(&lines[1+k], float64(m.Ply), value)
			}
		}
	}
	for k, mark := range marks {
		l := &lines[1+k]
		l.Name, l.Points = mark.name+" "+mark.sign, true
		if n := len(l.X); n > 0 {
			data.Counts = append(data.Counts, plural(n, mark.name))
		}
	}
	data.Graph = appendChart(nil, "value for "+data.Player+", by "+spoken(agent), "plies", lines)
	return data, nil
}

// plural is n things of a kind.
func plural(n int, kind string) string {
	switch {
	case n == 1:
		return "1 " + kind
	case strings.HasSuffix(kind, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(kind, "y"))
	}
	return fmt.Sprintf("%d %ss", n, kind)
}

// annotate has an agent search the positions of a game in which a player decides, those of
// the opening left out, for as long as one search may take. A move's loss is the value
// of the position less that of the position after it, which is searched one decision
// less deep where the agent's spec names a depth above 1.
func (s *Server) annotate(ctx context.Context, g *replayed, text string) (moves []annotated, err error) {
	after := text
	if depth, ok := depthOf(text); ok && depth > 1 {
		if after, err = catalog.WithKey(text, "depth", strconv.Itoa(depth-1)); err != nil {
			return nil, err
		}
	}
	var agents [2]*catalog.Agent
	for i, text := range []string{text, after} {
		a, err := g.world.Agent(text, catalog.AgentOptions{})
		if err != nil {
			return nil, err
		}
		agents[i] = a
	}
	err = s.turn(ctx, func(ctx context.Context) (err error) {
		moves, err = g.annotateBy(ctx, text, agents)
		return err
	})
	return moves, err
}

// annotateBy goes through the game as long as ctx lasts.
func (g *replayed) annotateBy(ctx context.Context, text string, agents [2]*catalog.Agent) (moves []annotated, err error) {
	var searchers [2]search.Agent
	for i, a := range agents {
		searcher, err := a.New()
		if err != nil {
			return nil, err
		}
		defer search.Close(searcher)
		searcher.Begin(0)
		searchers[i] = searcher
	}
	s, err := session.Position(g.world.Game, g.Start)
	if err != nil {
		return nil, err
	}
	for ply, m := range g.Moves {
		if mover := s.Turn(); mover >= 0 && ply >= g.drawn {
			j := annotated{Ply: ply, Number: len(moves) + 1, By: g.world.Side(mover), Move: game.Spelled(s, m)}
			if err := j.search(ctx, s, m, searchers); err != nil {
				return nil, fmt.Errorf("agent %s: %w", text, err)
			}
			moves = append(moves, j)
		}
		s.Play(m)
	}
	markLosses(moves, g.world.Base())
	return moves, nil
}

// search finds what the position is worth, and what the move m loses.
func (j *annotated) search(ctx context.Context, s game.State, m game.Move, by [2]search.Agent) error {
	mover := s.Turn()
	before, err := by[0].Search(ctx, s)
	if ctx.Err() != nil {
		return nil // the time is over: the rest is not searched
	}
	if err == nil && len(before.Values) == 0 {
		err = errors.New("it gives no values: want one that searches")
	}
	if err != nil {
		return err
	}
	if j.Value, j.searched = before.Values[0], true; m == before.Move {
		return nil
	}
	j.Better = game.Spelled(s, before.Move)
	s.Play(m)
	defer s.Undo()
	got := 0.0
	if s.Turn() == game.Nobody {
		got = s.Utility(mover)
	} else {
		after, err := by[1].Search(ctx, s)
		if ctx.Err() != nil {
			j.searched = false
			return nil
		}
		if err != nil {
			return err
		}
		got = after.Values[mover]
	}
	j.Loss = max(0, before.Values[mover]-got)
	return nil
}

// markLosses says which moves lost how much. Where utilities are no wins and losses, half of
// what there is to win is half of what the values of the game itself span.
func markLosses(moves []annotated, g *game.Game) {
	half := (g.Max - g.Min) / 2
	if !(half <= 1) {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range moves {
			if m := &moves[i]; m.searched {
				lo, hi = min(lo, m.Value), max(hi, m.Value)
			}
		}
		half = (hi - lo) / 2
	}
	for i := range moves {
		for _, v := range marks {
			if m := &moves[i]; m.searched && half > 0 && m.Loss >= v.loss*half {
				m.Mark, m.Sign = v.name, v.sign
				break
			}
		}
	}
}

// depthOf is the depth that an agent's spec names.
func depthOf(text string) (depth int, ok bool) {
	parsed, err := spec.Parse(text)
	if err != nil {
		return 0, false
	}
	for _, k := range parsed.Keys {
		if k.Name == "depth" {
			depth, err := strconv.Atoi(k.Value)
			return depth, err == nil
		}
	}
	return 0, false
}
