package loop

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/progress"
	"plyfit/internal/report"
	"plyfit/learn/online"
	"plyfit/work"
)

type kind int

const (
	kindTraining kind = iota // in games
	kindSelfPlay             // in games
	kindMatch                // in pairs
	kindFit                  // fits to game positions, or tests of predictions on them; in games
	kinds
)

// amount is the amount of work of one kind.
type amount struct {
	left int           // number of unfinished games or pairs
	done float64       // amount that this process has finished; earlier parts count less
	took time.Duration // time spent on it; excludes the time before the first progress report of each part
	each float64       // number of positions per game in the latest fit, if done counts positions; otherwise 0
}

// pace predicts a run's remaining time from the speed of each kind of work. The prediction is only
// displayed.
type pace struct {
	dir   string // run directory; its lock contains the progress
	mu    sync.Mutex
	begun time.Time
	early bool // whether the table of an early model was printed
	work  [kinds]amount
}

// newPace returns the plan of the run. A match with a sequential test is planned with its maximum
// length. In a tournament, only a trained model plays test games. If a different learner wins, the
// method tournament removes these games from the plan.
func (c *Options) newPace() (*pace, error) {
	p := &pace{dir: c.Dir, begun: time.Now()}
	r := &c.Recipe
	if len(r.Trials) == 0 {
		p.planLearning(c)
	}
	for k, stages := range r.Trials {
		sub := *c
		sub.Recipe.Training = stages
		p.planLearning(&sub)
		if k > 0 {
			p.work[kindMatch].left += c.trialPairs()
		}
	}
	if len(r.Training)+len(r.Trials) > 0 {
		p.work[kindSelfPlay].left += r.Tests
		p.work[kindFit].left += r.Tests
	}
	list, err := c.comparisons()
	for i := range list {
		p.work[kindMatch].left += list[i].Pairs
	}
	if pictured(c.World) {
		p.work[kindMatch].left++
	}
	return p, err
}

// planLearning adds the work of the recipe's training stages or, if there are none, of its rounds.
func (p *pace) planLearning(c *Options) {
	r := &c.Recipe
	for _, t := range r.Training {
		starts := max(1, t.Starts)
		p.work[kindTraining].left += starts * t.Episodes
		p.work[kindMatch].left += (starts-1)*c.trialPairs() + starts*guardPairs(r, t.Episodes)
	}
	if len(r.Training) > 0 {
		return
	}
	for k := 1; k <= r.Rounds; k++ {
		p.work[kindSelfPlay].left += c.episodes(k)
		p.work[kindFit].left += c.episodes(k)
		p.work[kindMatch].left += c.shortMatch()
		if k > 1 || r.Prior != "" {
			p.work[kindMatch].left += c.trialPairs()
		}
	}
}

// pictured reports whether the report shows a game of w.
func pictured(w *catalog.World) bool {
	_, draws := game.As[game.Illustrator](w.New())
	return draws && !w.Hidden
}

// left returns the time that the planned work takes at the current speed. If the second result is
// false, some kind of work has not been timed yet, so the run will take longer.
func (p *pace) left() (left time.Duration, all bool) {
	all = true
	for _, w := range p.work {
		switch {
		case w.left <= 0:
		case w.done <= 0:
			all = false
		default:
			left += time.Duration(float64(w.took) / w.done * float64(w.left) * cmp.Or(w.each, 1))
		}
	}
	return left, all
}

// text describes the remaining time, or returns "" if nothing has been timed yet.
func (p *pace) text() string {
	left, all := p.left()
	left = left.Round(time.Second)
	switch {
	case left <= 0:
		return ""
	case all:
		return fmt.Sprintf("%v of the run remains", left)
	}
	return fmt.Sprintf("more than %v of the run remains", left)
}

// A part is a piece of work that has its own progress bar.
type part struct {
	pace  *pace
	kind  kind
	bar   *progress.Bar
	total int

	any          bool
	done         int
	timed, noted time.Time
}

// startPart shows the progress of a part with the given total number of games or pairs.
func (c *Options) startPart(k kind, title string, total int) *part {
	t := &part{pace: c.pace, kind: k, total: total, bar: progress.New(c.Log, title, int64(total), c.Quiet)}
	c.pace.mu.Lock()
	w := &c.pace.work[k] // earlier parts, which may belong to other learners or planners, count for a tenth
	w.done, w.took = w.done/10, w.took/10
	c.pace.mu.Unlock()
	t.bar.Left("") // only one estimate is shown, for the whole run
	t.bar.OnProgress(work.ProgressWriter(c.pace.dir))
	return t
}

