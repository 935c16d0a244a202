package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"plyfit/features"
	"plyfit/internal/disk"
	"plyfit/learn/online"
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

// log adds an event to log.jsonl. Times and other facts about the machine are only recorded there.
func (c *Options) log(event string, fields map[string]any) {
	_ = online.AppendLog(c.pace.dir, event, fields) // a log that cannot be written stops nothing
}
