package datasets

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// counted counts the passes over its samples.
type counted struct {
	rows   []Sample
	passes int
}

func (c *counted) All() iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		c.passes++
		for i := range c.rows {
			s := c.rows[i]
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// shapes returns rows that produce blocks of several shapes, and rows whose shape changes.
func shapes() map[string][]Sample {
	rng := rand.New(rand.NewPCG(3, 1))
	out := map[string][]Sample{}
	for name, c := range map[string]struct {
		columns       int32
		share         func(row int) float64 // fraction of nonzero columns
		number        func() float32
		biased, plain bool
	}{
		"ones":            {1000, func(int) float64 { return 0.01 }, func() float32 { return 1 }, true, false},
		"many columns":    {200_000, func(int) float64 { return 1e-4 }, func() float32 { return float32(rng.IntN(3)) }, true, false},
		"numbers":         {20, func(int) float64 { return 0.9 }, rng.Float32, false, false},
		"whole numbers":   {20, func(int) float64 { return 0.9 }, func() float32 { return float32(1 + rng.IntN(9)) }, true, true},
		"few whole":       {20, func(int) float64 { return 0.2 }, func() float32 { return float32(rng.IntN(9)) - 4 }, false, true},
		"fewer and fewer": {20, func(row int) float64 { return 1 / (1 + float64(row)/300) }, rng.Float32, false, false},
		"signs of zero":   {5, func(int) float64 { return 1 }, func() float32 { return float32(math.Copysign(0, float64(rng.IntN(2)-1))) }, false, true},
		"none":            {5, func(int) float64 { return 0 }, rng.Float32, false, true},
	} {
		for i := range 5*BlockRows + 17 {
			s := Sample{Y: rng.NormFloat64(), Weight: 1, Episode: uint64(i)}
			if !c.plain {
				s.Kind, s.Episode, s.Ply, s.Explored, s.Truncated = game.Bound(rng.IntN(3)), uint64(i/7), int32(i%7), i%3 == 0, i%5 == 0
				s.Weight, s.Position = float64(i%2)*rng.Float64(), rng.Uint64()
			}
			if c.biased {
				s.X = append(s.X, models.Term{Index: models.Bias, Value: float32(1 - 2*(i%2))})
			}
			if name == "ones" {
				s.X[0].Value = 1
			}
			for k := range c.columns {
				if rng.Float64() < c.share(i) {
					s.X = append(s.X, models.Term{Index: k, Value: c.number()})
				}
			}
			if name == "few whole" {
				rng.Shuffle(len(s.X), func(i, j int) { s.X[i], s.X[j] = s.X[j], s.X[i] })
			}
			out[name] = append(out[name], s)
		}
	}
	return out
}

// TestStore checks that a store returns its samples unchanged, for blocks of several shapes, in
// memory and in a file. After a pass that ended early, the source must be read exactly once more.
func TestStore(t *testing.T) {
	for name, rows := range shapes() {
		dense := 0
		for _, limit := range []int64{Unlimited, 5_000, 0} {
			c := &counted{rows: rows}
			k := Keep(c)
			k.Limit = limit
			for range k.All() {
				break
			}
			for pass := range 3 {
				i := 0
				for s, err := range k.All() {
					if err != nil {
						t.Fatal(err)
					}
					if fmt.Sprint(*s) != fmt.Sprint(rows[i]) {
						t.Fatalf("%s, limit %d, pass %d: sample %d is %+v, want %+v", name, limit, pass, i, *s, rows[i])
					}
					i++
				}
				if i != len(rows) || k.Len() != i {
					t.Fatalf("%s, limit %d: %d samples, length %d", name, limit, i, k.Len())
				}
			}
			cells := make([]float64, 30)
			for b := range k.Blocks() {
				for i := range b.Len() {
					want := make([]float64, len(cells))
					bias := 1.0
					for _, x := range rows[b.First+i].X {
						if x.Index < 29 {
							want[x.Index+1] = float64(x.Value)
						}
						if x.Index == models.Bias {
							bias = float64(x.Value)
						}
					}
					if b.Cells(i, cells) {
						dense++
						if !slices.Equal(cells, want) {
							t.Fatalf("%s: row %d has cells %v, want %v", name, b.First+i, cells, want)
						}
					}
					if b.Bias(i) != bias {
						t.Fatalf("%s: row %d has bias %v, want %v", name, b.First+i, b.Bias(i), bias)
					}
				}
			}
			if c.passes != 2 || (k.file != nil) != (limit != Unlimited) {
				t.Errorf("%s, limit %d: %d passes, file %v", name, limit, c.passes, k.file != nil)
			}
			if err := k.Close(); err != nil {
				t.Error(err)
			}
		}
		if want := map[string]int{"numbers": len(rows), "whole numbers": len(rows), "fewer and fewer": BlockRows}[name]; dense != 3*want {
			t.Errorf("%s: %d rows of cells, want %d", name, dense, 3*want)
		}
	}
}

// TestStoreWithoutRoom checks that rows stay in memory without a file or if the disk is full.
func TestStoreWithoutRoom(t *testing.T) {
	rows := shapes()["numbers"]
	check := func(k *Store) {
		t.Helper()
		i := 0
		for s, err := range k.All() {
			if err != nil || !reflect.DeepEqual(*s, rows[i]) {
				t.Fatalf("sample %d: %v, %v, want %v", i, *s, err, rows[i])
			}
			i++
		}
		if i != len(rows) {
			t.Errorf("%d samples", i)
		}
	}
	full := Keep(Rows(rows))
	full.Limit = 5_000
	for b := range full.Blocks() {
		if b.First == 2*BlockRows { // from here on, writing fails (on Linux)
			if f, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", full.file.Fd())); err == nil {
				full.file = f
				defer func() {
					if full.blocks[1].packed != nil || full.blocks[4].packed == nil {
						t.Error("blocks are not where there was room")
					}
				}()
			}
		}
	}
	check(full)
	t.Setenv("TMPDIR", "/nowhere")
	k := Keep(Rows(rows))
	k.Limit = 0
	check(k)
	check(k)
	if k.file != nil {
		t.Error("a file in no folder")
	}
}

