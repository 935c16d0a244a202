// Package confirm runs confirmatory studies. A file that is written in advance specifies the
// hypotheses, the measurements and the decision rules.
//
// The typical steps are:
//
//  1. [Read] reads a [Protocol], which consists of matches between agents.
//  2. [Guard] checks that the file is committed to the repository and that the working tree is
//     clean.
//  3. [Run] plays the matches.
//  4. The hypotheses are decided from the table of batches alone, with Holm's correction. The same
//     table therefore always leads to the same decisions ([Protocol.ReadTable]).
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
	"regexp"
	"strings"

	"plyfit/catalog"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/text"
	"plyfit/search"
)

const (
	format       = "plyfit-protocol/2" // value of the key "format"
	lastOfWorlds = "c881801a"          // commit of the program version that can decide older protocols, which specify sources of evaluations
	// analysis is the version of the analysis in this package. It must be changed whenever the same
	// table could lead to a different verdict.
	analysis = 1

	// batchPairs is the number of pairs in an observation. It is large enough for the mean to be
	// approximately normal, and for repeated openings to have little effect.
	batchPairs = 20

	// Limits of a match. The maxima are far larger than any practical value.
	leastPairs = 5 * batchPairs
	mostPairs  = 10_000_000
	mostPlies  = 1000
)

// A Protocol is a study that was written down before it was run. Each of its matches is a
// hypothesis.
type Protocol struct {
	Format   string   `json:"format"`
	Name     string   `json:"name"`  // name of the study, used in file names
	Title    string   `json:"title"` // research question
	Written  string   `json:"written"`
	Analysis int      `json:"analysis"` // version of the analysis for which the protocol was written
	Alpha    float64  `json:"alpha"`    // significance level of all hypotheses together
	Seed     uint64   `json:"seed"`     // determines openings and luck
	Reasons  []string `json:"reasons"`
	Matches  []*match `json:"matches"`

	Path   string `json:"-"` // path of the file
	Digest string `json:"-"` // SHA-256 of the file in hexadecimal digits
}

// A match is the hypothesis that A is better than B, tested by pairs of games with common luck.
type match struct {
	ID      string  `json:"id"`
	Claim   string  `json:"claim"`
	Game    string  `json:"game"`
	A       string  `json:"a"` // each is an agent, or an evaluation that is used with the planner
	B       string  `json:"b"`
	Planner string  `json:"planner,omitempty"` // the game's default planner if empty
	Margin  float64 `json:"margin,omitempty"`  // A's score must exceed even by more than Margin; with a negative margin, the claim is that A is not worse by more than that
	Pairs   int     `json:"pairs"`             // number of pairs of games
	Plies   int     `json:"plies"`             // number of random decisions at the start of a pair

	world *catalog.World
	a, b  search.Factory
}

