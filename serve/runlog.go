package serve

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"

	"plyfit/internal/regular"
	"plyfit/learn/online/runner"
)

// longestLog is how much of a log is read, its end.
const longestLog = 4 << 20

// readLog reads the events of a run's log. Lines that are cut off or strange are
// skipped: the run may be writing them.
func (v *runView) readLog(root *os.Root, name string) {
	f, err := regular.OpenIn(root, path.Join(name, logName))
	if err != nil {
		v.unreadable(err)
		v.Ended = true // nothing that goes on: a match or a report
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > longestLog {
		f.Seek(-longestLog, io.SeekEnd)
	}
	games := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		v.readEvent(lines.Bytes(), &games)
	}
	v.estimate(games)
}

// readEvent reads a line of a log; games is how many the run is to learn from.
func (v *runView) readEvent(line []byte, games *int) {
	var e struct {
		Event    string  `json:"event"`
		Time     string  `json:"time"`
		Game     string  `json:"game"`
		Games    int     `json:"games"` // to learn from in all
		Round    int     `json:"round"`
		Loss     float64 `json:"held_out_loss"`
		Accepted *bool   `json:"accepted"`
		Recipe   []struct{ Key, Value string }
	}
	if json.Unmarshal(line, &e) != nil {
		return
	}
	switch e.Event {
	case "begin":
		v.Ended, v.points, v.losses = false, nil, nil
		v.Game, *games = cmp.Or(e.Game, v.Game), e.Games
		for _, k := range e.Recipe {
			if k.Key == "game" {
				v.Game = k.Value
			}
		}
	case "point":
		var p runner.Point
		if json.Unmarshal(line, &p) == nil {
			v.points = append(v.points, p)
		}
		return
	case "round":
		v.losses = append(v.losses, e.Loss)
	case "end":
		v.Ended = true
	}
	text := e.Time + " " + e.Event
	if e.Round > 0 {
		text += fmt.Sprintf(" %d, held-out loss %s", e.Round, number(e.Loss))
		if e.Accepted != nil && !*e.Accepted {
			text += ", not accepted"
		}
	}
	v.Events = append(v.Events, text)
}

// estimate tells the rate of a run by its last point, and the time that is left.
func (v *runView) estimate(games int) {
	if n := len(v.points); n > 0 {
		last := &v.points[n-1]
		v.Done, v.Of = last.Episodes, games
		if last.Seconds > 0 {
			v.pace(float64(last.Episodes) / last.Seconds)
		}
	}
}
