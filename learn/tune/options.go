package tune

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"plyfit/arena/engine"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/intake"
	"plyfit/datasets/table"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/protocol/engines"
	"plyfit/internal/protocol/uci"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/selfplay"
)

// Options tunes a UCI engine through those of its options that are whole numbers. The column of an
// option is by how many centipawns the engine's score at depth 1 changes for a unit of the option.
type Options struct {
	Ladder             // Engine.Spec is the engine; Table, Units, Engine.Options and parts of Fit are made
	Patterns  []string // of names of options, as [path.Match] has them, in any case; nil: all
	Positions string   // a file or data set of positions with results; "": of Games
	Games     Games    // of the engine with itself
	Rows      int      // positions, at most
}

// Option is an option of an engine, and what it does to the engine's scores.
type Option struct {
	Name    string `json:"name"`
	Now     int    `json:"now"`
	Default int    `json:"default"`
	Min     int    `json:"min"`
	Max     int    `json:"max"`
	Step    int    `json:"step"` // by which it is changed, and by part of that
	// Changed is the share of the positions whose score a step changes, and Linear how well part
	// of a step predicts their change in proportion: 1, exactly; 0, no better than no change.
	Changed float64        `json:"changed"`
	Linear  float64        `json:"linear"`
	Out     string         `json:"out,omitempty"` // why it is not tuned; "": it is
	Values  map[string]int `json:"values"`        // by candidate
}

// Tuned is what [Options] found.
type Tuned struct {
	*Outcome
	// Drawn are the records that positions were drawn from, and Rows the positions that have scores.
	Drawn   selfplay.Written `json:"drawn"`
	Rows    int              `json:"rows"`
	Skipped map[string]int   `json:"skipped"` // positions without a row, by reason
	Options []Option         `json:"options"`
	Set     []string         `json:"set"` // lines that give the engine the winner's values
}

// restColumn is what of a score is no sum of options.
const restColumn = "rest"

// Run asks, fits, races and confirms what is missing.
func (o *Options) Run(ctx context.Context) (*Tuned, error) {
	t := &Tuned{Skipped: map[string]int{}}
	probe, err := o.probe()
	if err != nil {
		return nil, err
	}
	list, err := probe.Tunables(ctx, o.Patterns)
	if err != nil {
		return nil, err
	}
	t.Outcome, err = o.alone(func() (*Outcome, error) { return o.run(ctx, probe, list, t) })
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		t.Options = append(t.Options, Option{x.Name, x.Now, x.Default, x.Min, x.Max, x.Step, x.Changed, x.Linear, x.Out, map[string]int{}})
	}
	for _, c := range t.Candidates {
		w, err := models.ReadWeights(c.Weights)
		if err != nil {
			return nil, err
		}
		for _, x := range t.Options {
			if i := slices.IndexFunc(w.Columns, func(c models.Weight) bool { return c.Name == engine.OptionPrefix+x.Name }); i >= 0 {
				x.Values[c.Name] = int(w.Columns[i].Middlegame)
			}
		}
		if c == t.Winner {
			t.Set = o.Engine.Lines(w)
		}
	}
	return t, nil
}

func (o *Options) run(ctx context.Context, probe *uci.Probe, list []*uci.Tunable, t *Tuned) (*Outcome, error) {
	if err := o.begin(o.Given, len(o.Widths), 0, 0); err != nil {
		return nil, err
	}
	rows, err := o.rows(ctx, t)
	if err != nil {
		return nil, err
	}
	var positions []string
	for _, r := range rows {
		positions = append(positions, r.position)
	}
	scores, err := probe.Columns(ctx, positions, list)
	if err != nil {
		return nil, err
	}
	if err := o.tabulate(ctx, rows, scores, list, t); err != nil {
		return nil, err
	}
	return o.Ladder.run(ctx)
}

// probe asks the engine.
func (o *Options) probe() (*uci.Probe, error) {
	s, err := game.ParseSpec(o.Engine.Spec)
	if err != nil {
		return nil, fmt.Errorf("engine %w", err)
	}
	if s.Name != uci.Protocol {
		return nil, fmt.Errorf("engine %s: want one that speaks UCI: uci:cmd=PROGRAM,depth=3", o.Engine.Spec)
	}
	cfg, err := engines.UCI(o.World.Game, s.Options)
	if err != nil {
		return nil, fmt.Errorf("engine %w", err)
	}
	cfg.Depth, cfg.Nodes, cfg.Time = 1, 0, 0
	return &uci.Probe{Config: cfg, Engine: o.Engine.Spec, Dir: filepath.Join(o.Dir, "scores"), Workers: o.Workers, Log: o.tell}, nil
}

// row is a position with its game and the result of that.
type row struct{ game, position, result string }

// positionsFile describes positions.csv.
type positionsFile struct {
	selfplay.Written
	Digest string `json:"sha256"`
}