// Read reads the protocol at path and checks it. Errors contain the file, the key and the expected
// value.
func Read(path string, games catalog.Catalog) (*Protocol, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: want a protocol file: %w", path, errors.Unwrap(err))
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

// parse decodes the file. An unknown or repeated key is an error, because different programs could
// interpret such a file differently.
func (p *Protocol) parse(data []byte) error {
	var head struct {
		Format string          `json:"format"`
		Worlds json.RawMessage `json:"worlds"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err == nil && head.Format == "plyfit-protocol/1":
		return fmt.Errorf("key format: %s can be evaluated only by the program built from commit b57a2cf, which ran it; want %s", head.Format, format)
	case err == nil && head.Worlds != nil:
		return fmt.Errorf("key worlds: protocols of worlds and sources can be evaluated only by the program built from commit %s; want matches", lastOfWorlds)
	}
	return text.JSON(data, p)
}

func wrong(key, want string, found any) error {
	return fmt.Errorf("key %s: want %s, not %q", key, want, fmt.Sprint(found))
}

// fileName matches names that can be part of a file name on all systems.
var fileName = regexp.MustCompile(`^[a-z0-9-][a-z0-9.-]{0,59}$`)

func (p *Protocol) check(games catalog.Catalog) error {
	switch {
	case p.Format != format:
		return wrong("format", format, p.Format)
	case !fileName.MatchString(p.Name):
		return wrong("name", "lower-case letters, digits, dots and hyphens", p.Name)
	case p.Title == "" || p.Written == "":
		return wrong("title", "a title that states the question, and the date on which it was written", p.Title)
	case p.Analysis != analysis:
		return wrong("analysis", fmt.Sprintf("%d, the version of this program's analysis", analysis), p.Analysis)
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
			return wrong(key+".id", "a name that is unique among the matches", m)
		}
		ids[m.ID] = true
		if err := m.check(key, games); err != nil {
			return err
		}
	}
	return nil
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
		return wrong(key+".game", "a game without an adversary in place of nature", m.Game)
	case m.Pairs < leastPairs || m.Pairs > mostPairs || m.Pairs%batchPairs != 0:
		return wrong(key+".pairs", fmt.Sprintf("a multiple of %d from %d to 10,000,000", batchPairs, leastPairs), m.Pairs)
	case m.Plies < 0 || m.Plies > mostPlies:
		return wrong(key+".plies", "decisions, 0 to 1,000", m.Plies)
	}
	return nil
}

// Guard returns an error if a run would not be confirmatory because the protocol or the code is not
// committed. Otherwise, it returns a description of the evidence that the protocol was written down
// before the run. The parameter dir is the run's directory, and registered is the file's digest, as
// registered elsewhere by the user. The digest is required if the file is not in a git repository;
// otherwise it may be empty.
func Guard(p *Protocol, dir, registered string) (provenance string, err error) {
	from, err := p.committed(dir, registered)
	if code := proc.Version(); err == nil && (strings.Contains(code, "-dirty-") || registered == "" && strings.HasPrefix(code, "build-")) {
		return "", fmt.Errorf("this program was built from %s; want a program built by go build from a clean checkout of a commit", code)
	}
	return from, err
}

// committed checks the file and the working tree against the repository.
func (p *Protocol) committed(dir, registered string) (provenance string, err error) {
	if registered != "" && registered != p.Digest {
		return "", fmt.Errorf("%s: the SHA-256 is %s; want the registered SHA-256, %s", p.Path, p.Digest, registered)
	}
	folder, name := filepath.Split(p.Path)
	folder = cmp.Or(folder, ".")
	top, err := git(folder, "rev-parse", "--show-toplevel")
	if err != nil {
		if registered != "" {
			return "registered elsewhere, according to the user", nil
		}
		return "", fmt.Errorf("%s: the date of the protocol is unknown, because the file is not in a git repository; commit the file, or use --registered with the digest under which the protocol was registered", p.Path)
	}
	if _, err := git(folder, "ls-files", "--error-unmatch", "--", name); err != nil {
		return "", fmt.Errorf("%s: the protocol is not committed; commit the protocol before the first cell is run", p.Path)
	}
	for _, model := range p.models() {
		// A clean working tree says nothing about files that are ignored or outside the repository.
		if _, err := git(filepath.Dir(model), "ls-files", "--error-unmatch", "--", filepath.Base(model)); err != nil {
			return "", fmt.Errorf("%s: the model %s is not committed; commit all models before the first game", p.Path, model)
		}
	}
	changed, err := git(folder, "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(changed) {
		// The directory of the run changes during the run.
		path := filepath.Join(top, filepath.FromSlash(strings.Trim(strings.TrimSpace(line[3:]), `"`)))
		if !disk.Within(dir, path) {
			return "", fmt.Errorf("%s: the working tree has uncommitted changes (%s); commit all changes", p.Path, strings.TrimSpace(line))
		}
	}
	// This is the commit in which the file obtained its current contents.
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

// git runs a git command and returns its output without the final newline.
func git(folder string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", folder}, args...)...).Output()
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(failed.Stderr))
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
