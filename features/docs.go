package features

import "strings"

// DocsByName is what documentation says of the features of a set outside of tables, by
// their full names, phases included; empty where the set is not [Documented].
func DocsByName(s Set) map[string]string {
	out := map[string]string{}
	documented, ok := s.(Documented)
	if !ok {
		return out
	}
	docs := map[string]string{}
	for _, d := range documented.Docs() {
		for _, name := range d.Of {
			docs[name] = d.Text
		}
	}
	for _, b := range s.Blocks() {
		if b.Table {
			continue
		}
		for i := range b.Len {
			name := b.FeatureName(i)
			base, _, _ := strings.Cut(name, "@")
			if text, ok := docs[base]; ok {
				out[name] = text
			}
		}
	}
	return out
}