// TestDamagedManifest flips single bits of dataset.json, removes single bytes and inserts others.
// If PLYFIT_LONG is set, it replaces each byte by every other byte. Each change must cause an error
// or leave the parsed manifest unchanged.
func TestDamagedManifest(t *testing.T) {
	dir := t.TempDir()
	plan := somePlan
	plan.Episodes, plan.Agents, plan.NewOpenings = 3, []string{"alphabeta:depth=2", "random"}, true
	makeSet(t, dir, plan)
	data := vectors.Must(os.ReadFile(filepath.Join(dir, ManifestFile)))
	whole := vectors.Must(parseManifest(data))
	meaning := func(m *Manifest) string { return fmt.Sprintf("%#v", *m) }
	want := meaning(whole)
	tried := 0
	read := func(kind string, damaged []byte) {
		tried++
		m, err := parseManifest(damaged)
		if err == nil && meaning(m) != want {
			t.Errorf("%s is read as %s\nwant %s", kind, meaning(m), want)
		}
	}
	damaged := make([]byte, len(data)+1)
	for at := range data {
		copy(damaged, data)
		for flip := 1; flip < 256; flip++ {
			if flip&(flip-1) != 0 && !vectors.Long() {
				continue // more than one bit
			}
			damaged[at] = data[at] ^ byte(flip)
			read(fmt.Sprintf("byte %d, %q for %q,", at, damaged[at], data[at]), damaged[:len(data)])
		}
		read(fmt.Sprintf("without byte %d, %q, it", at, data[at]), append(append([]byte(nil), data[:at]...), data[at+1:]...))
		copy(damaged[at+1:], data[at:])
		for _, c := range []byte("0123456789abtrue \n\"{}[],:.-\x00\xff") {
			damaged[at] = c
			read(fmt.Sprintf("with %q before byte %d it", c, at), damaged)
		}
	}
	t.Logf("%d damaged files", tried)
}

// TestManifestWithoutSeal checks that data sets without seals, as written by older versions, can be
// read. If a seal does not match, the error must contain the file name.
func TestManifestWithoutSeal(t *testing.T) {
	dir := t.TempDir()
	made := makeSet(t, dir, somePlan)
	path := filepath.Join(dir, ManifestFile)
	if made.Seal == "" {
		t.Fatal("no seal")
	}
	change := func(change func(m *Manifest)) {
		t.Helper()
		m := *made
		change(&m)
		data := vectors.Must(json.Marshal(m))
		vectors.Check(os.WriteFile(path, data, 0o600))
	}
	change(func(m *Manifest) { m.Seal = "" })
	if m, err := Verify(dir); err != nil || m.Seal != "" {
		t.Errorf("without a seal: %v", err)
	}
	for name, c := range map[string]func(m *Manifest){
		"another agent": func(m *Manifest) { m.Agents = []string{"randum"} },
		"another seed":  func(m *Manifest) { m.Seed++ },
		"another seal":  func(m *Manifest) { m.Seal = strings.Repeat("0", 64) },
	} {
		change(c)
		_, err := Verify(dir)
		t.Log(name, err)
		wantError(t, err, path, "seal")
	}
}

