package features

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/models"
)

// duel is a small game for these tests. The players take turns collecting 1 to 3 points. After each
// move, a coin decides whether the player gets another point. The game ends when each player has
// made four moves. A player's utility is the lead over the mean of the other players, in [-16, 16].
// A single player's utility is the number of points.
type duel struct {
	points []int
	moves  int
	coin   bool // whether the coin is about to be thrown
	undo   []game.Move
}

func duelGame(players int) *game.Game {
	g := &game.Game{Name: "duel", Spec: "duel", Players: players, Min: -16, Max: 16, MaxPlies: 8 * players}
	if players != 2 {
		g.Sum = game.General
	}
	if players == 1 {
		g.Min = 0
	}
	g.New = func() game.State { return &duel{points: make([]int, players)} }
	g.Parse = func(text string) (game.State, error) {
		d := &duel{points: make([]int, players)}
		fields := strings.Fields(text)
		if len(fields) != players+2 {
			return nil, &game.PositionError{Game: "duel", Text: text, At: -1, Want: "points, taken, coin"}
		}
		for i := range d.points {
			fmt.Sscan(fields[i], &d.points[i])
		}
		fmt.Sscan(fields[players], &d.moves)
		d.coin = fields[players+1] == "coin"
		return d, nil
	}
	g.ParseMove = game.FindMove
	return g
}

func (d *duel) last() int { return (d.moves - 1) % len(d.points) }

func (d *duel) Turn() game.Player {
	switch {
	case d.coin:
		return game.Chance
	case d.moves == 4*len(d.points):
		return game.Nobody
	}
	return game.Player(d.moves % len(d.points))
}

func (d *duel) Moves(dst []game.Move) []game.Move {
	switch d.Turn() {
	case game.Nobody:
		return dst
	case game.Chance:
		return append(dst, 0, 1)
	}
	return append(dst, 1, 2, 3)
}

func (d *duel) Play(m game.Move) {
	d.undo = append(d.undo, m)
	if d.coin {
		d.points[d.last()] += int(m)
		d.coin = false
		return
	}
	d.points[d.moves%len(d.points)] += int(m)
	d.moves++
	d.coin = true
}

func (d *duel) Undo() {
	m := d.undo[len(d.undo)-1]
	d.undo = d.undo[:len(d.undo)-1]
	d.points[d.last()] -= int(m)
	if d.coin {
		d.moves--
	}
	d.coin = !d.coin
}

func (d *duel) Utility(p game.Player) float64 {
	if len(d.points) == 1 {
		return float64(d.points[0])
	}
	others := 0
	for i, n := range d.points {
		if i != int(p) {
			others += n
		}
	}
	return float64(d.points[p]) - float64(others)/float64(len(d.points)-1)
}

func (d *duel) Prob(game.Move) float64 { return .5 }
func (d *duel) For() game.Player       { return game.Player(d.last()) }
func (d *duel) Hash() (h uint64) {
	for _, c := range d.String() {
		h = game.Mix(h ^ uint64(c))
	}
	return h
}
func (d *duel) Clone() game.State {
	c := *d
	c.points, c.undo = slices.Clone(d.points), nil
	return &c
}
func (d *duel) String() string {
	coin := "take"
	if d.coin {
		coin = "coin"
	}
	return fmt.Sprintf("%s %d %s", strings.Trim(fmt.Sprint(d.points), "[]"), d.moves, coin)
}
func (d *duel) MoveString(m game.Move) string { return fmt.Sprint(m) }

// duelSet contains the player's own points, the other players' points, whether the player is to
// move, and the number of moves made. It may also contain a small table indexed by points and
// number of moves.
type duelSet struct{ table bool }

func (duelSet) Name() string { return "duel/test" }

func (s duelSet) Blocks() []Block {
	blocks := []Block{{Name: "own", Len: 1}, {Name: "others", Len: 1}, {Name: "tempo", Len: 1}, {Name: "left", Len: 4}}
	if s.table {
		blocks = append(blocks, Block{Name: "table", Len: 17 * 5, Table: true})
	}
	return blocks
}

func (duelSet) View(s game.State) game.Player {
	d := s.(*duel)
	if d.coin || d.Turn() == game.Nobody {
		return game.Player(d.last())
	}
	return d.Turn()
}

func (s duelSet) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	d := st.(*duel)
	for i, n := range d.points {
		if i == int(p) {
			x = append(x, models.Term{Index: 0, Value: float32(n)})
		} else {
			x = append(x, models.Term{Index: 1, Value: float32(n)}) // several terms with the same index
		}
	}
	if !d.coin && d.Turn() == p {
		x = append(x, models.Term{Index: 2, Value: 1})
	}
	x = append(x, models.Term{Index: 3 + int32(d.moves/len(d.points))%4, Value: 1})
	if s.table {
		x = append(x, models.Term{Index: 7 + int32(min(d.points[p], 16)*5+d.moves/len(d.points)), Value: 1})
	}
	return x
}

// fastDuel compiles a model of duelSet into a sum that is updated with each move.
type fastDuel struct{ duelSet }

var (
	_ Compiler = fastDuel{}
	_ Tracked  = (*duelSum)(nil)
)

func (f fastDuel) Compile(g *game.Game, m *models.Linear) Compiled {
	return &duelSum{sum: extracted{set: f.duelSet, model: m, opposed: g.Players < 3}}
}

type duelSum struct {
	sum extracted
	at  duel
}

func (d *duelSum) Reset(s game.State) {
	from := s.(*duel)
	d.at.points = append(d.at.points[:0], from.points...)
	d.at.moves, d.at.coin, d.at.undo = from.moves, from.coin, d.at.undo[:0]
}
func (d *duelSum) Push(s game.State, m game.Move)          { d.at.Play(m) }
func (d *duelSum) Pop()                                    { d.at.Undo() }
func (d *duelSum) Sum(s game.State, p game.Player) float64 { return d.sum.Sum(&d.at, p) }

// randomDuelModel returns a model with weights derived from seed.
func randomDuelModel(set Set, link models.Link, seed uint64) *models.Linear {
	m := models.New("duel", set.Name(), set.Blocks())
	draw := func() float64 { seed = game.Mix(seed); return float64(int32(seed)) / math.MaxInt32 / 8 }
	for i := range m.Weights {
		m.Weights[i] = draw()
	}
	for i := range m.Table {
		m.Table[i] = float32(draw())
	}
	m.Bias, m.Link = draw(), link
	return m
}
