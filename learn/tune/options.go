package tune

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
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
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/uci"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
	"plyfit/work"
)

// Option is an option of an engine, and what it does to the engine's scores.
type Option struct {
	Name    string `json:"name"`
	Default int    `json:"default"`
	Min     int    `json:"min"`
	Max     int    `json:"max"`
	Now     int    `json:"now"`
	// Step is the change that was tried, Changed the share of the positions whose score it changes,
	// and Linear the share of these in which the score changes in proportion.
	Step    int     `json:"step"`
	Changed float64 `json:"changed"`
	Linear  float64 `json:"linear"`
	Out     string  `json:"out,omitempty"` // why it is not tuned; "": it is
}

// Options tunes a UCI engine through those of its options that are whole numbers. An option's column
// is by how many centipawns the score of a position changes for each unit of the option.
type Options struct {
	Ladder             // Engine.Spec is the engine; Table, Fit, Units and Engine.Options are made
	Patterns  []string // of names of options, as [path.Match] has them, in any case; nil: all
	Positions string   // file or data set of positions with results; "": of Games
	Games     Games    // of the engine itself
	Rows      int      // positions, at most
	spec      string   // of the engine that is asked for scores
}

// Tuned is what [Options] found.
type Tuned struct {
	*Outcome
	Rows    int            `json:"rows"`
	Skipped map[string]int `json:"skipped"` // positions, by reason
	Options []*Option      `json:"options"`
	Set     []string       `json:"set"` // lines for the engine, where a candidate wins
}

const (
	restColumn = "rest" // of the score: what is no sum of options
	prefix     = "option."
	chunk      = 250 // positions; a killed run asks for so many scores again, for each worker
	tolerance  = 2   // centipawns: scores are rounded
	leastLine  = 0.5 // share of the positions in which an option has to be linear
	decided    = 3000
)

// Run asks, fits, races and confirms what is missing.
func (o *Options) Run(ctx context.Context) (*Tuned, error) {
	t := &Tuned{Skipped: map[string]int{}}
	err := o.offers(ctx, t)
	if err == nil {
		err = begin(o.Dir, o.Given)
	}
	if err != nil {
		return nil, err
	}
	rows, err := o.rows(ctx)
	if err != nil {
		return nil, err
	}
	scores, err := o.probe(ctx, rows, t.Options)
	if err != nil {
		return nil, err
	}
	if err := o.tabulate(ctx, rows, scores, t); err != nil {
		return nil, err
	}
	if t.Outcome, err = o.Ladder.Run(ctx); err == nil && t.Winner != nil {
		w, err := models.ReadWeights(t.Winner.Weights)
		if err != nil {
			return nil, err
		}
		t.Set = o.Engine.lines(w)
	}
	return t, err
}

// offers finds the engine's options, and the spec of the engine that is asked.
func (o *Options) offers(ctx context.Context, t *Tuned) error {
	s, err := game.ParseSpec(o.Engine.Spec)
	if err != nil {
		return fmt.Errorf("engine %w", err)
	}
	if s.Name != uci.Protocol {
		return fmt.Errorf("engine %s: want uci:cmd=PROGRAM,depth=N", o.Engine.Spec)
	}
	names, values := s.Options.Under("option")
	c, err := protocol.ReadCommand(s.Options.String("cmd", ""))
	if err != nil {
		return fmt.Errorf("engine %s: %w", o.Engine.Spec, err)
	}
	list, err := uci.Offers(ctx, &protocol.Launcher{Command: c}, s.Options.Duration("timeout", 0))
	if err != nil {
		return err
	}
	usual := map[string]string{"depth": "1", "nodes": "", "time": ""}
	fits := make([]bool, len(o.Patterns))
	for _, offer := range list {
		x := &Option{Name: offer.Name}
		t.Options = append(t.Options, x)
		number := false
		if x.Default, x.Min, x.Max, number = offer.Spin(); !number {
			x.Out = "no whole number with limits"
			continue
		}
		x.Now = x.Default
		i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, x.Name) })
		if i >= 0 {
			if x.Now, err = strconv.Atoi(values[i]); err != nil || x.Now < x.Min || x.Now > x.Max {
				return fmt.Errorf("engine %s: option %s: want a whole number from %d to %d", o.Engine.Spec, x.Name, x.Min, x.Max)
			}
		} else if strings.EqualFold(x.Name, "hash") {
			usual[prefix+x.Name] = strconv.Itoa(x.Min) // which is cleared before each question
		}
		wanted := o.Patterns == nil
		for i, pattern := range o.Patterns {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(x.Name))
			if err != nil {
				return fmt.Errorf("options %q: %w", pattern, err)
			}
			fits[i], wanted = fits[i] || ok, wanted || ok
		}
		if x.step(); !wanted {
			x.Out = "not asked for"
		} else if x.Step == 0 {
			x.Out = "has one value"
		}
	}
	for i, ok := range fits {
		if !ok {
			return fmt.Errorf("options %q: no whole number of %s has such a name", o.Patterns[i], c.Name())
		}
	}
	if !slices.ContainsFunc(t.Options, func(x *Option) bool { return x.Out == "" }) {
		return fmt.Errorf("%s: has no option that is a whole number: nothing to tune", c.Name())
	}
	o.spec, err = with(o.Engine.Spec, usual)
	return err
}

