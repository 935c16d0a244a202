package models

// Over is m over the blocks of another feature set: features of the same name keep their weights,
// new ones weigh nothing. It reports whether the blocks have all features that m gives a weight; a
// table must have its length in m. Weights' errors, fingerprint and provenance are dropped.
func (m *Linear) Over(features string, blocks []Block) (*Linear, bool) {
	o := New(m.Game, features, blocks)
	o.Bias, o.Link, o.Leaves, o.Range = m.Bias, m.Link, m.Leaves, m.Range
	place := map[string]int{}  // of a feature with a name of its own
	tables := map[string]int{} // where a table begins
	length := map[string]int{}
	dense, table := 0, 0
	for _, b := range blocks {
		if b.Table {
			tables[b.Name], length[b.Name] = table, b.Len
			table += b.Len
			continue
		}
		for k := range b.Len {
			place[b.FeatureName(k)] = dense + k
		}
		dense += b.Len
	}
	dense, table = 0, 0
	for _, b := range m.Blocks {
		if b.Table {
			if length[b.Name] != b.Len {
				return nil, false
			}
			copy(o.Table[tables[b.Name]:][:b.Len], m.Table[table:])
			table += b.Len
			continue
		}
		for k := range b.Len {
			weight := m.Weights[dense+k]
			at, ok := place[b.FeatureName(k)]
			switch {
			case ok:
				o.Weights[at] = weight
			case weight != 0:
				return nil, false
			}
		}
		dense += b.Len
	}
	return o, true
}
