package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena/stats"
	"plyfit/internal/disk"
	"plyfit/internal/vectors"
	"plyfit/work"
)

func journalConfig(path string) Config {
	return Config{Game: newRace(2, 2), A: sometimes("A", 0.5), B: randomly("B <&>"), Pairs: 12, Seed: 6, Out: path, Openings: Openings{Plies: 1}}
}

// TestForeignFile checks that a file with other contents remains unchanged, and that the error
// contains its name.
func TestForeignFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.jsonl")
	mustRun(t, journalConfig(path))
	whole, _ := os.ReadFile(path)
	header, rest, _ := strings.Cut(string(whole), "\n")
	one, two, _ := strings.Cut(rest, "\n")
	// A line without a checksum, as written by older versions, must be rejected if its contents are
	// invalid.
	unsealed := one[:strings.Index(one, `,"crc32c"`)] + "}"

	for _, c := range []struct {
		name, text string
		change     func(*Config)
		want       string
	}{
		{"seed", string(whole), func(c *Config) { c.Seed = 8 }, "seed 6, want 8"},
		{"agent", string(whole), func(c *Config) { c.B.Identity = "C" }, "second agent B <&>, want C"},
		{"openings", string(whole), func(c *Config) { c.Openings.Plies = 3 }, "opening plies 1, want 3"},
		{"test", string(whole), func(c *Config) { c.SPRT = &stats.SPRT{High: 5} }, "sprt none, want"},
		{"game", string(whole), func(c *Config) { c.Game = newRace(2, 3) }, "game race:players=2,rounds=2, want race:players=2,rounds=3"},
		{"text", "To whom it may concern", nil, "line 1: want a match header"},
		{"lines", "To whom\nit may concern\n", nil, "line 1: want a match header"},
		{"flipped", strings.Replace(header, `"seed":6`, `"seed":7`, 1) + "\n" + rest, nil, "does not match this header"},
		{"doubled", header + "\n" + one + "\n" + one + "\n", nil, "line 3: pair 0, want 1"},
		{"missing", header + "\n" + two, nil, "line 2: pair 1, want 0"},
		{"garbage", header + "\n" + one + "\n{{{\n" + two, nil, "line 3: want a pair as JSON"},
		{"utility", header + "\n" + strings.Replace(unsealed, `"utility":[`, `"utility":[1e300,`, 1) + "\n", nil, "line 2: game 0 has"},
		{"bounds", header + "\n" + strings.Replace(unsealed, `"utility":[`, `"utility":[7`, 1) + "\n", nil, "line 2: game 0 has utility"},
		{"changed", header + "\n" + strings.Replace(one, `"plies":`, `"plies":1`, 1) + "\n", nil, "line 2: the checksum of the line does not match; want the line as originally written"},
		{"games", header + "\n" + `{"pair":0,"from":"0000000000000000","games":[]}` + "\n", nil, "line 2: 0 games, want 2"},
	} {
		file := filepath.Join(dir, c.name)
		vectors.Check(os.WriteFile(file, []byte(c.text), 0o666))
		cfg := journalConfig(file)
		if c.change != nil {
			c.change(&cfg)
		}
		_, err := Run(context.Background(), cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with the file's name and %q", c.name, err, c.want)
		}
		if after, _ := os.ReadFile(file); string(after) != c.text {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
}

// FuzzJournal checks that no file causes a panic, that accepted files have a line for each pair,
// and that the result can be encoded.
func FuzzJournal(f *testing.F) {
	path := filepath.Join(f.TempDir(), "m.jsonl")
	cfg := journalConfig(path)
	cfg.Pairs = 3
	mustRun(f, cfg)
	whole := vectors.Must(os.ReadFile(path))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("{}\n{}\n"))
	m := vectors.Must(newMatch(cfg))
	header := vectors.Must(disk.Line(headerOf(m.cfg)))
	f.Add(whole[len(header):])
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.HasPrefix(text, []byte(`{"pair"`)) {
			text = append(bytes.Clone(header), text...) // the fuzzer cannot guess the digest
		}
		tally, n := newTally(m.cfg, m.layout), 0
		want := headerOf(m.cfg)
		j := journal{Journal: work.Journal{Path: "fuzz"}, want: &want}
		err := j.Read(bytes.NewReader(text), j.line(func(r *PairRecord) error {
			n++
			if what := m.layout.fits(r); what != "" {
				return errors.New(what)
			}
			tally.add(r)
			return nil
		}))
		if err == nil && bytes.Count(text[:j.Size], []byte("\n")) < n {
			t.Errorf("%d pairs in %d bytes", n, j.Size)
		}
		if _, err := json.Marshal(tally.result()); err != nil {
			t.Error(err)
		}
	})
}

