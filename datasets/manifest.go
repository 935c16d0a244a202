package datasets

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	"plyfit/internal/disk"
	"plyfit/internal/text"
	"plyfit/work"
)

// Format is the value of "format" in the manifest.
const Format = "plyfit-dataset/1"

// ManifestFile is the name of the file that identifies a directory as a data set.
const ManifestFile = "dataset.json"

// A Plan contains the settings of a data set. Equal plans produce equal records.
type Plan struct {
	Game     string   `json:"game"`             // spec of the world
	Agents   []string `json:"agents"`           // identities of the agents, one per player, or a single one for all players
	Source   string   `json:"source,omitempty"` // digest of the relabelled data set or of the imported file
	Openings int      `json:"openings"`         // maximum number of random decisions at the start of an episode
	Explore  float64  `json:"explore"`          // probability of a random move after the opening
	// Book is the name of the list of initial positions. Episode e starts from position e of the
	// list. Plans with the same Book use the same list or an extension of it. If Book is empty,
	// episodes start from the initial position of the game.
	Book string `json:"book,omitempty"`
	// NewOpenings means that no two episodes start from the same position if this can be avoided.
	// If an opening has been used before, another one is drawn.
	NewOpenings bool `json:"new_openings,omitempty"`
	// Adjudicate is AdjudicateProven, or empty if episodes are played to the end.
	Adjudicate       string `json:"adjudicate,omitempty"`
	Seed             uint64 `json:"seed"`               // seed of all random choices
	Episodes         int    `json:"episodes"`           // numbered from 0
	EpisodesPerShard int    `json:"episodes_per_shard"` // shard k contains the episodes [k*n, (k+1)*n)
}

// AdjudicateProven ends an episode when a search has proven its outcome.
const AdjudicateProven = "proven"

// ImportedAgent is the name of the agent in data sets whose positions were imported.
const ImportedAgent = "imported"

// Imported reports whether the positions were imported.
func (r Plan) Imported() bool { return len(r.Agents) == 1 && r.Agents[0] == ImportedAgent }

// Shards returns the number of shards in the plan.
func (r Plan) Shards() int {
	return (r.Episodes + r.EpisodesPerShard - 1) / r.EpisodesPerShard
}

// Span returns the range [from, to) of episodes in shard k.
func (r Plan) Span(k int) (from, to uint64) {
	return uint64(k * r.EpisodesPerShard), uint64(min((k+1)*r.EpisodesPerShard, r.Episodes))
}

// A Manifest is the content of dataset.json: the plan and, once the data set is complete, the
// results.
type Manifest struct {
	Format string `json:"format"`
	Plan
	Complete bool `json:"complete"`

	// Except for Seal, the following fields are set only if Complete is true.
	Records   int64 `json:"records,omitempty"`
	Truncated int   `json:"truncated_episodes,omitempty"` // number of episodes that were stopped before their end
	Distinct  int   `json:"distinct_games,omitempty"`     // number of distinct games
	// Repeated is the number of episodes that start from the same position as an earlier one even
	// though NewOpenings is set. Either no unused opening was found, or the first opening was
	// replaced because its outcome was proven.
	Repeated int         `json:"repeated_openings,omitempty"`
	Digest   string      `json:"digest,omitempty"` // SHA-256 of the concatenated digests of the shards
	Shards   []ShardInfo `json:"shards,omitempty"`
	// Seal is the SHA-256 of the manifest without this field. Unlike Digest, it covers the plan as
	// well. It is empty in data sets written before 23 November 2026.
	Seal string `json:"seal,omitempty"`
}

// unfinished returns the error for an incomplete data set in dir.
func unfinished(dir string) error {
	return fmt.Errorf("%s: incomplete data set; to resume, repeat the command that created it", dir)
}

// ShardInfo describes one shard of a complete data set.
type ShardInfo struct {
	File    string `json:"file"`
	Records int64  `json:"records"`
	Digest  string `json:"digest"` // SHA-256 of the records, independent of compression
}

// ShardName returns the file name of shard k.
func ShardName(k int) string { return fmt.Sprintf("shard-%05d.parquet", k) }

// maxManifest is the maximum size of dataset.json in bytes, enough for a million shards.
const maxManifest = 256 << 20

// maxEpisodes limits the number of episodes, so that sums cannot overflow.
const maxEpisodes = 1 << 40

