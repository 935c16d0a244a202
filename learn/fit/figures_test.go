package fit

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"plyfit/datasets/table"
)

// TestNoFiguresOverNoRows: where nothing is held out, no held-out figure is printed, and
// where all labels are one, that is said and there is no R².
func TestNoFiguresOverNoRows(t *testing.T) {
	one, err := os.ReadFile("testdata/t6-onegame.csv")
	if err != nil {
		t.Fatal(err)
	}
	draws := "game,a,label\n"
	for k := range 40 {
		draws += fmt.Sprintf("%d,%d,0.5\n", k/4, k%7)
	}
	for text, want := range map[string]struct{ held, alike bool }{string(one): {false, false}, draws: {true, true}} {
		f := fitted(t, text, table.Layout{Group: "game"}, given{}, Options{})
		words, tables := described(f)
		if got := len(tables[0].Head) == 3; got != want.held {
			t.Errorf("a column of held-out losses %v, want %v", got, want.held)
		}
		said := strings.Contains(strings.Join(f.Report.Notes, "\n"), "all labels are 0.5")
		if said != want.alike || f.Report.Alike != want.alike {
			t.Errorf("notes %q, alike %v, want %v", f.Report.Notes, f.Report.Alike, want.alike)
		}
		if all := strings.Join(words, "\n") + tables[0].Caption; !want.held && strings.Contains(strings.ToLower(strings.ReplaceAll(all, "nothing is held out", "")), "held") {
			t.Errorf("held-out figures over no rows: %s", all)
		}
		text, err := json.Marshal(f.ColumnsJSON())
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Report map[string]any }
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		for name, none := range map[string]bool{"held_out_loss": !want.held, "held_out_error": !want.held, "held_out_r2": !want.held || want.alike, "r2": want.alike, "loss": false} {
			if (got.Report[name] == nil) != none {
				t.Errorf("%s is %v in %s", name, got.Report[name], text)
			}
		}
		if zero := got.Report["zero"].(map[string]any); (zero["held_out_loss"] == nil) == want.held || zero["loss"] == nil {
			t.Errorf("zero: %v", zero)
		}
	}
}
