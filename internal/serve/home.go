package serve

import (
	"html/template"
	"math/rand/v2"
	"net/http"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/session"
	"plyfit/internal/text"
)

// card is a game in the list, with a summary of its rules and options.
type card struct {
	Name, Title, Doc, Options string
	Picture                   template.HTML
	Levels                    []catalog.Level // levels of the computer; nil for single-player games
}

// firstGame is the game shown on the home page.
const firstGame = "connect4"

// first returns the game on the home page, which begins with the visitor's first move. It returns
// nil if the catalog does not contain the game.
func (s *Server) first() *gameView {
	w, err := s.config.Catalog.World(firstGame)
	if err != nil {
		return nil
	}
	seats, state := []string{"", "the computer"}, w.New()
	v := &gameView{Spec: w.Spec, Levels: w.Levels(), Who: who(w, seats), Status: turn(w, state, seats), Picture: picture(state, 0)}
	v.offer(state)
	return v
}

// home shows the list of games and a board on which the visitor can start playing immediately.
func (s *Server) home(http.ResponseWriter, *http.Request) (any, error) {
	data := struct {
		Head  head
		First *gameView
		Games []card
		Steps int // number of steps in the lesson
	}{Steps: len(tourSteps), Head: s.head("plyfit", "games"), First: s.first()}
	for _, e := range s.config.Catalog {
		world, err := s.config.Catalog.World(e.Name)
		if err != nil {
			continue // A game with required options can only be opened by its spec.
		}
		doc, options, _ := strings.Cut(world.Doc, "; ")
		levels := world.Levels()
		if world.Players == 1 {
			levels = nil
		}
		data.Games = append(data.Games, card{e.Name, e.Heading(), text.Capital(doc), text.Capital(options), picture(sample(world), 0), levels})
	}
	return data, nil
}

// sample returns the position for a game's picture. It is always the same position, reached after
// at most 14 random moves, or more if chance is to move.
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

// at shows the position specified by a link, without opening a game.
func (s *Server) at(_ http.ResponseWriter, r *http.Request) (any, error) {
	world, err := s.config.Catalog.World(r.FormValue("game"))
	if err != nil {
		return nil, err
	}
	state, err := session.Position(world.Game, strings.TrimSpace(r.FormValue("position")))
	if err != nil {
		return nil, err
	}
	var players []string
	for p := range game.ShapeOf(world.Game, state).Players {
		players = append(players, world.Side(game.Player(p)))
	}
	below := game.Player(0)
	if world.Hidden {
		below = game.Nobody // the link contains the whole position
	}
	return struct {
		Head           head
		Spec, Position string
		Levels         []catalog.Level
		Players        []string
		Picture        template.HTML
	}{s.head(world.Entry.Heading()+" | plyfit", "games"), world.Spec, state.String(), world.Levels(), players, picture(state, below)}, nil
}