// ReadManifest reads the manifest in dir. If there is none, the error wraps fs.ErrNotExist.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	data, err := disk.Read(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s: not a data set; want a directory that contains %s: %w", dir, ManifestFile, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func parseManifest(data []byte) (*Manifest, error) {
	m := new(Manifest)
	if err := text.JSON(data, m); err != nil {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	if m.Seal != "" {
		seal, err := m.seal()
		if err != nil {
			return nil, err
		}
		if seal != m.Seal {
			return nil, fmt.Errorf("seal %.12q: want %.12s; the file was changed after it was written", m.Seal, seal)
		}
	}
	switch {
	case m.Format != Format:
		return nil, fmt.Errorf("format %q: want %q", m.Format, Format)
	case m.Game == "":
		return nil, errors.New("game: want the game's spec")
	case m.Episodes < 1 || m.Episodes > maxEpisodes:
		return nil, fmt.Errorf("episodes %d: want at least 1", m.Episodes)
	case m.EpisodesPerShard < 1 || m.EpisodesPerShard > maxEpisodes:
		return nil, fmt.Errorf("episodes_per_shard %d: want at least 1", m.EpisodesPerShard)
	case m.Complete && len(m.Shards) != m.Plan.Shards():
		return nil, fmt.Errorf("shards: %d are listed; want %d for %d episodes", len(m.Shards), m.Plan.Shards(), m.Episodes)
	}
	records, whole := int64(0), sha256.New()
	for k, s := range m.Shards {
		if s.File != ShardName(k) {
			return nil, fmt.Errorf("shards[%d].file %q: want %q", k, s.File, ShardName(k))
		}
		records += s.Records
		whole.Write([]byte(s.Digest))
	}
	if m.Complete {
		if digest := hex.EncodeToString(whole.Sum(nil)); digest != m.Digest {
			return nil, fmt.Errorf("digest %.12q: want %.12s, computed from the digests of the shards", m.Digest, digest)
		}
		if records != m.Records {
			return nil, fmt.Errorf("records %d: want %d, the sum over all shards", m.Records, records)
		}
	}
	return m, nil
}

// seal returns the correct value of m.Seal.
func (m *Manifest) seal() (string, error) {
	open := *m
	open.Seal = ""
	data, err := json.MarshalIndent(&open, "", "  ")
	if err == nil && bytes.Contains(data, []byte(`\ufffd`)) { // the seal covers invalid UTF-8 as it will be read back
		if err = json.Unmarshal(data, &open); err == nil {
			data, err = json.MarshalIndent(&open, "", "  ")
		}
	}
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(data, '\n'))
	return hex.EncodeToString(sum[:]), nil
}

func (m *Manifest) write(dir string) (err error) {
	if m.Seal, err = m.seal(); err != nil {
		return err
	}
	return disk.WriteJSON(filepath.Join(dir, ManifestFile), m)
}

// differs describes the first difference between two plans. It returns an empty string if they
// differ at most in the number of episodes.
func (r Plan) differs(o Plan) string {
	ours, other := reflect.ValueOf(r), reflect.ValueOf(o)
	for i, field := range reflect.VisibleFields(ours.Type()) {
		x, y := ours.Field(i).Interface(), other.Field(i).Interface()
		if field.Name == "Episodes" || reflect.DeepEqual(x, y) {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		return fmt.Sprintf("%s is %s, not %s", name, shown(x), shown(y))
	}
	return ""
}

func shown(value any) string { return cmp.Or(strings.Trim(fmt.Sprint(value), "[]"), `""`) }

// The kinds of jobs whose units are shards.
const (
	SelfPlay = "selfplay"
	Relabel  = "relabel"
	Import   = "import"
)

type planRest struct {
	Source      string  `json:"source,omitempty"`
	Openings    int     `json:"openings"`
	Explore     float64 `json:"explore"`
	Book        string  `json:"book,omitempty"`
	NewOpenings bool    `json:"new_openings,omitempty"`
	Adjudicate  string  `json:"adjudicate,omitempty"`
}

// Job returns a job whose units are the shards of the plan.
func (r Plan) Job() *work.Job {
	kind := SelfPlay
	switch {
	case r.Imported():
		kind = Import
	case r.Source != "":
		kind = Relabel
	}
	return &work.Job{
		Kind: kind, World: r.Game, Agents: r.Agents, Seed: r.Seed, To: r.Episodes, UnitSize: r.EpisodesPerShard,
		Rest: planRest{r.Source, r.Openings, r.Explore, r.Book, r.NewOpenings, r.Adjudicate},
	}
}

// PlanOf returns the plan of a job that [Plan.Job] created, usually in another process.
func PlanOf(j *work.Job) (Plan, error) {
	var rest planRest
	if err := j.Decode(&rest); err != nil {
		return Plan{}, err
	}
	if j.To < 1 || j.UnitSize < 1 {
		return Plan{}, fmt.Errorf("%d episodes in shards of %d: both numbers must be at least 1", j.To, j.UnitSize)
	}
	return Plan{
		Game: j.World, Agents: j.Agents, Seed: j.Seed, Episodes: j.To, EpisodesPerShard: j.UnitSize,
		Source: rest.Source, Openings: rest.Openings, Explore: rest.Explore, Book: rest.Book, NewOpenings: rest.NewOpenings, Adjudicate: rest.Adjudicate,
	}, nil
}
