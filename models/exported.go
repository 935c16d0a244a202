package models

import (
	"encoding/json"
	"math"
)

// exportFormat is what [Export.JSON] says of itself under "format".
const exportFormat = "plyfit-export/1"

// isExport reports whether data, well-formed JSON, is what [Export.JSON] writes.
func isExport(data []byte) bool {
	var head struct {
		Format any `json:"format"`
	}
	return json.Unmarshal(data, &head) == nil && head.Format == exportFormat
}

// exported reads what [Export.JSON] writes: the weights by name, as in a model file. Indices and
// the link's bounds follow from the feature set and the game. Standard errors except the bias's and
// the names of features are kept; provenance, fingerprint and the shape of pattern tables are not,
// so terms of tables are refused when the file is joined to its set.
func (r *reader) exported(f *File) error {
	text := func(dst *string) func() error {
		return func() (err error) { *dst, err = r.text(); return err }
	}
	finite := func(dst *float64) func() error {
		return func() (err error) { *dst, err = r.number(math.Inf(-1), "a finite number"); return err }
	}
	var ignored float64
	var about string
	model := r.modelFields(f)
	fields := map[string]func() error{
		"format": func() error { _, err := r.choice(exportFormat); return err },
		"about":  text(&about), "tolerance": finite(&ignored), "min": finite(&ignored), "max": finite(&ignored), "length": finite(&ignored),
		"weights": func() error { return r.terms(f, "index") },
	}
	for _, key := range []string{"game", "features", "link", "scale", "leaves", "bias", "range"} {
		fields[key] = model[key]
	}
	return r.object("an exported model", fields, "format", "game", "features", "link", "weights")
}