// set records the number of finished games or pairs. The first call may include the work of an
// earlier process, so it is not timed.
func (t *part) set(done int) {
	now := time.Now()
	t.pace.mu.Lock()
	w := &t.pace.work[t.kind]
	if t.any {
		w.done += float64(done - t.done)
		w.took += now.Sub(t.timed)
	}
	w.left -= done - t.done
	if !t.any || now.Sub(t.noted) >= time.Second {
		t.noted = now
		t.bar.Left(t.pace.text())
	}
	t.any, t.done, t.timed = true, done, now
	t.pace.mu.Unlock()
	t.bar.Set(int64(done))
}

func (t *part) finish() {
	t.bar.Finish()
	t.pace.plan(t.kind, t.done-t.total)
}

// plan adds n games or pairs to the planned work. A negative n removes work that turns out to be
// unnecessary.
func (p *pace) plan(k kind, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.work[k].left += n
}

// timeFit times a computation on game positions and shows its progress.
func (c *Options) timeFit(title string, games int, positions int64, do func() error) error {
	p := c.pace
	p.mu.Lock()
	w := &p.work[kindFit]
	w.each = float64(positions) / float64(games)
	left := p.text()
	p.mu.Unlock()
	work.ProgressWriter(p.dir)(0, 0, strings.TrimSuffix(title+": "+left, ": "))
	stop := progress.Working(c.Log, title, c.Quiet)
	begun := time.Now()
	err := do()
	stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	w.left, w.done, w.took = w.left-games, w.done+float64(positions), w.took+time.Since(begun)
	return err
}

// printf prints a line about finished work. The line includes the time since this process started.
func (c *Options) printf(format string, values ...any) {
	if c.Quiet {
		return
	}
	fmt.Fprintf(c.Log, format+"; %v so far\n", append(values, time.Since(c.pace.begun).Round(time.Second))...)
}

// ending describes the match that decided whether a new model is accepted.
func ending(score string, accepted bool) string {
	if accepted {
		return score + " against the best earlier model, accepted"
	}
	return score + " against the best earlier model, rejected"
}

// announce prints what the run does and, if known, how long it will take.
func (c *Options) announce() {
	if c.Quiet {
		return
	}
	line := fmt.Sprintf("learning %s in %s: %s, then %d pairs of games", c.World.Label(), c.Dir, c.Recipe.Learner(), c.pace.work[kindMatch].left)
	if c.Recipe.Minutes > 0 {
		line += fmt.Sprintf("; about %d minutes on two cores", c.Recipe.Minutes)
	}
	fmt.Fprintln(c.Log, line)
}

// printEarly returns a function that prints a table with the strength of an early model. The
// strength is the result of the first match on the learning curve in the first training. A resumed
// run prints the next match instead.
func (c *Options) printEarly(out io.Writer, t features.Training) func(p online.Point) {
	var zero stats.Estimate
	return func(p online.Point) {
		switch {
		case p.Episodes == 0:
			zero = p.Strength
			return
		case c.pace.early || c.Quiet || p.Pairs == 0 || p.Episodes >= t.Episodes:
			return
		}
		c.pace.early = true
		rival := "hand-written"
		if c.opponent() == "zero" {
			rival = "random"
		}
		table := report.Table{Head: []string{"early, in " + c.World.Label(), "learned against " + rival}, Rows: [][]string{{c.Recipe.Planners[0], p.Strength.Format(p.Strength.Decimals(), 1)}}}
		games := fmt.Sprintf("%d pairs of games", p.Pairs)
		switch {
		case p.Rival.Known:
			games = fmt.Sprintf("%d games each with common random numbers", p.Pairs)
			table.Head = []string{table.Head[0], "zero", rival, "learned"}
			table.Rows[0] = []string{c.Recipe.Planners[0], plusMinus(zero), plusMinus(p.Rival), plusMinus(p.Strength)}
		case p.Of == online.ShareOfPoints:
			table.Rows[0][1] = p.Strength.Percent()
		}
		table.Print(out) // an error is ignored, because the run does not need the output
		fmt.Fprintf(out, "Early model after %d of %d games: %s with a 95%% interval, from %s. Learning continues.\n\n", p.Episodes, t.Episodes, p.Of, games)
	}
}
