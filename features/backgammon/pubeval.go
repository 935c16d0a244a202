package backgammon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"

	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
	"plyfit/search"
)

// A pubevalAgent is Gerald Tesauro's public benchmark player (1993). It moves to the position with
// the highest weighted sum of the features of [pubevalInputs]. It has two sets of weights and
// selects one before each move, depending on whether the position is a race. The sums rank
// positions but are not measured in points, so its results have no Values.
type pubevalAgent struct {
	race, contact [perPhase]float64

	moves []game.Move
	x     models.Vector
}

var _ search.Agent = (*pubevalAgent)(nil)

// readPubeval reads the weights from the files WT.race and WT.cntc in a folder. Each file must
// contain 122 numbers. An error states the file name and what was expected. where is the name of
// the folder in such errors.
func readPubeval(files fs.FS, where string) (*pubevalAgent, error) {
	p := &pubevalAgent{}
	for name, weights := range map[string]*[perPhase]float64{"WT.race": &p.race, "WT.cntc": &p.contact} {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("pubeval: want a folder with WT.race and WT.cntc: %s: %w", where, err)
		}
		fields := bytes.Fields(data)
		if len(fields) != perPhase {
			return nil, fmt.Errorf("pubeval: %s/%s: %d numbers, want %d", where, name, len(fields), perPhase)
		}
		for i, f := range fields {
			w, err := strconv.ParseFloat(string(f), 64)
			if err != nil || math.IsNaN(w) || math.IsInf(w, 0) {
				return nil, fmt.Errorf("pubeval: %s/%s: %q is not a number", where, name, f)
			}
			weights[i] = w
		}
	}
	return p, nil
}

// Clone returns another player with the same weights, for use in another goroutine.
func (p *pubevalAgent) Clone() *pubevalAgent { return &pubevalAgent{race: p.race, contact: p.contact} }

// Begin implements [search.Agent]. It does nothing, because the player is deterministic.
func (p *pubevalAgent) Begin(uint64) {}

func (p *pubevalAgent) Search(_ context.Context, s game.State) (search.Result, error) {
	b := board.Of(s)
	if b == nil {
		return search.Result{Move: game.NoMove}, errors.New("pubeval: can only play backgammon")
	}
	r := search.Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return r, nil
	}
	if b.Turn() == game.Chance {
		return r, errors.New("pubeval: cannot choose the dice")
	}
	weights := &p.contact
	if b.Race() {
		weights = &p.race
	}
	best := math.Inf(-1)
	p.moves = b.Moves(p.moves[:0])
	for _, m := range p.moves {
		if score := p.score(b, m, weights); score > best {
			best, r.Move = score, m
		}
	}
	r.Depth, r.Nodes = 1, int64(len(p.moves))
	return r, nil
}

// score returns the weighted sum for the position after m.
func (p *pubevalAgent) score(b *board.State, m game.Move, weights *[perPhase]float64) float64 {
	mover := b.Player()
	b.Play(m)
	defer b.Undo()
	if b.Turn() == game.Nobody {
		return 99999999 // the value of a win in the original program
	}
	p.x = appendInputs(b, mover, 0, p.x[:0])
	score := 0.0
	for _, t := range p.x {
		score += float64(weights[t.Index] * float64(t.Value))
	}
	return score
}
