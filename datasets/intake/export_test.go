package intake

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/connect4"
	"plyfit/game/pig"
)

// TestWriteEPD: what is written is read again as the same positions, results and
// episodes, without a past.
func TestWriteEPD(t *testing.T) {
	shared := func(g *game.Game, err error) *game.Game {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	chessGame := shared(chess.New(new(game.Options)))
	four := shared(connect4.New(new(game.Options)))
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, c := range []struct {
		g       *game.Game
		records []datasets.Record
		want    string // the first line
		left    int
	}{
		{chessGame, []datasets.Record{
			{Position: start + " moves g1f3 g8f6", Outcome: []float64{1, -1}, ID: `a "b"; c`},
			{Position: "8/8/4k3/8/4K3/4P3/8/8 b - - 7 50", Outcome: []float64{0, 0}, Episode: 1},
			{Position: start, Truncated: true, Episode: 2},
		}, `rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - c9 "1-0"; id "a 'b', c"; hmvc 2; fmvn 2;`, 1},
		{four, []datasets.Record{
			{Position: four.New().String(), Outcome: []float64{-1, 1}},
			{Position: four.New().String(), Outcome: []float64{0.5, -0.5}, Episode: 1},
		}, four.New().String() + ` c9 "0-1"; id "0";`, 0},
	} {
		var b bytes.Buffer
		left, err := WriteEPD(&b, c.g, each(c.records))
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(b.String(), "\n")
		if first != c.want || left != c.left {
			t.Errorf("%s: writes\n%s\nwant\n%s\n%d left out, want %d", c.g.Name, first, c.want, left, c.left)
		}
		if strings.Contains(b.String(), "moves") {
			t.Errorf("%s: a position with its past:\n%s", c.g.Name, b.String())
		}
		back, err := read(t, "x.epd", b.String(), Options{Game: c.g})
		if err != nil {
			t.Fatal(err)
		}
		if back.Positions() != len(c.records)-c.left || back.Episodes() != back.Positions() {
			t.Errorf("%s: read back %d positions of %d episodes", c.g.Name, back.Positions(), back.Episodes())
		}
		dir := filepath.Join(t.TempDir(), "set")
		if _, err := back.Write(context.Background(), dir); err != nil {
			t.Fatal(err)
		}
		set, err := datasets.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		k := 0
		for r, err := range set.Records() {
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(r.Outcome), fmt.Sprint(c.records[k].Outcome); got != want {
				t.Errorf("%s, position %d: outcome %s, want %s", c.g.Name, k, got, want)
			}
			k++
		}
	}
	g := shared(pig.New(new(game.Options)))
	if _, err := WriteEPD(new(bytes.Buffer), g, each(nil)); err == nil && g.Players != 2 {
		t.Error("a game of one was written")
	}
}

func each(records []datasets.Record) iter.Seq2[*datasets.Record, error] {
	return func(yield func(*datasets.Record, error) bool) {
		for i := range records {
			if !yield(&records[i], nil) {
				return
			}
		}
	}
}
