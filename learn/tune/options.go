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
	"plyfit/internal/list"
	"plyfit/internal/protocol/engines"
	"plyfit/internal/protocol/uci"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/selfplay"
)

// Options tunes the integer options of a UCI engine. An option's column is the change in the
// engine's score at depth 1, in centipawns, per unit of the option.
type Options struct {
	Ladder             // Engine.Spec is the engine; Run sets Table, Units, Engine.Options and parts of Fit
	Patterns  []string // option names, matched as in [path.Match] but ignoring case; nil means all
	Positions string   // file or data set that contains positions with results; "" means positions from Games
	Games     Games    // the engine's self-play games
	Rows      int      // maximum number of positions
}

// Option is an option of an engine together with its effect on the engine's scores.
type Option struct {
	Name    string `json:"name"`
	Now     int    `json:"now"`
	Default int    `json:"default"`
	Min     int    `json:"min"`
	Max     int    `json:"max"`
	Step    int    `json:"step"` // size of the change that is measured; fractions of this change are also measured
	// Changed is the fraction of the positions whose score changes with a step. Linear measures how
	// well proportionality predicts the change for a fraction of the step: 1 means exactly, and 0
	// means no better than predicting no change.
	Changed float64        `json:"changed"`
	Linear  float64        `json:"linear"`
	Out     string         `json:"out,omitempty"` // reason why the option is not tuned, or "" if it is tuned
	Values  map[string]int `json:"values"`        // values by candidate name
}

// Tuned is the result of [Options.Run].
type Tuned struct {
	*Outcome
	// Drawn counts the records from which positions were drawn. Rows is the number of positions
	// that have scores.
	Drawn   selfplay.Written `json:"drawn"`
	Rows    int              `json:"rows"`
	Skipped map[string]int   `json:"skipped"` // number of positions for which there is no row, by reason
	Options []Option         `json:"options"`
	Set     []string         `json:"set"` // commands that set the winner's values in the engine
}

// restColumn is the column for the part of a score that does not depend on the options.
const restColumn = "rest"

// Run measures the options, fits the weights, races the candidates and confirms the winner. It
// resumes from the files in o.Dir.
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
	t.Outcome, err = o.withLock(func() (*Outcome, error) { return o.run(ctx, probe, list, t) })
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

func (o *Options) run(ctx context.Context, probe *uci.Probe, options []*uci.Tunable, t *Tuned) (*Outcome, error) {
	if err := o.checkSettings(o.Settings, len(o.Widths), 0, 0); err != nil {
		return nil, err
	}
	rows, err := o.rows(ctx, t)
	if err != nil {
		return nil, err
	}
	scores, err := probe.Columns(ctx, list.Map(rows, func(r row) string { return r.position }), options)
	if err != nil {
		return nil, err
	}
	if err := o.tabulate(ctx, rows, scores, options, t); err != nil {
		return nil, err
	}
	return o.Ladder.run(ctx)
}

// probe returns a probe that queries the engine.
func (o *Options) probe() (*uci.Probe, error) {
	s, err := game.ParseSpec(o.Engine.Spec)
	if err != nil {
		return nil, fmt.Errorf("engine %w", err)
	}
	if s.Name != uci.Protocol {
		return nil, fmt.Errorf("engine %s: want a UCI engine, such as uci:cmd=PROGRAM,depth=3", o.Engine.Spec)
	}
	cfg, err := engines.UCI(o.World.Game, s.Options)
	if err != nil {
		return nil, fmt.Errorf("engine %w", err)
	}
	cfg.Depth, cfg.Nodes, cfg.Time = 1, 0, 0
	return &uci.Probe{Config: cfg, Engine: o.Engine.Spec, Dir: filepath.Join(o.Dir, "scores"), Workers: o.Workers, Log: o.logf}, nil
}

// A row is a position with the number and the result of its game.
type row struct{ game, position, result string }

// positionsFile is the format of positions.json, which describes positions.csv.
type positionsFile struct {
	selfplay.Written
	Digest string `json:"sha256"`
}

// rows reads the positions. If there are none yet, it first draws and writes them.
func (o *Options) rows(ctx context.Context, t *Tuned) (rows []row, err error) {
	path, kept := filepath.Join(o.Dir, "positions.csv"), filepath.Join(o.Dir, "positions.json")
	var recorded positionsFile
	if err = disk.ReadSealed(kept, &recorded); errors.Is(err, fs.ErrNotExist) {
		if recorded.Written, err = o.draw(ctx, path); err == nil {
			recorded.Digest, err = disk.Digest(path)
		}
		if err == nil {
			err = disk.WriteSealed(kept, recorded)
		}
	}
	if err == nil {
		err = disk.CheckDigest(path, recorded.Digest, kept)
	}
	if err != nil {
		return nil, err
	}
	t.Drawn = recorded.Written
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

// draw writes positions from the data set to path.
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
			err = fmt.Errorf("%s: want at least one quiet position from a game with a result", set.Dir)
		}
		return err
	})
	return n, err
}

// set returns the data set from which positions are drawn.
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
		o.logf("playing %d games of the engine against itself", g.Games)
		if _, err := g.Play(ctx); err != nil {
			return nil, err
		}
		dir = filepath.Join(g.Dir, GamesName)
	case err != nil:
		return nil, err
	case info.IsDir():
		if _, err := os.Stat(dir); err != nil { // the directory is itself a data set
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

// tabulate creates the table of scores and the settings of the fit that depend on the table.
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
			column := float64(changed-base)/float64(x.Step) + 0 // avoid -0
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
