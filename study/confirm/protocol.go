// Package confirm runs a confirmatory study: what is asked, how it is measured and how it is decided
// are in a file that was written down first.
//
// The typical steps are:
//
//  1. [Read] reads a [Protocol]: matches between agents.
//  2. [Guard] checks it against the repository: the file is committed and the tree clean.
//  3. [Run] plays.
//  4. Hypotheses are decided from the table of batches alone, with Holm's correction, so that the table
//     decides them again ([Protocol.ReadTable]).
package confirm

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"plyfit/catalog"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/text"
	"plyfit/search"
)

const (
	format       = "plyfit-protocol/2" // the key "format" of a protocol
	lastOfWorlds = "c881801a"          // the commit whose program decides protocols of sources of evaluations
	// analysis is the version of the analysis in this package. It changes whenever the same table could
	// come to another verdict.
	analysis = 1

	// batchPairs is the number of pairs in one observation: enough for their mean to be about normal, and
	// for an opening that comes twice to matter little.
	batchPairs = 20

	// Limits of a match, the upper ones far above what anyone can wait for.
	leastPairs = 5 * batchPairs
	mostPairs  = 10_000_000
	mostPlies  = 1000
)

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

// match is the hypothesis that A is better than B, in pairs of games with common luck.
type match struct {
	ID      string  `json:"id"`
	Claim   string  `json:"claim"`
	Game    string  `json:"game"`
	A       string  `json:"a"` // an agent, or an evaluation that the planner plays with
	B       string  `json:"b"`
	Planner string  `json:"planner,omitempty"` // "": the game's usual one
	Margin  float64 `json:"margin,omitempty"`  // by which A scores above even; below 0: A is not worse by it
	Pairs   int     `json:"pairs"`             // of games
	Plies   int     `json:"plies"`             // random decisions at a pair's beginning

	world *catalog.World
	a, b  search.Factory
}

// Read reads and checks the protocol at path. Errors name file, key and what was expected.
func Read(path string, games catalog.Catalog) (*Protocol, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: want the file of a protocol: %w", path, errors.Unwrap(err))
	}
	p := &Protocol{Path: path, Digest: fmt.Sprintf("%x", sha256.Sum256(data))}
	if err = p.parse(data); err == nil {
		err = p.check(games)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// parse reads the file. A key that is unknown, or stands twice, is an error: two readers could read
// such a file in two ways.
func (p *Protocol) parse(data []byte) error {
	var head struct {
		Format string          `json:"format"`
		Worlds json.RawMessage `json:"worlds"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err == nil && head.Format == "plyfit-protocol/1":
		return fmt.Errorf("key format: %s is decided by the program of commit b57a2cf, which ran it: want %s here", head.Format, format)
	case err == nil && head.Worlds != nil:
		return fmt.Errorf("key worlds: protocols of worlds and sources are decided by the program of commit %s: want matches here", lastOfWorlds)
	}
	return text.JSON(data, p)
}

func wrong(key, want string, found any) error {
	return fmt.Errorf("key %s: want %s, not %q", key, want, fmt.Sprint(found))
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

func (m *match) check(key string, games catalog.Catalog) (err error) {
	if m.world, err = games.World(m.Game); err != nil {
		return fmt.Errorf("key %s.game: %w", key, err)
	}
	m.Planner = cmp.Or(m.Planner, m.world.Planner())
	if m.a, err = m.world.Entrant(m.A, m.Planner); err != nil {
		return fmt.Errorf("key %s.a: %w", key, err)
	}
	if m.b, err = m.world.Entrant(m.B, m.Planner); err != nil {
		return fmt.Errorf("key %s.b: %w", key, err)
	}
	switch {
	case m.Claim == "":
		return wrong(key+".claim", "a sentence", m.Claim)
	case m.a.Identity == m.b.Identity:
		return wrong(key+".b", "another agent than a", m.B)
	case m.world.Base().Players == 1 && m.world.Players == 2:
		return wrong(key+".game", "a game without an adversary in nature's place", m.Game)
	case m.Pairs < leastPairs || m.Pairs > mostPairs || m.Pairs%batchPairs != 0:
		return wrong(key+".pairs", fmt.Sprintf("a multiple of %d from %d to 10,000,000", batchPairs, leastPairs), m.Pairs)
	case m.Plies < 0 || m.Plies > mostPlies:
		return wrong(key+".plies", "decisions, 0 to 1,000", m.Plies)
	}
	return nil
}

// Guard refuses a run that would confirm nothing: a protocol or code that is not committed. It returns
// how it is known that the protocol was written down before the run. dir is the run folder; registered
// is the digest under which the user registered the file elsewhere, or "". It is required if git finds
// no repository around the file.
func Guard(p *Protocol, dir, registered string) (provenance string, err error) {
	from, err := p.committed(dir, registered)
	if code := proc.Version(); err == nil && (strings.Contains(code, "-dirty-") || registered == "" && strings.HasPrefix(code, "build-")) {
		return "", fmt.Errorf("this program is of code %s: want one built by go build from a commit, with nothing changed since", code)
	}
	return from, err
}

// committed compares the file with its repository.
func (p *Protocol) committed(dir, registered string) (provenance string, err error) {
	if registered != "" && registered != p.Digest {
		return "", fmt.Errorf("%s: its SHA-256 is %s, want the registered %s", p.Path, p.Digest, registered)
	}
	folder, name := filepath.Split(p.Path)
	folder = cmp.Or(folder, ".")
	top, err := git(folder, "rev-parse", "--show-toplevel")
	if err != nil {
		if registered != "" {
			return "registered elsewhere, by the user's word", nil
		}
		return "", fmt.Errorf("%s: nothing says when it was written, since git knows of no repository there: want it committed, or --registered with the digest under which it was registered", p.Path)
	}
	if _, err := git(folder, "ls-files", "--error-unmatch", "--", name); err != nil {
		return "", fmt.Errorf("%s: want it committed before the first cell is run", p.Path)
	}
	for _, model := range p.models() {
		// Of a file elsewhere, or one that git ignores, a clean tree says nothing.
		if _, err := git(filepath.Dir(model), "ls-files", "--error-unmatch", "--", filepath.Base(model)); err != nil {
			return "", fmt.Errorf("%s: its model %s is not committed: want what it is about written down before the first game", p.Path, model)
		}
	}
	changed, err := git(folder, "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(changed) {
		// The run's own folder changes while it is at work.
		path := filepath.Join(top, filepath.FromSlash(strings.Trim(strings.TrimSpace(line[3:]), `"`)))
		if !disk.Within(dir, path) {
			return "", fmt.Errorf("%s: the tree is dirty (%s): want everything committed", p.Path, strings.TrimSpace(line))
		}
	}
	// The last commit of the file added these very bytes.
	commit, err := git(folder, "log", "-1", "--format=%h of %cs", "--", name)
	return "committed as " + commit, err
}

func (p *Protocol) models() (paths []string) {
	for _, m := range p.Matches {
		for _, name := range strings.FieldsFunc(m.A+","+m.B+","+m.Planner, func(r rune) bool { return strings.ContainsRune(",=()", r) }) {
			if _, err := os.Stat(name); err == nil && strings.HasSuffix(name, ".json") {
				paths = append(paths, name)
			}
		}
	}
	return paths
}

// git returns what a command of git prints, without the last newline.
func git(folder string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", folder}, args...)...).Output()
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(failed.Stderr))
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
