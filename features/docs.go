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
	docs := documented.Docs()
	at := -1 // the last of docs whose feature has come
	for _, b := range s.Blocks() {
		if b.Table {
			continue
		}
		for i := range b.Len {
			name := b.FeatureName(i)
			base, _, _ := strings.Cut(name, "@")
			if at+1 < len(docs) && base == docs[at+1].Name {
				at++
			}
			if at >= 0 && (docs[at].Kind || base == docs[at].Name) {
				out[name] = docs[at].Text
			}
		}
	}
	return out
}
