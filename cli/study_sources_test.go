package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
)

// A protocol about sources is decided again from a table of rows: of none nothing is. A
// table of something else is refused, and so is what such a protocol has not, in a line.
func TestStudyConfirmRows(t *testing.T) {
	const protocol = "../study/protocols/2026-12.json"
	head := "world,source,seed,depth,slope,variance,curvature,density,by_slope,by_order2,by_direct,minimax,expectimax,platt,isotonic,minimax_more,expectimax_more,noise_minimax,noise,steep\n"
	dir := t.TempDir()
	rows, other := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "other.csv")
	for path, text := range map[string]string{rows: head, other: "a,b\n1,2\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{0, "not decided", []string{"--rows", rows}},
		{0, `"verdict":"not decided"`, []string{"--rows", rows, "--json"}},
		{2, "want the columns", []string{"--rows", other}},
		{2, "takes no --dry-run", []string{"--dry-run"}},
		{2, "takes no --permute", []string{"--permute", "10"}},
	} {
		var out, said bytes.Buffer
		code := Run(context.Background(), catalog.All(), append([]string{"study", "confirm", protocol}, c.args...), strings.NewReader(""), &out, &said)
		text := out.String() + said.String()
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%v: exit %d, %q: want %d, %q", c.args, code, text, c.code, c.want)
		}
		if code == 0 && strings.Count(text, "not decided") != 8 || code == 2 && strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%v: %q", c.args, text)
		}
	}
}
