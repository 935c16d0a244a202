package models

import (
	"encoding/json"
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
	ignored := r.finite(new(float64))
	model := r.modelFields(f)
	fields := map[string]func() error{
		"format": func() error { _, err := r.choice(exportFormat); return err },
		"about":  r.into(new(string)), "tolerance": ignored, "min": ignored, "max": ignored, "length": ignored,
		"weights": func() error { return r.terms(f, "index") },
	}
	for _, key := range []string{"game", "features", "link", "scale", "leaves", "bias", "range"} {
		fields[key] = model[key]
	}
	return r.object("an exported model", fields, "format", "game", "features", "link", "weights")
}
