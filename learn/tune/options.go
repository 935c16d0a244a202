package tune

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	// Changed is the share of the positions whose score a step changes, and Linear how much of all
	// their change the part foretells in proportion: 1, all; 0, as little as none.
	Changed float64        `json:"changed"`
	Linear  float64        `json:"linear"`
	Out     string         `json:"out,omitempty"` // why it is not tuned; "": it is
	Values  map[string]int `json:"values"`        // by candidate
}

// Tuned is what [Options] found.
type Tuned struct {
	*Outcome
	Rows    int            `json:"rows"`
	Skipped map[string]int `json:"skipped"` // positions without a row, by reason
	Options []*Option      `json:"options"`
	Set     []string       `json:"set"` // lines that give the engine the winner's values
}

const (
	restColumn   = "rest" // what of a score is no sum of options
	optionPrefix = "option."
	sampled      = 250  // positions by which options are measured
	leastChanged = 0.02 // of them: a fit of fewer would be one of a few games
	leastLinear  = 0.5  // in Toga II and Glaurung weights have 0.64 to 1, all else at most 0.2
	mostUnsteady = 0.02 // of them: Glaurung forgets nearly all, but not all, at ucinewgame
)

// Run asks, fits, races and confirms what is missing.
func (o *Options) Run(ctx context.Context) (*Tuned, error) {
	t := &Tuned{Skipped: map[string]int{}}
	probe, err := o.offers(ctx, t)
	if err != nil {
		return nil, err
	}
	t.Outcome, err = o.alone(func() (*Outcome, error) { return o.run(ctx, probe, t) })
	if err != nil {
		return nil, err
	}
	for _, c := range t.Candidates {
		w, err := models.ReadWeights(c.Weights)
		if err != nil {
			return nil, err
		}
		for i, x := range o.Engine.Options {
			x.Values[c.Name] = int(w.Columns[1+i].Middlegame)
		}
		if c == t.Winner {
			t.Set = o.Engine.lines(w)
		}
	}
	return t, nil
}

func (o *Options) run(ctx context.Context, probe *uci.Probe, t *Tuned) (*Outcome, error) {
	if err := o.begin(o.Given, len(o.Widths), 0, 0); err != nil {
		return nil, err
	}
	rows, err := o.rows(ctx)
	if err != nil {
		return nil, err
	}
	scores, err := o.scores(ctx, probe, rows, t.Options)
	if err != nil {
		return nil, err
	}
	if err := o.tabulate(ctx, rows, scores, t); err != nil {
		return nil, err
	}
	return o.Ladder.run(ctx)
}

// offers finds the options that may be tuned.
func (o *Options) offers(ctx context.Context, t *Tuned) (*uci.Probe, error) {
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
	offered, err := uci.Offers(ctx, cfg.Launcher, cfg.Timeout)
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(o.Patterns))
	for _, offer := range offered {
		x := &Option{Name: offer.Name, Out: "no whole number", Values: map[string]int{}}
		t.Options = append(t.Options, x)
		var number bool
		if x.Default, x.Min, x.Max, number = offer.Spin(); !number {
			continue
		}
		x.Now, x.Out = x.Default, ""
		if i := slices.IndexFunc(cfg.Options, func(set uci.Option) bool { return strings.EqualFold(set.Name, x.Name) }); i >= 0 {
			if x.Now, err = strconv.Atoi(cfg.Options[i].Value); err != nil || x.Now < x.Min || x.Now > x.Max {
				return nil, fmt.Errorf("engine %s: option.%s: want a whole number from %d to %d", o.Engine.Spec, x.Name, x.Min, x.Max)
			}
		} else if strings.EqualFold(x.Name, "hash") { // which is cleared for each score
			cfg.Options = append(cfg.Options, uci.Option{Name: x.Name, Value: strconv.Itoa(x.Min)})
		}
		wanted := o.Patterns == nil
		for i, pattern := range o.Patterns {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(x.Name))
			if err != nil {
				return nil, fmt.Errorf("options %q: %w", pattern, err)
			}
			found[i], wanted = found[i] || ok, wanted || ok
		}
		if x.step(); !wanted {
			x.Out = "not asked for"
		} else if x.part() == 0 {
			x.Out = "two values at most"
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return nil, fmt.Errorf("options %q: no option of %s that is a whole number has such a name", o.Patterns[i], s.Options.String("cmd", ""))
	}
	if !slices.ContainsFunc(t.Options, func(x *Option) bool { return x.Out == "" }) {
		return nil, fmt.Errorf("engine %s: none of its options is a whole number: nothing to tune", o.Engine.Spec)
	}
	cfg.Depth, cfg.Nodes, cfg.Time = 1, 0, 0
	return &uci.Probe{Config: cfg, Dir: filepath.Join(o.Dir, "scores"), Workers: o.Workers}, nil
}

// unit is what an option is measured by: its default, or where that is 0 a quarter of its range.
func (x *Option) unit() int {
	if x.Default != 0 {
		return max(x.Default, -x.Default)
	}
	return max(1, (x.Max-x.Min)/4)
}

