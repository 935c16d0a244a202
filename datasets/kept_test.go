package datasets

import (
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// counted are samples that count their passes.
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

// TestKept: samples come back as they were, from memory and from a file, and
// are made once; a pass that ends early keeps nothing.
func TestKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var rows []Sample
	for i := range 12000 {
		s := Sample{Y: rng.NormFloat64(), Weight: 1, Kind: game.Bound(rng.IntN(3)), Episode: uint64(i / 7), Ply: int32(i % 7), Explored: i%3 == 0, Truncated: i%5 == 0}
		if i%2 == 0 {
			s.Weight = rng.Float64()
		}
		s.X = models.Vector{{Index: models.Bias, Value: 1}}
		for range rng.IntN(9) {
			v := float32(1)
			if i%4 != 0 {
				v = rng.Float32()
			}
			s.X = append(s.X, models.Term{Index: rng.Int32N(1000), Value: v})
		}
		rows = append(rows, s)
	}
	for _, limit := range []int64{keepInMemory, 300_000, 0} {
		c := &counted{rows: rows}
		k := Keep(c)
		k.limit = limit
		for range k.All() {
			break
		}
		for pass := range 3 {
			i := 0
			for s, err := range k.All() {
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(*s, rows[i]) {
					t.Fatalf("limit %d, pass %d: sample %d is %+v, want %+v", limit, pass, i, *s, rows[i])
				}
				i++
			}
			if i != len(rows) {
				t.Fatalf("limit %d: %d samples", limit, i)
			}
		}
		if c.passes != 2 || (k.file != nil) != (limit < keepInMemory) {
			t.Errorf("limit %d: %d passes, file %v", limit, c.passes, k.file != nil)
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}
	// Without room for a file the samples are made anew.
	t.Setenv("TMPDIR", "/nowhere")
	c := &counted{rows: rows}
	k := Keep(c)
	k.limit = 0
	for range 2 {
		n := 0
		for range k.All() {
			n++
		}
		if n != len(rows) {
			t.Errorf("%d samples", n)
		}
	}
	if c.passes != 2 {
		t.Errorf("%d passes", c.passes)
	}
}

// TestDamagedManifest: one byte of dataset.json that is changed, lost or put in is an
// error, or changes nothing that is read.
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

// TestManifestWithoutSeal: a folder from before there were seals is read; one whose seal
// is another's is refused, and the file is named.
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

// TestManifestOddText: text that is no UTF-8, as a program's name may be, is read as it
// was written.
func TestManifestOddText(t *testing.T) {
	dir := t.TempDir()
	plan := somePlan
	plan.Agents = []string{"uci:cmd=a\xffb", "<\u2028\\ufffd\ufffd>"}
	vectors.Check((&Manifest{Format: Format, Plan: plan}).write(dir))
	if _, err := ReadManifest(dir); err != nil {
		t.Error(err)
	}
}

// TestContract: records that break the contract of a data set end the reading, and those
// that keep it do not.
func TestContract(t *testing.T) {
	g := vectors.Must(connect4.New(new(game.Options)))
	row := func(episode uint64, truncated bool, value float64, outcome ...float64) Record {
		return Record{Episode: episode, Outcome: outcome, Truncated: truncated, Value: value, HasValue: value != 0}
	}
	for want, records := range map[string][]Record{
		"":                            {row(0, false, 1, 1, -1), row(0, false, -0.5, 1, -1), row(1, true, 0, 0, 0), row(2, false, 0, 0, 0), row(3, true, 0, 7, 7)},
		"utilities of connect4, from": {row(0, false, 0, 1, -1), row(1, false, 0, 50, -50)},
		"whose sum is 0":              {row(0, false, 0, 1, 1)},
		"for each of 2 players":       {row(0, false, 0, 1)},
		"one outcome in all records":  {row(0, false, 0, 1, -1), row(0, false, 0, -1, 1)},
		"a value within -1 and 1":     {row(0, false, 1.5, 1, -1)},
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

// TestCheckShard: a shard that another process has made is refused where it has no seal,
// is damaged, or has other episodes or plies than those of its number.
func TestCheckShard(t *testing.T) {
	plan := Plan{Episodes: 6, EpisodesPerShard: 2}
	shard := func(at ...[2]int) []byte { // episodes and plies
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
		want string // "": nothing is wrong
	}{
		"right":           {right, ""},
		"garbage":         {[]byte("garbage"), "want a shard with a seal"},
		"damaged":         {damaged, "damaged"},
		"another's":       {shard([2]int{0, 0}, [2]int{1, 0}), "row 0: episode 0: want those from 2 to 3"},
		"one short":       {shard([2]int{2, 0}), "its episodes end before 4"},
		"none":            {shard(), "its episodes end before 4"},
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