// TestManifestOddText checks that invalid UTF-8 in a manifest, such as in the command line of an
// engine, does not invalidate the seal.
func TestManifestOddText(t *testing.T) {
	dir := t.TempDir()
	plan := somePlan
	plan.Agents = []string{"uci:cmd=a\xffb", "<\u2028\\ufffd\ufffd>"}
	vectors.Check((&Manifest{Format: Format, Plan: plan}).write(dir))
	if _, err := ReadManifest(dir); err != nil {
		t.Error(err)
	}
}

// TestContract checks that the first invalid record ends the sequence with an error, and that valid
// records do not.
func TestContract(t *testing.T) {
	g := vectors.Must(connect4.New(new(game.Options)))
	row := func(episode uint64, truncated bool, value float64, outcome ...float64) Record {
		return Record{Episode: episode, Outcome: outcome, Truncated: truncated, Value: value, HasValue: value != 0}
	}
	for want, records := range map[string][]Record{
		"":                            {row(0, false, 1, 1, -1), row(0, false, -0.5, 1, -1), row(1, true, 0, 0, 0), row(2, false, 0, 0, 0), row(3, true, 0, 7, 7)},
		"utilities of connect4 from":  {row(0, false, 0, 1, -1), row(1, false, 0, 50, -50)},
		"that sum to 0":               {row(0, false, 0, 1, 1)},
		"for each of 2 players":       {row(0, false, 0, 1)},
		"same outcome in all records": {row(0, false, 0, 1, -1), row(0, false, 0, -1, 1)},
		"a value from -1 to 1":        {row(0, false, 1.5, 1, -1)},
	} {
		c, got := contract{world: g}, ""
		for i := range records {
			if err := c.check(&records[i]); err != nil {
				got = err.Error()
				break
			}
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	set := vectors.Must(Open("testdata/ds-outrange"))
	var err error
	for _, err = range set.In(g).Records() {
	}
	if err == nil || !strings.Contains(err.Error(), "shard-00000.parquet: episode 0, ply 9: want utilities of connect4") {
		t.Errorf("outcomes of 50 in connect four: %v", err)
	}
}

// TestCheckShard checks that a shard from another process is rejected if it has no seal, is
// damaged, or contains the wrong episodes or plies.
func TestCheckShard(t *testing.T) {
	plan := Plan{Episodes: 6, EpisodesPerShard: 2}
	shard := func(at ...[2]int) []byte { // pairs of episode and ply
		var records []Record
		for _, a := range at {
			records = append(records, Record{Episode: uint64(a[0]), Ply: int32(a[1]), Position: "p", Move: "m", Outcome: []float64{1, -1}})
		}
		return vectors.Must(EncodeShard(records))
	}
	right := shard([2]int{2, 0}, [2]int{2, 3}, [2]int{3, 1})
	damaged := append([]byte(nil), right...)
	damaged[len(damaged)/3] ^= 1
	for name, c := range map[string]struct {
		file []byte
		want string // empty if the shard is valid
	}{
		"right":           {right, ""},
		"garbage":         {[]byte("garbage"), "want a shard with a seal"},
		"damaged":         {damaged, "damaged"},
		"another's":       {shard([2]int{0, 0}, [2]int{1, 0}), "row 0: episode 0: want episodes 2 to 3 in order"},
		"one short":       {shard([2]int{2, 0}), "want all episodes before 4"},
		"none":            {shard(), "want all episodes before 4"},
		"one too many":    {shard([2]int{2, 0}, [2]int{3, 0}, [2]int{4, 0}), "row 2: episode 4"},
		"not in order":    {shard([2]int{3, 0}, [2]int{2, 0}), "row 0: episode 3"},
		"one twice":       {shard([2]int{2, 0}, [2]int{3, 0}, [2]int{2, 1}), "row 2: episode 2"},
		"a ply twice":     {shard([2]int{2, 1}, [2]int{2, 1}, [2]int{3, 0}), "row 1: ply 1"},
		"a ply too early": {shard([2]int{2, 0}, [2]int{3, -1}), "row 1: ply -1"},
	} {
		err := plan.Check(1, c.file)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
