package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"plyfit/internal/disk"
)

// seedLine is a line of the ledger of seeds.
type seedLine struct {
	Seed uint64 `json:"seed"`
	By   string `json:"by"`
}

// ledgerPath is the ledger of a run folder, beside its cells.
func ledgerPath(dir string) string { return filepath.Join(dir, "cells", "seeds.jsonl") }

// SeedUse is who looked at a seed, in which run folder.
type SeedUse struct {
	Seed   uint64
	By     string
	Folder string
}

// UsedSeeds are the seeds that studies in this run folder, or in those beside it,
// have looked at.
func UsedSeeds(dir string) (uses []SeedUse, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	ledgers, err := filepath.Glob(ledgerPath(filepath.Join(escapeGlob(filepath.Dir(dir)), "*")))
	if err != nil {
		return nil, err
	}
	for _, path := range ledgers {
		lines, err := readLedger(path)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			uses = append(uses, SeedUse{l.Seed, l.By, filepath.Dir(filepath.Dir(path))})
		}
	}
	return uses, nil
}

// escapeGlob is a path that filepath.Glob takes literally.
func escapeGlob(path string) string {
	var b bytes.Buffer
	for _, c := range path {
		if (c == '*' || c == '?' || c == '[' || c == '\\') && filepath.Separator != '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func readLedger(path string) (lines []seedLine, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; in.Scan(); n++ {
		var l seedLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil || l.By == "" {
			return nil, fmt.Errorf("%s, line %d: want a seed as JSON, {\"seed\": ..., \"by\": ...}", path, n)
		}
		lines = append(lines, l)
	}
	return lines, in.Err()
}

// RecordSeeds writes into the ledger of the run folder that by has looked at the
// seeds. What stands there already stays. No other process is at work in the folder.
func RecordSeeds(dir, by string, seeds ...uint64) error {
	path := ledgerPath(dir)
	lines, err := readLedger(path)
	if err != nil || len(added(lines, by, seeds)) == len(lines) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		for _, l := range added(lines, by, seeds) {
			if err := e.Encode(l); err != nil {
				return err
			}
		}
		return nil
	})
}

// added are the lines with those of by's seeds that are not among them.
func added(lines []seedLine, by string, seeds []uint64) []seedLine {
	for _, seed := range seeds {
		if l := (seedLine{seed, by}); !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	return lines
}
