package measure

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/internal/disk"
	"plyfit/internal/list"
)

// A Bench contains decisions in positions from games of planners in which the exact value of every
// move is known. The loss of an evaluation is measured by the moves of one planner with it.
type Bench struct {
	Game      string // spec
	Planner   string // agent without an evaluation
	decisions []decision
}

type decision struct {
	game     string // decisions of one game are not independent
	position string
	values   map[string]float64 // exact value of each move for the player who moves
}

// mostBench is the maximum size of a file in bytes.
const mostBench = 16 << 20

// OpenBench returns the bench with the given name, or reads it from a file whose name ends in .csv.
func OpenBench(name string) (*Bench, error) {
	if strings.HasSuffix(name, ".csv") {
		data, err := disk.Read(name, mostBench)
		if err != nil {
			return nil, err
		}
		b, err := readBench(bytes.NewReader(data))
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return b, err
	}
	file, err := benches.Open("bench/" + name + ".csv")
	if err != nil {
		files, _ := benches.ReadDir("bench")
		names := list.Map(files, func(f fs.DirEntry) string { return strings.TrimSuffix(f.Name(), ".csv") })
		return nil, fmt.Errorf("game %s: has no positions with exact values; want one of %s", name, strings.Join(names, " "))
	}
	defer file.Close()
	return readBench(file)
}

func readBench(r io.Reader) (*Bench, error) {
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = -1
	first, err := rows.Read()
	if err != nil || len(first) != 2 {
		return nil, fmt.Errorf("line 1: want GAME,PLANNER")
	}
	b := &Bench{Game: first[0], Planner: first[1]}
	for {
		row, err := rows.Read()
		line := len(b.decisions) + 2
		switch {
		case err == io.EOF && len(b.decisions) == 0:
			return nil, errors.New("want at least one position")
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, err
		case len(row) != 3:
			return nil, fmt.Errorf("line %d: want a number, a position, and moves with values", line)
		}
		d := decision{row[0], row[1], map[string]float64{}}
		for _, pair := range strings.Fields(row[2]) {
			move, text, _ := strings.Cut(pair, "=")
			value, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
				return nil, fmt.Errorf("line %d: %s: want MOVE=VALUE", line, pair)
			}
			d.values[move] = value
		}
		b.decisions = append(b.decisions, d)
	}
}

// A Score is the result of an evaluation on a bench. The intervals are clustered by game.
type Score struct {
	Loss      stats.Estimate `json:"loss"` // mean difference between the best move's exact value and the chosen one's
	Kept      stats.Estimate `json:"kept"` // share of the decisions without a loss
	Decisions int            `json:"decisions"`
	Games     int            `json:"games"`
}

// Score measures the moves of an agent. If the agent reports several best moves, the mean of their
// losses counts.
func (b *Bench) Score(ctx context.Context, w *catalog.World, a *catalog.Agent) (*Score, error) {
	agent, err := a.New()
	if err != nil {
		return nil, err
	}
	if c, ok := agent.(io.Closer); ok {
		defer c.Close()
	}
	var games []string
	var losses, kept, decisions []float64 // by game
	for i, d := range b.decisions {
		s, err := w.Parse(d.position)
		if err != nil {
			return nil, err
		}
		agent.Begin(uint64(i))
		found, err := agent.Search(ctx, s)
		if err != nil {
			return nil, err
		}
		if len(found.Best) == 0 {
			found.Best = append(found.Best, found.Move)
		}
		k := slices.Index(games, d.game)
		if k < 0 {
			k = len(games)
			games, losses, kept, decisions = append(games, d.game), append(losses, 0), append(kept, 0), append(decisions, 0)
		}
		best := slices.Max(slices.Collect(maps.Values(d.values)))
		for _, m := range found.Best {
			value, known := d.values[s.MoveString(m)]
			if !known {
				return nil, fmt.Errorf("position %q: the move %s has no exact value", d.position, s.MoveString(m))
			}
			losses[k] += (best - value) / float64(len(found.Best))
			if value == best {
				kept[k] += 1 / float64(len(found.Best))
			}
		}
		decisions[k]++
	}
	return &Score{stats.Ratio(losses, decisions), stats.Ratio(kept, decisions), len(b.decisions), len(games)}, nil
}
