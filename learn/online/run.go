package online

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/models"
	"plyfit/work"
)

// Options is a run of a learner.
type Options struct {
	Conduct
	Learner Learner
	Game    *game.Game // the world of its task
	Goal    bool       // its task counts goals

	// Recipe lists all that the weights depend on. A checkpoint of another recipe is refused.
	Recipe []RecipeItem

	Episodes int           // to learn from in all
	Time     time.Duration // of playing and learning, after which the run ends early; 0: as long as it takes. The result then depends on the machine
	Chunk    int           // Advance is called from multiples of it on, and it divides Curve.Every; 0: 1
}

// Conduct is of a run what no weight depends on.
type Conduct struct {
	// Dir has the checkpoint, log.jsonl (what happened when, and the curve, a line a point) and
	// report.html.
	Dir             string        `flag:"run" help:"run folder; default: MODEL.train next to the model"`
	CheckpointEvery time.Duration `flag:"checkpoint-every" default:"1m0s" help:"minimum time between checkpoints"`
	Curve           Curve

	Command string // what repeats the run, for the model and the report

	// Middle gets the model after half of the episodes, rounded down to a multiple of Chunk, again
	// where a killed run goes on from there; nil: none. The weights change when it has returned.
	Middle func(m *models.Linear) error

	Progress func(episodes int) // told now and then, the resumed ones at once; nil: none
	Measured func(p Point)      // told of each point as it is measured; nil: none
}

// Report is what a run found.
type Report struct {
	Episodes int     `json:"episodes"`
	Resumed  int     `json:"resumed"` // of them, learned from before this call
	Early    bool    `json:"early"`   // ended by Time
	Seconds  float64 `json:"seconds"` // of playing and learning
	Rate     float64 `json:"moves_per_second"`
	Bytes    int64   `json:"bytes,omitempty"` // of the weights and what is kept beside them, where the learner tells
	Tally    Tally   `json:"tally"`
	Points   []Point `json:"points"`

	Model *models.Linear `json:"-"`
}

// Names of the files in a run's folder.
const (
	CheckpointFile = "checkpoint"
	LogFile        = "log.jsonl"
	PageFile       = "report.html"
)

// grace is how long an interrupted run may take to come to a place where it can be kept.
const grace = 5 * time.Second

// stretch is about how long Advance is at work at a time.
const stretch = 200 * time.Millisecond

// Run takes the learner from where the checkpoint in Dir is, or from the beginning, to the end.
// When ctx ends first, a checkpoint is written where the learner comes to a halt in time; the error
// is then ctx's. A folder in which another process is at work is refused.
func Run(ctx context.Context, c Options) (out *Report, err error) {
	if c.Episodes < 1 {
		return nil, fmt.Errorf("games=%d: want at least 1", c.Episodes)
	}
	c.Chunk = max(1, c.Chunk)
	c.CheckpointEvery = cmp.Or(c.CheckpointEvery, time.Minute)
	r := &run{Options: c, chunk: c.Chunk}
	err = work.Alone(r.Dir, func() error {
		if err := r.begin(ctx); err != nil {
			return err
		}
		if err := r.learn(ctx); err != nil {
			return err
		}
		out, err = r.finish()
		return err
	})
	return out, err
}

type run struct {
	Options
	h       header
	resumed int
	saved   time.Time
	saving  time.Duration // the last checkpoint took
	chunk   int
	early   bool
}

func (r *run) path(name string) string { return filepath.Join(r.Dir, name) }

// begin finds the checkpoint, or measures the first point.
func (r *run) begin(ctx context.Context) error {
	h, found, err := readCheckpoint(r.path(CheckpointFile), r.Recipe, r.Learner)
	if err != nil {
		return err
	}
	r.saved = time.Now()
	if found {
		r.h, r.resumed = *h, h.Episodes
		// Points that were measured after the checkpoint come again.
		if err := r.writeLog(); err != nil {
			return err
		}
		r.progress()
		return r.tellMiddle()
	}
	// A run that was killed before its first checkpoint leaves these two.
	if err := work.Empty(r.Dir, CheckpointFile, "one of a run", LogFile, PageFile); err != nil {
		return err
	}
	r.h = header{Recipe: r.Recipe}
	if err := r.writeLog(); err != nil {
		return err
	}
	r.progress()
	return r.measure(ctx)
}

func (r *run) progress() {
	if r.Progress != nil {
		r.Progress(r.h.Episodes)
	}
}

// middle is how many episodes the middle of the run is behind; 0: no one wants it.
func (r *run) middle() int {
	if r.Middle == nil {
		return 0
	}
	half := r.Episodes / 2
	return half - half%r.Chunk
}

// tellMiddle hands the model over where the run is in its middle, with a checkpoint
// before it: a folder without one is to hold nothing else.
func (r *run) tellMiddle() error {
	if half := r.middle(); half == 0 || r.h.Episodes != half {
		return nil
	}
	if err := r.save(); err != nil {
		return err
	}
	return r.Middle(r.Learner.Model())
}