// rows reads the positions, or draws and writes them.
func (o *Options) rows(ctx context.Context, t *Tuned) (rows []row, err error) {
	path, kept := filepath.Join(o.Dir, "positions.csv"), filepath.Join(o.Dir, "positions.json")
	var had positionsFile
	if err = disk.ReadSealed(kept, &had); errors.Is(err, fs.ErrNotExist) {
		if had.Written, err = o.draw(ctx, path); err == nil {
			had.Digest, err = disk.Digest(path)
		}
		if err == nil {
			err = disk.WriteSealed(kept, had)
		}
	}
	if err == nil {
		err = disk.CheckDigest(path, had.Digest, kept)
	}
	if err != nil {
		return nil, err
	}
	t.Drawn = had.Written
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	for _, cells := range lines[min(1, len(lines)):] {
		rows = append(rows, row{cells[0], cells[2], cells[3]})
	}
	return rows, err
}

// draw writes positions of the data set to path.
func (o *Options) draw(ctx context.Context, path string) (n selfplay.Written, err error) {
	set, err := o.set(ctx)
	if err != nil {
		return n, err
	}
	e, err := o.World.Evaluation("")
	if err != nil {
		return n, err
	}
	drawn := selfplay.Drawn(set.Records(), game.Seed(o.Seed, streamRows))
	err = disk.Write(path, func(out io.Writer) (err error) {
		n, err = selfplay.WritePositions(ctx, out, o.World.Game, e.New(), o.World.Game.Dialect(uci.Protocol).FEN, drawn, o.Rows)
		if err == nil && n.Rows == 0 {
			err = fmt.Errorf("%s: no quiet position of a game with a result", set.Dir)
		}
		return err
	})
	return n, err
}

// set is the data set that positions are drawn from.
func (o *Options) set(ctx context.Context) (*datasets.Set, error) {
	dir := filepath.Join(o.Positions, GamesName)
	switch info, err := os.Stat(o.Positions); {
	case o.Positions == "":
		a, err := o.World.Agent(o.Engine.Spec, catalog.AgentOptions{})
		if err != nil {
			return nil, err
		}
		g := o.Games
		g.Game, g.Engine, g.Book, g.Seed, g.Workers, g.Dir = o.World.Game, a.Factory, o.Book, o.Seed, o.Workers, filepath.Join(o.Dir, "selfplay")
		o.tell("plays %d games of the engine with itself", g.Games)
		if _, err := g.Play(ctx); err != nil {
			return nil, err
		}
		dir = filepath.Join(g.Dir, GamesName)
	case err != nil:
		return nil, err
	case info.IsDir():
		if _, err := os.Stat(dir); err != nil { // it is no folder of games, but a data set itself
			dir = o.Positions
		}
	default:
		c, err := intake.Read(ctx, []string{o.Positions}, intake.Options{Game: o.World.Game})
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(o.Dir, "positions")
		if _, err := c.Write(ctx, dir); err != nil {
			return nil, err
		}
	}
	return datasets.Open(dir)
}

// tabulate makes the table of the scores, and what the fit needs beside it.
func (o *Options) tabulate(ctx context.Context, rows []row, scores [][]uci.Score, list []*uci.Tunable, t *Tuned) (err error) {
	weights := []models.Weight{{Name: restColumn, Middlegame: 1, Endgame: 1}}
	head := []string{"game", "label", restColumn}
	o.Units, o.Engine.Limits = map[string]float64{}, map[string][2]int{}
	var tuned []*uci.Tunable
	for _, x := range list {
		if name := engine.OptionPrefix + x.Name; x.Out == "" {
			tuned, head, o.Engine.Limits[name] = append(tuned, x), append(head, name), [2]int{x.Min, x.Max}
			weights = append(weights, models.Weight{Name: name, Middlegame: float64(x.Now), Endgame: float64(x.Now)})
			o.Units[name] = float64(x.Unit()) / 100
		}
	}
	lines := [][]string{head}
	for i, r := range rows {
		if k := slices.IndexFunc(scores, func(s []uci.Score) bool { _, ok := s[i].Number(); return !ok }); k >= 0 {
			t.Skipped[string(scores[k][i])]++
			continue
		}
		base, _ := scores[0][i].Number()
		rest, cells := float64(base), []string{r.game, r.result, ""}
		for k, x := range tuned {
			changed, _ := scores[1+k][i].Number()
			column := float64(changed-base)/float64(x.Step) + 0 // not -0
			rest -= float64(column * float64(x.Now))
			cells = append(cells, strconv.FormatFloat(column, 'g', -1, 64))
		}
		cells[2] = strconv.FormatFloat(rest, 'g', -1, 64)
		lines = append(lines, cells)
	}
	t.Rows = len(lines) - 1
	path := filepath.Join(o.Dir, "table.csv")
	if err := disk.Write(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) }); err != nil {
		return err
	}
	if o.Table, err = table.Open(ctx, path, table.Layout{Group: "game"}); err != nil {
		return err
	}
	if o.Fit.Start, err = fit.ColumnModel(o.Table, &models.Weights{Columns: weights}); err != nil {
		return err
	}
	o.Fit.Frozen, err = fit.FrozenColumns(o.Table, o.Fit.Start, []string{restColumn})
	return err
}
