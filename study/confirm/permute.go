package confirm

import (
	"fmt"

	"plyfit/study"
)

// Permuted is how often a family with nothing in it came to a claim supported.
type Permuted struct {
	Families int `json:"families"`
	Hits     int `json:"hits"` // families with a claim supported
}

func (p *Permuted) String() string {
	return fmt.Sprintf("On permuted labels %d of %d families came to a verdict (%.1f%%).", p.Hits, p.Families, 100*float64(p.Hits)/float64(p.Families))
}

// null tosses a coin for each world, unit or batch of a family in which no hypothesis is
// true: figures lie at the edge of what the claim denies, and as far from it as they were
// found from their mean, on either side.
type null struct {
	seed   uint64
	groups []*group // of the table, found once
}

func (n *null) sign(name string) float64 { return float64(2*int(named(n.seed, name)>>20&1) - 1) }

// nullAt is the sample about that level; outside of [Protocol.Permute] the sample itself.
func (s sample) nullAt(level float64) sample {
	if s.null == nil {
		return s
	}
	out := sample{worlds: s.worlds}
	mean := study.Mean(s.values)
	for i, x := range s.values {
		out.values = append(out.values, level+float64(s.null.sign(s.worlds[i])*(x-mean)))
	}
	return out
}

// Permute decides as many families as it is told in which all null hypotheses are true.
// Whole worlds change sides (of matches, batches), so that what differs between worlds
// stays in; n of them have 2^n families. About alpha of the families, or fewer,
// may come to a verdict.
func (p *Protocol) Permute(families int, t Table) *Permuted {
	out := &Permuted{Families: families}
	all := p.groups(t.Rows)
	for k := range families {
		q := *p
		q.null = &null{named(p.Seed, fmt.Sprint("permuted ", k)), all}
		for _, v := range q.Decide(t) {
			if v.Support == study.Supported {
				out.Hits++
				break
			}
		}
	}
	return out
}