// step chooses half of the unit, downwards where there is more room.
func (x *Option) step() {
	up, down := x.Max-x.Now, x.Now-x.Min
	x.Step = max(2, x.unit()/2)
	if x.Step > up && down > up {
		x.Step = -min(x.Step, down)
	}
	x.Step = min(x.Step, up)
}

// part is half of the step, or of a step of 1 the same the other way; 0: there is no room for it.
func (x *Option) part() int {
	if part := x.Step / 2; part != 0 || x.Now-x.Step < x.Min || x.Now-x.Step > x.Max {
		return part
	}
	return -x.Step
}

// row is a position with its game and the result of that.
type row struct{ game, position, result string }

// rows are the positions, which stay in a file.
func (o *Options) rows(ctx context.Context) (rows []row, err error) {
	path := filepath.Join(o.Dir, "positions.csv")
	if _, err := os.Stat(path); err != nil {
		set, err := o.set(ctx)
		if err != nil {
			return nil, err
		}
		e, err := o.World.Evaluation("")
		if err != nil {
			return nil, err
		}
		drawn := selfplay.Drawn(set.Records(), game.Seed(o.Seed, streamRows))
		err = disk.Write(path, func(out io.Writer) error {
			n, err := selfplay.WritePositions(ctx, out, o.World.Game, e.New(), o.World.Game.Dialect(uci.Protocol).FEN, drawn, o.Rows)
			if err == nil && n.Rows == 0 {
				err = fmt.Errorf("%s: no quiet position of a game with a result", set.Dir)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	text, err := os.ReadFile(path)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.SplitN(line, ",", 3)
		end := strings.LastIndexByte(cells[2], ',')
		rows = append(rows, row{cells[0], cells[2][:end], cells[2][end+1:]})
	}
	return rows, err
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

// scores are those of the engine as it is, and of each option that stays: others are out.
func (o *Options) scores(ctx context.Context, probe *uci.Probe, rows []row, options []*Option) ([][]uci.Score, error) {
	var positions []string
	for _, r := range rows {
		positions = append(positions, r.position)
	}
	sample := positions[:min(sampled, len(positions))]
	settings, stay := []uci.Setting{{}, {Backward: true}}, []uci.Setting{{}}
	for _, x := range options {
		if x.Out == "" {
			settings = append(settings, uci.Setting{Name: x.Name, Value: x.Now + x.part()}, uci.Setting{Name: x.Name, Value: x.Now + x.Step})
		}
	}
	o.tell("asks for the scores of %d positions with %d settings", len(sample), len(settings))
	scores, err := probe.Scores(ctx, sample, settings)
	if err != nil {
		return nil, err
	}
	differ := 0
	for i := range sample {
		if scores[0][i] != scores[1][i] {
			differ++
		}
	}
	if float64(differ) > mostUnsteady*float64(len(sample)) {
		return nil, fmt.Errorf("engine %s: scores %d of %d positions otherwise when they come in another order: want one that answers alike twice", o.Engine.Spec, differ, len(sample))
	}
	k := 2
	for _, x := range options {
		if x.Out == "" {
			x.measure(scores[0], scores[k], scores[k+1])
			k += 2
		}
		if x.Out == "" {
			stay = append(stay, uci.Setting{Name: x.Name, Value: x.Now + x.Step})
		}
	}
	if len(stay) == 1 {
		return nil, fmt.Errorf("engine %s: no option that was asked for changes its scores in proportion: nothing to fit", o.Engine.Spec)
	}
	o.tell("asks for the scores of %d positions with %d settings", len(rows), len(stay))
	return probe.Scores(ctx, positions, stay)
}

// measure finds what the option does to the scores of positions.
func (x *Option) measure(base, part, step []uci.Score) {
	n, changed, all, off := 0, 0, 0.0, 0.0
	for i := range base {
		b, ok := base[i].Number()
		p, had := part[i].Number()
		s, has := step[i].Number()
		if !ok || !had || !has {
			continue
		}
		n++
		if b != p || b != s {
			changed++
		}
		all += math.Abs(float64(s - b))
		off += math.Abs(float64(s-b) - float64(p-b)*float64(x.Step)/float64(x.part()))
	}
	x.Changed = float64(changed) / float64(max(1, n))
	if all > 0 {
		x.Linear = max(0, 1-off/all)
	}
	switch {
	case changed == 0:
		x.Out = "changes no score"
	case x.Changed < leastChanged:
		x.Out = "changes few scores"
	case x.Linear < leastLinear:
		x.Out = "not linear"
	}
}

// tabulate makes the table of the scores, and what the fit needs beside it.
func (o *Options) tabulate(ctx context.Context, rows []row, scores [][]uci.Score, t *Tuned) (err error) {
	weights := []models.Weight{{Name: restColumn, Middlegame: 1, Endgame: 1}}
	head := []string{"game", "label", restColumn}
	o.Units = map[string]float64{}
	for _, x := range t.Options {
		if name := optionPrefix + x.Name; x.Out == "" {
			o.Engine.Options, head = append(o.Engine.Options, x), append(head, name)
			weights = append(weights, models.Weight{Name: name, Middlegame: float64(x.Now), Endgame: float64(x.Now)})
			o.Units[name] = float64(x.unit()) / 100
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
		for k, x := range o.Engine.Options {
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
