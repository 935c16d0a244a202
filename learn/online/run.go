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

// Options configures a run of a learner.
type Options struct {
	Conduct
	Learner Learner
	Game    *game.Game // world of the learner's task
	Goal    bool       // the learner's task counts goals

	// Recipe lists all settings on which the weights depend. A checkpoint with a different recipe
	// is rejected.
	Recipe []RecipeItem

	Episodes int           // total number of episodes to learn from
	Time     time.Duration // limit on the time spent on playing and learning; 0 means no limit; with a limit, the result depends on the machine
	Chunk    int           // Advance is called at multiples of Chunk; must divide Curve.Every; 0 means 1
}

// Conduct contains the settings of a run that do not affect the weights.
type Conduct struct {
	// Dir is the directory for the checkpoint, for log.jsonl (events and the points of the curve,
	// one per line) and for report.html.
	Dir             string        `flag:"run" help:"run folder; default: MODEL.train next to the model"`
	CheckpointEvery time.Duration `flag:"checkpoint-every" default:"1m0s" help:"minimum time between checkpoints"`
	Curve           Curve

	Command string // command that repeats the run, written to the model and the report

	// Middle, if not nil, is called with the model after half of the episodes, rounded down to a
	// multiple of Chunk. It is called again if the run is killed at that point and then resumed.
	// The weights may change after Middle has returned.
	Middle func(m *models.Linear) error

	Progress func(episodes int) // called occasionally with the number of episodes so far, including resumed ones; may be nil
	Measured func(p Point)      // called with each point after it has been measured; may be nil
}

// Report is the result of a run.
type Report struct {
	Episodes int     `json:"episodes"`
	Resumed  int     `json:"resumed"` // number of episodes that were finished before this call
	Early    bool    `json:"early"`   // the run ended early because of the limit Time
	Seconds  float64 `json:"seconds"` // time spent on playing and learning
	Rate     float64 `json:"moves_per_second"`
	Bytes    int64   `json:"bytes,omitempty"` // size of the weights and the learner's other state, if the learner reports this size
	Tally    Tally   `json:"tally"`
	Points   []Point `json:"points"`

	Model *models.Linear `json:"-"`
}

// These are the names of the files in the folder of a run.
const (
	CheckpointFile = "checkpoint"
	LogFile        = "log.jsonl"
	PageFile       = "report.html"
)

// grace is the time that an interrupted run has to reach a point at which a checkpoint is possible.
const grace = 5 * time.Second

// stretch is the approximate duration of a call to Advance.
const stretch = 200 * time.Millisecond

// Run lets the learner play and learn to the end, starting from the checkpoint in c.Dir if there is
// one. If ctx ends first, Run writes a checkpoint, provided that the learner stops in time, and
// returns ctx.Err(). It returns an error if another process is using the directory.
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
	saving  time.Duration // time that it took to write the last checkpoint
	chunk   int
	early   bool
}

func (r *run) path(name string) string { return filepath.Join(r.Dir, name) }

// begin reads the checkpoint. If there is none, it measures the first point.
func (r *run) begin(ctx context.Context) error {
	h, found, err := readCheckpoint(r.path(CheckpointFile), r.Recipe, r.Learner)
	if err != nil {
		return err
	}
	r.saved = time.Now()
	if found {
		r.h, r.resumed = *h, h.Episodes
		// Points that were logged after the checkpoint will be measured again.
		if err := r.writeLog(); err != nil {
			return err
		}
		r.progress()
		return r.callMiddle()
	}
	// A run without a checkpoint may have left these two files behind.
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

// middle returns the number of episodes before the middle of the run, or 0 if Middle is nil.
func (r *run) middle() int {
	if r.Middle == nil {
		return 0
	}
	half := r.Episodes / 2
	return half - half%r.Chunk
}

// callMiddle calls Middle once half of the episodes have been completed. It first writes a
// checkpoint, because a directory without a checkpoint must not contain other files.
func (r *run) callMiddle() error {
	if half := r.middle(); half == 0 || r.h.Episodes != half {
		return nil
	}
	if err := r.save(); err != nil {
		return err
	}
	return r.Middle(r.Learner.Model())
}

// next returns the episode at which the next call to Advance ends.
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
		if err := r.callMiddle(); err != nil {
			return err
		}
		// A batch may finish more games than requested. In that case the next point would be the
		// same.
		further := len(r.h.Points) == 0 || r.h.Points[len(r.h.Points)-1].Episodes < r.Learner.Tally().Episodes
		if every := r.Curve.Every; every > 0 && r.h.Episodes%every == 0 && r.h.Episodes < r.Episodes && further {
			if err := r.measure(ctx); err != nil {
				return err
			}
		}
		// Saving should take only a small part of the time, even if the tables are large.
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
	// The games may read any weight, so check all weights first. Without games, they are checked
	// when a checkpoint is written.
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

// writeLog starts a new log that contains the points in the checkpoint, because a killed run may
// have logged later points.
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

// AppendLog appends an event to the log in a run's directory. The given value must encode to a JSON
// object, whose fields are added to the event.
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

// logLine returns a JSON object with the fields time and event, followed by those of the given
// value.
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
