package poker

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/models"
)

// spoken is a position that tells what a player knows without garbage.
type spoken interface {
	game.HiddenState
	// AppendInfo appends the line that Info gives.
	AppendInfo(line []byte, p game.Player) []byte
}

// infosets is the set of information sets in g, a game of text positions small enough to be written
// out: a column for each line that a player sees anywhere in the game, right after its last move
// included. Lines that differ only in letters of without share one: suits, where ranks alone count.
// The game is written out once, when the set is first asked for its blocks or features.
func infosets(name string, g *game.Game, without string) features.Set {
	s := &set{name: name, without: without}
	s.written = sync.OnceValue(func() *columns { return s.writeOut(g) })
	s.lines.New = func() any { return new([]byte) }
	one, _ := made.LoadOrStore(name, s)
	return one.(*set)
}

// made are the sets by name.
var made sync.Map

type set struct {
	name, without string
	written       func() *columns
	lines         sync.Pool // of *[]byte
}

var _ features.Documented = (*set)(nil)

// columns are the lines in the order in which a walk through the game comes upon them.
type columns struct {
	names []string
	place map[string]int32
}

// line writes what p knows into the room of an earlier line.
func (s *set) line(st game.State, p game.Player, room []byte) []byte {
	line := st.(spoken).AppendInfo(room[:0], p)
	return slices.DeleteFunc(line, func(c byte) bool { return strings.IndexByte(s.without, c) >= 0 })
}

// writeOut walks through g.
func (s *set) writeOut(g *game.Game) *columns {
	c := &columns{place: map[string]int32{}}
	var walk func(st game.State)
	walk = func(st game.State) {
		for p := range game.Player(g.Players) {
			name := string(s.line(st, p, nil))
			if _, known := c.place[name]; !known {
				c.place[name] = int32(len(c.names))
				c.names = append(c.names, name)
			}
		}
		for _, m := range st.Moves(nil) {
			st.Play(m)
			walk(st)
			st.Undo()
		}
	}
	walk(g.New())
	return c
}

func (s *set) Name() string { return s.name }

func (s *set) Blocks() (blocks []features.Block) {
	return list.Map(s.written().names, func(name string) features.Block { return features.Block{Name: name, Len: 1} })
}

func (s *set) Docs() []features.Doc {
	names := s.written().names
	return []features.Doc{{Name: names[len(names)/2], Text: "1 where this is what the player knows, as a position is written; a column for each such line", Kind: true, Of: names}}
}

func (s *set) View(st game.State) game.Player { return max(st.Turn(), 0) }

// Extract implements [features.Set]. It panics at positions of another game.
func (s *set) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	room := s.lines.Get().(*[]byte)
	*room = s.line(st, p, *room)
	at, ok := s.written().place[string(*room)]
	s.lines.Put(room)
	if !ok {
		panic(fmt.Sprintf("poker: %s is asked at %s", s.name, st))
	}
	return append(x, models.Term{Index: at, Value: 1})
}
