package serve

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/session"
)

var replayRoutes = []route{
	{"GET /replay", (*Server).replay, "replay.html"},
	{"GET /replay/board", (*Server).replayBoard, "replayed"},
}

// replayed is a game of a match.
type replayed struct {
	*game.Transcript
	world                    *catalog.World
	Pair, Pairs, Game, Games int // numbers of the pair and of the game within the pair, starting from 1, with the totals
}

func replayLink(name string, pair, game int) string {
	return "/replay?" + url.Values{"name": {name}, "pair": {strconv.Itoa(pair)}, "game": {strconv.Itoa(game)}}.Encode()
}

// replayed reads the game that a request specifies by name=FILE, pair= and game=.
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
	if !fs.ValidPath(name) || !isMatch(root, name) {
		return nil, fmt.Errorf("no match %q in the runs folder", shortened(name))
	}
	pair, err := wholeNumber(r, "pair", 1, 1, math.MaxInt)
	if err != nil {
		return nil, err
	}
	k, err := wholeNumber(r, "game", 1, 1, math.MaxInt)
	if err != nil {
		return nil, err
	}
	var record *arena.PairRecord
	pairs := 0
	h, _, _, err := s.readMatch(root, name, func(p *arena.PairRecord) error {
		if pairs++; p.Pair == pair-1 {
			one := *p
			record = &one
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if record == nil {
		return nil, fmt.Errorf("%s: no pair %d; want 1 to %d", name, pair, pairs)
	}
	if g, err = s.gameOf(h, record, k); err == nil {
		g.Pair, g.Pairs = pair, pairs
	}
	return g, err
}

func (s *Server) gameOf(h arena.Header, record *arena.PairRecord, k int) (*replayed, error) {
	if h.NoMoves {
		return nil, errors.New("this match was recorded without moves")
	}
	if k > len(record.Games) {
		return nil, fmt.Errorf("game %d: want 1 to %d", k, len(record.Games))
	}
	world, err := s.config.Catalog.World(h.Game)
	if err != nil {
		return nil, err
	}
	transcripts, err := record.Transcripts(world.Game, h.A, h.B)
	if err != nil {
		return nil, err
	}
	return &replayed{world: world, Game: k, Games: len(record.Games), Transcript: transcripts[k-1]}, nil
}

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

type gameLink struct {
	Number int // position in the pair, from 1
	Link   string
}

type replayView struct {
	*replayed
	Head                       head
	Name, Title, Outcome, Spec string
	Others                     []gameLink
	Board                      boardView
}

type boardView struct {
	Picture    template.HTML
	Ply, Plies int
	Said, Link string
	Steps      []step
}

// replay shows a game of a match, move by move.
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
	v := replayView{g, s.head(g.Event+" | plyfit", "runs"), r.FormValue("name"), title, outcome, g.world.Spec, nil, board}
	for k := 1; k <= g.Games; k++ {
		if k != g.Game {
			v.Others = append(v.Others, gameLink{k, replayLink(v.Name, g.Pair, k)})
		}
	}
	return v, nil
}

// outcome describes how the game ended, by the rules or otherwise.
func (g *replayed) outcome() (string, error) {
	if g.End != game.Played {
		return strings.Join(session.Gains(g.Utility, g.world.Side, number), ", ") + " (" + string(g.End) + ")", nil
	}
	s, err := g.at(len(g.Moves))
	if err != nil {
		return "", err
	}
	return session.Outcome(g.world.Game, s, g.world.Side, number), nil
}

func (s *Server) replayBoard(_ http.ResponseWriter, r *http.Request) (any, error) {
	g, err := s.replayed(r)
	if err != nil {
		return nil, err
	}
	ply, err := wholeNumber(r, "ply", 0, 0, len(g.Moves))
	if err != nil {
		return nil, err
	}
	return g.board(r, ply)
}

func (g *replayed) board(r *http.Request, ply int) (v boardView, err error) {
	s, err := g.at(max(0, ply-1))
	if err != nil {
		return v, err
	}
	if ply > 0 {
		v.Said = "after " + game.Spelled(s, g.Moves[ply-1])
		s.Play(g.Moves[ply-1])
	}
	v.Picture, v.Ply, v.Plies, v.Link = picture(s, 0), ply, len(g.Moves), linkTo(g.world.Spec, s.String())
	v.Steps = stepsAt("#replayed", ply, v.Plies, func(ply int) string {
		_, query, _ := strings.Cut(replayLink(r.FormValue("name"), g.Pair, g.Game), "?")
		return "/replay/board?" + query + "&ply=" + strconv.Itoa(ply)
	})
	return v, nil
}
