package online

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"plyfit/internal/disk"
)

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
