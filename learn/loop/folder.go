package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"plyfit/features"
	"plyfit/internal/disk"
	"plyfit/work"
)

// settings is config.json: what a run folder's contents depend on.
type settings struct {
	Format string          `json:"format"`
	Game   string          `json:"game"`
	Seed   uint64          `json:"seed"`
	Recipe features.Recipe `json:"recipe"`
}

const settingsFormat = "plyfit-run/1"

func (c *Options) claim() error {
	path := filepath.Join(c.Dir, "config.json")
	want := settings{settingsFormat, c.World.Spec, c.Seed, c.Recipe}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := work.Empty(c.Dir, "config.json", "one of a run"); err != nil {
			return err
		}
		if err := os.MkdirAll(c.Dir, 0o755); err != nil {
			return err
		}
		return disk.WriteJSON(path, want)
	case err != nil:
		return err
	}
	var have settings
	if err := json.Unmarshal(data, &have); err != nil {
		return fmt.Errorf("%s: want a run's settings: %w", path, err)
	}
	there, err := json.Marshal(have)
	if err != nil {
		return err
	}
	if asked, err := json.Marshal(want); err != nil || !bytes.Equal(there, asked) {
		return fmt.Errorf("%s: holds a run of %s with seed %d or other settings: want its command again, or another folder", c.Dir, have.Game, have.Seed)
	}
	return nil
}

// runLog is log.jsonl: what happened when, and all that depends on the machine.
type runLog struct{ f *os.File }

func openLog(path string) (*runLog, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return &runLog{f}, err
}

func (l *runLog) Close() error { return l.f.Close() }

func (l *runLog) write(event string, more map[string]any) {
	line := map[string]any{"time": time.Now().UTC().Format(time.RFC3339), "event": event}
	for k, v := range more {
		line[k] = v
	}
	if data, err := json.Marshal(line); err == nil {
		l.f.Write(append(data, '\n')) // a log that cannot be written stops nothing
	}
}