// unit is the option's own measure: its default, or where that is 0 a quarter of its range.
func (x *Option) unit() int {
	if x.Default != 0 {
		return max(x.Default, -x.Default)
	}
	return max(1, (x.Max-x.Min)/4)
}

// step chooses the change that is tried: half of the unit, downwards where there is more room.
func (x *Option) step() {
	up, down := x.Max-x.Now, x.Now-x.Min
	x.Step = min(max(2, x.unit()/2), max(up, down))
	if x.Step > up {
		x.Step = -x.Step
	}
}

// part is a smaller change than the step; 0: there is none.
func (x *Option) part() int { return x.Step / 2 }

// row is a position with the result of its game.
type row struct{ game, position, result string }

// rows are the positions, drawn by the seed.
func (o *Options) rows(ctx context.Context) (rows []row, err error) {
	path := filepath.Join(o.Dir, "positions.csv")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		set, err := o.set(ctx)
		if err != nil {
			return nil, err
		}
		e, err := o.World.Evaluation("")
		if err != nil {
			return nil, err
		}
		err = disk.Write(path, func(w io.Writer) error {
			n, err := selfplay.WritePositions(ctx, w, o.World.Game, e.New(), o.World.Game.Dialect(uci.Protocol).FEN, selfplay.Drawn(set.Records(), game.Seed(o.Seed, streamRows)), o.Rows)
			if err == nil && n.Rows == 0 {
				err = fmt.Errorf("%s: no quiet position with a result", set.Dir)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cells, err := csv.NewReader(f).ReadAll()
	for _, c := range cells {
		rows = append(rows, row{c[0], c[2], c[3]})
	}
	return rows[1:], err
}

// set is the data set that the positions are drawn from.
func (o *Options) set(ctx context.Context) (*datasets.Set, error) {
	if o.Positions == "" {
		a, err := o.World.Agent(o.Engine.Spec, catalog.AgentOptions{})
		if err != nil {
			return nil, err
		}
		o.Games.Game, o.Games.Engine, o.Games.Seed, o.Games.Workers, o.Games.Dir = o.World.Game, a.Factory, o.Seed, o.Workers, o.Dir
		o.tell("plays %d games of the engine with itself", o.Games.Games)
		if _, err := o.Games.Play(ctx); err != nil {
			return nil, err
		}
		return datasets.Open(filepath.Join(o.Dir, GamesName))
	}
	if info, err := os.Stat(o.Positions); err == nil && info.IsDir() {
		if own := filepath.Join(o.Positions, GamesName); own != "" {
			if _, err := os.Stat(own); err != nil {
				return datasets.Open(o.Positions)
			}
			return datasets.Open(own)
		}
		return datasets.Open(o.Positions)
	}
	c, err := intake.Read(ctx, []string{o.Positions}, intake.Options{Game: o.World.Game})
	if err != nil {
		return nil, err
	}
	to := filepath.Join(o.Dir, "positions")
	if _, err := c.Write(ctx, to); err != nil {
		return nil, err
	}
	return datasets.Open(to)
}

// setting is a value of an option; the zero value is the engine as it is.
type setting struct {
	option string
	value  int
	back   bool // asked for from the last position of a chunk to the first
}

func (s setting) file(part int) string {
	return fmt.Sprintf("%s-%d-%v-%d.txt", url.PathEscape(s.option), s.value, s.back, part)
}

// scores are those of the first n positions in White's view, in centipawns or as a reason for none.
func (o *Options) scores(ctx context.Context, rows []row, settings []setting) (scores [][]string, err error) {
	dir, chunks := filepath.Join(o.Dir, "scores"), (len(rows)+chunk-1)/chunk
	name := func(unit int) string { return filepath.Join(dir, settings[unit/chunks].file(unit%chunks)) }
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var missing []int
	for unit := range len(settings) * chunks {
		if _, err := os.Stat(name(unit)); err != nil {
			missing = append(missing, unit)
		}
	}
	pool := work.Pool[struct{}, []string]{Workers: make([]struct{}, max(1, o.Workers)), Task: work.Task[struct{}, []string]{
		Parts: func(int) int { return 1 },
		Do: func(ctx context.Context, _ struct{}, unit, _ int) ([]string, error) {
			from := unit % chunks * chunk
			return o.ask(ctx, rows[from:min(from+chunk, len(rows))], settings[unit/chunks])
		},
		Join: func(_ int, parts [][]string) ([]byte, error) { return []byte(strings.Join(parts[0], "\n")), nil },
	}}
	err = pool.Run(ctx, work.Run{Units: missing, Put: func(unit int, scores []byte) error {
		return disk.Write(name(unit), func(w io.Writer) error { _, err := w.Write(scores); return err })
	}})
	for unit := 0; unit < len(settings)*chunks && err == nil; unit++ {
		if unit%chunks == 0 {
			scores = append(scores, nil)
		}
		var data []byte
		data, err = os.ReadFile(name(unit))
		scores[unit/chunks] = append(scores[unit/chunks], strings.Split(string(data), "\n")...)
	}
	return scores, err
}

// ask asks an engine of one setting for scores.
func (o *Options) ask(ctx context.Context, rows []row, s setting) ([]string, error) {
	spec, err := o.spec, error(nil)
	if s.option != "" {
		spec, err = with(spec, map[string]string{prefix + s.option: strconv.Itoa(s.value)})
	}
	if err != nil {
		return nil, err
	}
	a, err := o.World.Agent(spec, catalog.AgentOptions{})
	if err != nil {
		return nil, err
	}
	engine, err := a.New()
	if err != nil {
		return nil, err
	}
	defer search.Close(engine)
	scores := make([]string, len(rows))
	for k := range rows {
		i := k
		if s.back {
			i = len(rows) - 1 - k
		}
		at, err := o.World.Game.Parse(rows[i].position)
		if err != nil {
			return nil, err
		}
		engine.Begin(0) // which clears what it remembers
		r, err := engine.Search(ctx, at)
		if err != nil {
			return nil, err
		}
		g := o.World.Game.Base()
		cp := protocol.Centipawns(r.Value, g.Min, g.Max)
		switch {
		case len(r.Values) == 0:
			scores[i] = "no score"
		case r.Value >= g.Max || r.Value <= g.Min:
			scores[i] = "mate"
		case cp >= decided || cp <= -decided:
			scores[i] = "decided"
		case at.Turn() == 1:
			scores[i] = strconv.Itoa(-cp)
		default:
			scores[i] = strconv.Itoa(cp)
		}
	}
	return scores, nil
}

// probe drops options that cannot be fitted, and asks for the scores of the others: first those of
// the engine as it is, then those of each option's step.
func (o *Options) probe(ctx context.Context, rows []row, options []*Option) ([][]string, error) {
	sample := rows[:min(chunk, len(rows))]
	settings := []setting{{}, {back: true}}
	var tried []*Option
	for _, x := range options {
		if x.Out == "" {
			tried = append(tried, x)
			settings = append(settings, setting{option: x.Name, value: x.Now + x.part()}, setting{option: x.Name, value: x.Now + x.Step})
		}
	}
	o.tell("asks for scores of %d positions, with %d options changed one by one", len(sample), len(tried))
	scores, err := o.scores(ctx, sample, settings)
	if err != nil {
		return nil, err
	}
	differ := 0
	for i := range sample {
		if scores[0][i] != scores[1][i] {
			differ++
		}
	}
	if differ*50 > len(sample) {
		return nil, fmt.Errorf("%s: gives %d of %d positions another score when they are asked for in another order: want an engine that answers alike twice", o.spec, differ, len(sample))
	}
	settings = settings[:1]
	for k, x := range tried {
		x.judge(scores[0], scores[2+2*k], scores[3+2*k])
		if x.Out == "" {
			settings = append(settings, setting{option: x.Name, value: x.Now + x.Step})
		}
	}
	if len(settings) == 1 {
		return nil, fmt.Errorf("%s: no option that was asked for changes its scores in proportion: nothing to fit", o.spec)
	}
	o.tell("asks for scores of %d positions, with %d options changed one by one", len(rows), len(settings)-1)
	return o.scores(ctx, rows, settings)
}

// judge finds what the option does to scores.
func (x *Option) judge(base, part, full []string) {
	n, changed, linear := 0, 0, 0
	for i := range base {
		b, none := strconv.Atoi(base[i])
		p, lacks := strconv.Atoi(part[i])
		f, misses := strconv.Atoi(full[i])
		if none != nil || lacks != nil || misses != nil {
			continue
		}
		if n++; b == p && b == f {
			continue
		}
		changed++
		if d := float64(f-b) - float64(p-b)*float64(x.Step)/float64(x.part()); x.part() == 0 || d <= tolerance && d >= -tolerance {
			linear++
		}
	}
	if changed == 0 {
		x.Out = fmt.Sprintf("changes no score in %d positions", n)
		return
	}
	x.Changed, x.Linear = float64(changed)/float64(n), float64(linear)/float64(changed)
	if x.Linear < leastLine {
		x.Out = fmt.Sprintf("not linear in %.0f%% of positions: left to play", 100*(1-x.Linear))
	}
}

// tabulate makes the table of the scores, and the fit.
func (o *Options) tabulate(ctx context.Context, rows []row, scores [][]string, t *Tuned) error {
	start := &models.Weights{Columns: []models.Weight{{Name: restColumn, Middlegame: 1, Endgame: 1}}}
	head := []string{"game", restColumn}
	o.Units = map[string]float64{}
	for _, x := range t.Options {
		if x.Out == "" {
			o.Engine.Options = append(o.Engine.Options, x)
			head = append(head, prefix+x.Name)
			start.Columns = append(start.Columns, models.Weight{Name: prefix + x.Name, Middlegame: float64(x.Now), Endgame: float64(x.Now)})
			o.Units[prefix+x.Name] = float64(x.unit()) / 100
		}
	}
	out := [][]string{append(head, "label")}
rows:
	for i, r := range rows {
		base, err := strconv.Atoi(scores[0][i])
		rest := float64(base)
		var cells []string
		for k, x := range o.Engine.Options {
			changed, bad := strconv.Atoi(scores[1+k][i])
			if err != nil || bad != nil {
				t.Skipped[strings.TrimLeft(scores[0][i]+scores[1+k][i], "-0123456789")]++
				continue rows
			}
			c := float64(changed-base) / float64(x.Step)
			rest -= c * float64(x.Now)
			cells = append(cells, strconv.FormatFloat(c, 'g', -1, 64))
		}
		out = append(out, append(append([]string{r.game, strconv.FormatFloat(rest, 'g', -1, 64)}, cells...), r.result))
	}
	t.Rows = len(out) - 1
	path := filepath.Join(o.Dir, "table.csv")
	err := disk.Write(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(out) })
	if err != nil {
		return err
	}
	if o.Table, err = table.Open(ctx, path, table.Layout{Group: "game"}); err != nil {
		return err
	}
	if o.Fit.Start, err = fit.ColumnModel(o.Table, start); err != nil {
		return err
	}
	o.Fit.Frozen, err = fit.FrozenColumns(o.Table, o.Fit.Start, []string{restColumn})
	return err
}