// next is where the next call of Advance ends.
func (r *run) next() int {
	from := r.h.Episodes
	to := from + r.chunk
	if half := r.middle(); from < half {
		to = min(to, half)
	}
	if every := r.Curve.Every; every > 0 {
		to = min(to, from-from%every+every)
	}
	return min(to, r.Episodes)
}

func (r *run) learn(ctx context.Context) error {
	for r.h.Episodes < r.Episodes {
		if r.Time > 0 && r.h.Seconds >= r.Time.Seconds() {
			r.early = true
			break
		}
		if ctx.Err() != nil {
			if err := r.save(); err != nil {
				return err
			}
			return ctx.Err()
		}
		if err := r.advance(ctx); err != nil {
			return err
		}
		if err := r.tellMiddle(); err != nil {
			return err
		}
		// A batch may finish more games than it was asked for: the next points would be the same.
		further := len(r.h.Points) == 0 || r.h.Points[len(r.h.Points)-1].Episodes < r.Learner.Tally().Episodes
		if every := r.Curve.Every; every > 0 && r.h.Episodes%every == 0 && r.h.Episodes < r.Episodes && further {
			if err := r.measure(ctx); err != nil {
				return err
			}
		}
		// Saving is to take a small part of the time, whatever the tables' size.
		if wait := max(r.CheckpointEvery, 10*r.saving); time.Since(r.saved) >= wait {
			if err := r.save(); err != nil {
				return err
			}
		}
	}
	if n := len(r.h.Points); n == 0 || r.h.Points[n-1].Episodes < r.h.Episodes {
		if err := r.measure(ctx); err != nil {
			return err
		}
	}
	return r.save()
}

func (r *run) advance(ctx context.Context) error {
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			stop()
		case <-inner.Done():
		}
	})()
	to := r.next()
	began := time.Now()
	if err := r.Learner.Advance(inner, r.h.Episodes, to); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	took := time.Since(began)
	r.h.Seconds += took.Seconds()
	if n := to - r.h.Episodes; n == r.chunk {
		switch {
		case took < stretch/2:
			r.chunk *= 2
		case took > 2*stretch && r.chunk >= 2*r.Chunk:
			r.chunk /= 2
		}
		r.chunk -= r.chunk % r.Chunk
	}
	r.h.Episodes = to
	r.progress()
	return nil
}

func (r *run) measure(ctx context.Context) error {
	// Only games read every weight; a checkpoint looks at what it writes.
	if r.Curve.Pairs > 0 {
		if err := check(r.Learner); err != nil {
			return err
		}
	}
	now := r.Learner.Tally()
	p := point(r.h.Seconds, now, r.h.Last, r.Goal)
	if err := r.Curve.strength(ctx, r.Game, r.Learner.Model(), &p); err != nil {
		return err
	}
	r.h.Points, r.h.Last = append(r.h.Points, p), now
	if r.Measured != nil {
		r.Measured(p)
	}
	return AppendLog(r.Dir, "point", p)
}

func (r *run) save() error {
	began := time.Now()
	if err := writeCheckpoint(r.path(CheckpointFile), &r.h, r.Learner); err != nil {
		return err
	}
	r.saved = time.Now()
	r.saving = r.saved.Sub(began)
	return nil
}

func (r *run) finish() (*Report, error) {
	tally := r.Learner.Tally()
	out := &Report{
		Episodes: r.h.Episodes, Resumed: r.resumed, Early: r.early, Seconds: r.h.Seconds,
		Tally: tally, Points: r.h.Points, Model: r.Learner.Model(),
	}
	if l, ok := r.Learner.(interface{ Bytes() int64 }); ok {
		out.Bytes = l.Bytes()
	}
	if r.h.Seconds > 0 {
		out.Rate = float64(tally.Moves) / r.h.Seconds
	}
	page, err := r.page(out)
	if err != nil {
		return nil, err
	}
	if err := disk.Write(r.path(PageFile), page.HTML); err != nil {
		return nil, err
	}
	return out, AppendLog(r.Dir, "end", map[string]any{"episodes": out.Episodes, "seconds": out.Seconds, "moves_per_second": out.Rate})
}

// writeLog begins the log anew with the checkpoint's points: a killed run may have logged more.
func (r *run) writeLog() error {
	text, err := logLine("begin", map[string]any{"recipe": r.Recipe, "digest": digestOf(r.Recipe), "episodes": r.h.Episodes, "games": r.Episodes})
	if err != nil {
		return err
	}
	for _, p := range r.h.Points {
		line, err := logLine("point", p)
		if err != nil {
			return err
		}
		text = append(text, line...)
	}
	return disk.WriteBytes(r.path(LogFile), text)
}

// AppendLog adds an event with the fields of what, an object, to the log in a run's folder.
func AppendLog(dir, event string, what any) error {
	line, err := logLine(event, what)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, LogFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	return cmp.Or(err, f.Close())
}

// logLine is {"time", "event"} and the fields of what.
func logLine(event string, what any) ([]byte, error) {
	fields, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, `{"time":%q,"event":%q`, time.Now().UTC().Format(time.RFC3339), event)
	if fields = bytes.TrimPrefix(fields, []byte("{")); len(fields) > 1 {
		line = append(append(line, ','), fields...)
	} else {
		line = append(line, '}')
	}
	return append(line, '\n'), nil
}
