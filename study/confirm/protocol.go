package confirm

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"plyfit/catalog"
)

// format is what a protocol's key "format" says. That of the first protocol is decided by
// the program which ran it.
const (
	format      = "plyfit-protocol/2"
	firstFormat = "plyfit-protocol/1"
)

// analysis is the version of the analysis in this package. It changes whenever the same
// table could come to another verdict.
const analysis = 1

// Protocol is a study written down before it is run: matches, each a hypothesis.
type Protocol struct {
	Format   string   `json:"format"`
	Name     string   `json:"name"`  // of the run's files
	Title    string   `json:"title"` // the question
	Written  string   `json:"written"`
	Analysis int      `json:"analysis"` // the version of the analysis that it was written for
	Alpha    float64  `json:"alpha"`    // of all hypotheses together
	Seed     uint64   `json:"seed"`     // openings and luck follow from it
	Reasons  []string `json:"reasons"`
	Matches  []*match `json:"matches"`

	Path   string `json:"-"` // of the file
	Digest string `json:"-"` // SHA-256 of the file's bytes, in hexadecimal digits
}

// Read reads and checks the protocol at path. Errors name file, key and what was expected.
func Read(path string, games catalog.Catalog) (*Protocol, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: want the file of a protocol: %w", path, errors.Unwrap(err))
	}
	p, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.Path = path
	if err := p.check(games); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func (p *Protocol) check(games catalog.Catalog) error {
	switch {
	case p.Format != format:
		return wrong("format", format, p.Format)
	case !isName(p.Name):
		return wrong("name", "small letters, digits, dots and hyphens", p.Name)
	case p.Title == "" || p.Written == "":
		return wrong("title", "the question as title, and when it was written", p.Title)
	case p.Analysis != analysis:
		return wrong("analysis", fmt.Sprintf("%d, the version of the analysis of this program", analysis), p.Analysis)
	case !(p.Alpha > 0 && p.Alpha < 0.5):
		return wrong("alpha", "a probability above 0 and below .5", p.Alpha)
	case p.Seed == 0:
		return wrong("seed", "a whole number above 0", p.Seed)
	case len(p.Matches) == 0:
		return wrong("matches", "a match at least", len(p.Matches))
	}
	ids := map[string]bool{}
	for i, m := range p.Matches {
		key := fmt.Sprintf("matches[%d]", i)
		if m == nil || m.ID == "" || ids[m.ID] {
			return wrong(key+".id", "a name that no other match has", m)
		}
		ids[m.ID] = true
		if err := m.check(key, games); err != nil {
			return err
		}
	}
	return nil
}

// isName reports whether text can be part of a file's name on any system.
func isName(text string) bool {
	return text != "" && text[0] != '.' && len(text) <= 60 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}
