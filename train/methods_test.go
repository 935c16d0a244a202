package train

import (
	"context"
	"io"
	"testing"

	"plyfit/catalog"
	"plyfit/learn/online"
	"plyfit/learn/online/runner"
	"plyfit/models"
)

// counter is a learner that plays nothing: its bias is the number of episodes.
type counter struct {
	model *models.Linear
	tally online.Tally
}

func (c *counter) Advance(_ context.Context, from, to int) error {
	c.tally.Episodes = to
	c.model.Bias = float64(to)
	return nil
}
func (c *counter) Model() *models.Linear    { return c.model }
func (c *counter) Tally() online.Tally      { return c.tally }
func (c *counter) Snapshot(io.Writer) error { return nil }
func (c *counter) Restore(io.Reader) error  { return nil }

// TestNewMethod: an online learner that nobody knows takes a Method and an item of
// Methods, nothing else.
func TestNewMethod(t *testing.T) {
	count := &Method{Name: "count", Doc: "count counts.", Reads: []string{"sharp"}, Batch: 10, Learner: func(p *Plan) (online.Learner, error) {
		p.Chunk = p.Batch
		p.Depends("batch", p.Batch)
		return &counter{model: p.Task.Model}, nil
	}}
	defer func(methods []*Method) { Methods = methods }(Methods)
	Methods = append(Methods[:len(Methods):len(Methods)], count)
	method, err := MethodNamed("count")
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Defaults(w, method, "")
	if err != nil {
		t.Fatal(err)
	}
	o.Episodes, o.Curve.Pairs, o.Dir = 70, 0, t.TempDir()
	r, err := Run(context.Background(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Model.Bias != 70 || r.Model.Provenance.Method != "count" || r.Report.Episodes != 70 {
		t.Errorf("bias %v by %s after %d episodes", r.Model.Bias, r.Model.Provenance.Method, r.Report.Episodes)
	}
	if last := r.Recipe[len(r.Recipe)-1]; last != (runner.RecipeItem{Key: "batch", Value: "10"}) {
		t.Errorf("the recipe ends with %v", last)
	}
	if readers := Readers("sharp"); len(readers) != 2 || readers[1] != "count" {
		t.Errorf("sharp is read by %v", readers)
	}
}
