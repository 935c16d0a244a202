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

// spoken is a position that can append a player's information to a buffer without allocating.
type spoken interface {
	game.HiddenState
	// AppendInfo appends the text that Info returns.
	AppendInfo(line []byte, p game.Player) []byte
}

// infosets returns the set of the information sets of g, which must be small enough to enumerate
// and must write positions as text. The set has a column for each text that a player can know
// anywhere in the game, including the position right after the player's last move. The parameter
// without lists letters to be ignored: texts that differ only in these letters share a column. This
// is used for suits if only ranks matter. The game is enumerated once, when the blocks or features
// of the set are first needed.
func infosets(name string, g *game.Game, without string) features.Set {
	s := &set{name: name, without: without}
	s.written = sync.OnceValue(func() *columns { return s.writeOut(g) })
	s.lines.New = func() any { return new([]byte) }
	one, _ := made.LoadOrStore(name, s)
	return one.(*set)
}

// made contains the sets that have been created, by name.
var made sync.Map

type set struct {
	name, without string
	written       func() *columns
	lines         sync.Pool // of *[]byte
}

var _ features.Documented = (*set)(nil)

// columns contains the texts in the order in which an enumeration of the game first reaches them.
type columns struct {
	names []string
	place map[string]int32
}

// line writes the text that p knows into the buffer room and returns the text.
func (s *set) line(st game.State, p game.Player, room []byte) []byte {
	line := st.(spoken).AppendInfo(room[:0], p)
	return slices.DeleteFunc(line, func(c byte) bool { return strings.IndexByte(s.without, c) >= 0 })
}

// writeOut enumerates the texts of g.
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
	return []features.Doc{{Name: names[len(names)/2], Text: "1 if this is the player's information, written like a position; there is one column for each possible text", Kind: true, Of: names}}
}

func (s *set) View(st game.State) game.Player { return max(st.Turn(), 0) }

// Extract implements [features.Set]. It panics if the position belongs to another game.
func (s *set) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	room := s.lines.Get().(*[]byte)
	*room = s.line(st, p, *room)
	at, ok := s.written().place[string(*room)]
	s.lines.Put(room)
	if !ok {
		panic(fmt.Sprintf("poker: %s has no column for %s", s.name, st))
	}
	return append(x, models.Term{Index: at, Value: 1})
}
