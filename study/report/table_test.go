package report

import (
	"strings"
	"testing"
)

// One table in each form: cells survive what the form has characters of its own for.
func TestTableForms(t *testing.T) {
	table := Table{Caption: "50% of a_b", Head: []string{"error", "loss"}, Rows: [][]string{{`a|b, "c" & d`, "0.1 ± 0.2"}}}
	for form, want := range map[Format]string{
		CSV:      "error,loss\n\"a|b, \"\"c\"\" & d\",0.1 ± 0.2\n",
		Markdown: "| error | loss |\n|---|--:|\n| a\\|b, \"c\" & d | 0.1 ± 0.2 |\n\n50% of a_b\n",
		LaTeX: "\\begin{table}\n\\begin{tabular}{lr}\n\\toprule\nerror & loss \\\\\n\\midrule\na|b, \"c\" \\& d & 0.1 \\ensuremath{\\pm} 0.2 \\\\\n" +
			"\\bottomrule\n\\end{tabular}\n\\caption{50\\% of a\\_b}\n\\end{table}\n",
	} {
		var b strings.Builder
		if err := WriteTables(&b, form, table, table); err != nil || b.String() != want+"\n"+want {
			t.Errorf("%s, %v:\n%s\nwant twice\n%s", form, err, b.String(), want)
		}
	}
	if err := table.Write(&strings.Builder{}, "word"); err == nil {
		t.Error("an unknown form is taken")
	}
}
