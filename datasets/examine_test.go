package datasets

import (
	"strings"
	"testing"
)

// TestCheckShard: a shard that another process has made is refused where it has no seal,
// is damaged, or has other episodes or plies than those of its number.
func TestCheckShard(t *testing.T) {
	plan := Plan{Episodes: 6, EpisodesPerShard: 2}
	shard := func(at ...[2]int) []byte { // episodes and plies
		var records []Record
		for _, a := range at {
			records = append(records, Record{Episode: uint64(a[0]), Ply: int32(a[1]), Position: "p", Move: "m", Outcome: []float64{1, -1}})
		}
		file, err := EncodeShard(records)
		if err != nil {
			t.Fatal(err)
		}
		return file
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