// readRecords returns the header and the pairs of a record file.
func readRecords(path string) (Header, []PairRecord, error) {
	var pairs []PairRecord
	h, err := EachRecord(path, func(r *PairRecord) error {
		pairs = append(pairs, *r)
		return nil
	})
	return h, pairs, err
}

// TestRecordsRefuse checks that invalid unit results are rejected with a reason.
func TestRecordsRefuse(t *testing.T) {
	m := vectors.Must(newMatch(Config{Game: tictactoeGame(t), A: randomly("a"), B: randomly("b"), Pairs: 8, Seed: 1, Openings: Openings{Plies: 2}}))
	played := func(from, to int) []byte {
		w := newWorker(m)
		defer w.close()
		var records []PairRecord
		for pair := from; pair < to; pair++ {
			r := vectors.Must(w.pair(context.Background(), pair))
			records = append(records, r)
		}
		return vectors.Must(sealedLines(records))
	}
	right := played(4, 6)
	for name, c := range map[string]struct {
		lines []byte
		want  string // empty if the lines are valid
	}{
		"right":          {right, ""},
		"another unit":   {played(6, 8), "pair 6, want pair 4"},
		"one pair short": {played(4, 5), "1 pairs, want 2"},
		"one too many":   {played(4, 7), "more lines than the unit has pairs (2)"},
		"nothing":        {nil, "0 pairs, want 2"},
		"garbage":        {[]byte("garbage\n"), "pair 4: the checksum"},
		"half a line":    {right[:len(right)-20], "pair 5: "},
		"a changed line": {bytes.Replace(right, []byte(`"pair":5`), []byte(`"pair":6`), 1), "pair 5: the checksum"},
	} {
		_, err := m.records(4, 6, c.lines)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestCoverage checks that 93% to 97% of the intervals of played matches contain the true value,
// which is estimated from a very long match.
func TestCoverage(t *testing.T) {
	const truthPairs, matches, low, high = 300000, 2000, 0.93, 0.97
	if !vectors.Long() {
		t.Skip("plays a million pairs; internal/reliability plays some of each kind")
	}
	for _, c := range []struct {
		name string
		cfg  Config
	}{
		{"two players", Config{Game: newRace(2, 2), A: sometimes("A", 0.4), B: randomly("B"), Pairs: 60}},
		{"one player", Config{Game: newRace(1, 3), A: sometimes("A", 0.4), B: randomly("B"), Pairs: 40}},
		{"three players", Config{Game: newRace(3, 1), A: sometimes("A", 0.4), B: randomly("B"), Pairs: 40}},
	} {
		truth := c.cfg
		truth.Pairs, truth.Seed = truthPairs, 999
		want := mustRun(t, truth)
		inScore, inElo := 0, 0
		for i := range matches {
			cfg := c.cfg
			cfg.Seed = uint64(i)
			r := mustRun(t, cfg)
			if r.Score.Low <= want.Score.Value && want.Score.Value <= r.Score.High {
				inScore++
			}
			if r.Versus != nil && r.Versus.Elo.Low <= want.Versus.Elo.Value && want.Versus.Elo.Value <= r.Versus.Elo.High {
				inElo++
			}
		}
		check := func(what string, n int) {
			rate := float64(n) / float64(matches)
			t.Logf("%s: the interval of the %s holds the truth in %.2f%% of %d", c.name, what, 100*rate, matches)
			if rate < low || rate > high {
				t.Errorf("%s: the interval of the %s holds the truth in %.2f%%, want %v to %v%%", c.name, what, 100*rate, 100*low, 100*high)
			}
		}
		check("score", inScore)
		if want.Versus != nil {
			check("Elo", inElo)
		}
	}
}
