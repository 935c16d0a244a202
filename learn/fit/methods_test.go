package fit

import (
	"context"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/settings"
	"plyfit/learn"
	"plyfit/models"
)

// constant is a learner of one number: the mean label of all rows, as the bias.
type constant struct{}

func (constant) Learn(_ context.Context, m *models.Linear, data datasets.Samples) (learn.Report, error) {
	var r learn.Report
	for s, err := range data.All() {
		if err != nil {
			return r, err
		}
		r.Rows++
		m.Bias += (s.Y - m.Bias) / float64(r.Rows)
	}
	return r, nil
}

// TestNewMethod: a batch learner that nobody knows takes a Method and an item of
// Methods, nothing else.
func TestNewMethod(t *testing.T) {
	mean := &Method{
		Name: "mean", Doc: "the mean label", Losses: []LossKind{SquaredError},
		Learner: func(*Options, Problem) learn.Learner { return constant{} },
	}
	defer func(methods []*Method) { Methods = methods }(Methods)
	Methods = append(Methods[:len(Methods):len(Methods)], mean)
	method, err := MethodNamed("mean")
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	table := labelled(t, func(uint64) bool { return false })
	f, err := RunTable(context.Background(), w, table, Options{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	if f.Model.Bias == 0 || f.Model.Provenance.Method != "mean" || f.Report.Rows == 0 {
		t.Errorf("bias %v by %s over %d rows", f.Model.Bias, f.Model.Provenance.Method, f.Report.Rows)
	}
	// What it does not read is refused, and refusals of others name it.
	for want, o := range map[string]Options{
		"loss logistic: method mean is least squares: want method newton or lbfgs": {Method: mean, Loss: CrossEntropy},
	} {
		if err := o.Complete(w); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSettings: what some methods read is read by methods that there are, and refused by
// the others in one line.
func TestSettings(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for i, s := range settings.Of(new(Options)) {
		for _, name := range s.Readers() {
			if _, err := MethodNamed(name); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		for _, m := range Methods {
			if s.ReadBy(m.Name) {
				read++
				continue
			}
			o := Options{Method: m}
			if err := settings.Of(&o)[i].Set("1"); err != nil {
				t.Fatal(err)
			}
			if err := o.Complete(w); err == nil || err.Error() != s.Unread(m.Name).Error() {
				t.Errorf("%s of %s: %v", s.Name, m.Name, err)
			}
		}
	}
	if all := len(settings.Of(new(Options))) * len(Methods); read == 0 || read >= all {
		t.Errorf("%d of %d are read", read, all)
	}
}
