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

// Format is what a data set says of itself under "format".
const Format = "plyfit-dataset/1"

// ManifestFile is the name of the file that makes a folder a data set.
const ManifestFile = "dataset.json"

// Plan is what a data set was asked to be: the same plan gives the same records.
type Plan struct {
	Game     string   `json:"game"`             // spec of the world
	Agents   []string `json:"agents"`           // identities by seat; one: the same in all seats
	Source   string   `json:"source,omitempty"` // digest of the data set that was relabelled or imported
	Openings int      `json:"openings"`         // at most so many random decisions at an episode's beginning
	Explore  float64  `json:"explore"`          // probability of a random move afterwards
	// Book names the list of positions at which episodes begin instead of the game's start: the
	// first at the first, and so on. Equal names mean the same list or an extension of it; "": the
	// game's start.
	Book string `json:"book,omitempty"`
	// NewOpenings means that an opening is redrawn if an earlier episode began at the same
	// position, as long as there are others.
	NewOpenings bool `json:"new_openings,omitempty"`
	// Adjudicate is what ends an episode before the game is over: AdjudicateProven, or nothing.
	Adjudicate       string `json:"adjudicate,omitempty"`
	Seed             uint64 `json:"seed"`               // of everything random
	Episodes         int    `json:"episodes"`           // 0..Episodes-1
	EpisodesPerShard int    `json:"episodes_per_shard"` // shard k holds [k*n, (k+1)*n)
}

// AdjudicateProven ends an episode where a search has proven the outcome.
const AdjudicateProven = "proven"

// ImportedAgent is the agent of a data set of positions from elsewhere.
const ImportedAgent = "imported"

// Imported reports whether the positions came from elsewhere.
func (r Plan) Imported() bool { return len(r.Agents) == 1 && r.Agents[0] == ImportedAgent }

// Shards is the number of shards that the plan makes.
func (r Plan) Shards() int {
	return (r.Episodes + r.EpisodesPerShard - 1) / r.EpisodesPerShard
}

// Span is the range of episodes [from, to) of shard k.
func (r Plan) Span(k int) (from, to uint64) {
	return uint64(k * r.EpisodesPerShard), uint64(min((k+1)*r.EpisodesPerShard, r.Episodes))
}

// Manifest is dataset.json: the plan and, once the set is complete, its results.
type Manifest struct {
	Format string `json:"format"`
	Plan
	Complete bool `json:"complete"`

	// The rest is known of complete sets only.
	Records   int64 `json:"records,omitempty"`
	Truncated int   `json:"truncated_episodes,omitempty"` // cut off at the game's limit of plies
	Distinct  int   `json:"distinct_games,omitempty"`     // by their decisions and positions
	// Repeated are the episodes with an earlier one's start although the plan wants new openings:
	// no new one was found, or the replacement of a proven start met another's opening.
	Repeated int         `json:"repeated_openings,omitempty"`
	Digest   string      `json:"digest,omitempty"` // SHA-256 over the shards' digests
	Shards   []ShardInfo `json:"shards,omitempty"`
	// Seal is the SHA-256 of the file without it: the digest covers the records alone, not who
	// played them. "" in folders from before 23 November 2026.
	Seal string `json:"seal,omitempty"`
}

// unfinished is the error for a set in dir that cannot be read yet.
func unfinished(dir string) error {
	return fmt.Errorf("%s: not complete: the command that began it goes on with it", dir)
}

// ShardInfo is one shard of a complete data set.
type ShardInfo struct {
	File    string `json:"file"`
	Records int64  `json:"records"`
	Digest  string `json:"digest"` // SHA-256 over its records, whatever the file's compression
}

// ShardName is the file name of shard k.
func ShardName(k int) string { return fmt.Sprintf("shard-%05d.parquet", k) }

// maxManifest is how many bytes of dataset.json are read: those of two million shards.
const maxManifest = 256 << 20

// maxEpisodes keeps sums of episodes far from overflow.
const maxEpisodes = 1 << 40

// ReadManifest reads the dataset.json in dir.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	data, err := disk.Read(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s: no data set: want a folder with a %s: %w", dir, ManifestFile, fs.ErrNotExist)
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
		return nil, fmt.Errorf("want a data set's JSON: %w", err)
	}
	if m.Seal != "" {
		seal, err := m.seal()
		if err != nil {
			return nil, err
		}
		if seal != m.Seal {
			return nil, fmt.Errorf("seal %.12q: want %.12s, which follows from the rest of the file: it was changed after it was written", m.Seal, seal)
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
		return nil, fmt.Errorf("shards: %d listed, want %d for %d episodes", len(m.Shards), m.Plan.Shards(), m.Episodes)
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
			return nil, fmt.Errorf("digest %.12q: want %.12s, which follows from those of the shards", m.Digest, digest)
		}
		if records != m.Records {
			return nil, fmt.Errorf("records %d: want %d, those of the shards", m.Records, records)
		}
	}
	return m, nil
}

// seal is what [Manifest.Seal] is to be.
func (m *Manifest) seal() (string, error) {
	open := *m
	open.Seal = ""
	data, err := json.MarshalIndent(&open, "", "  ")
	if err == nil && bytes.Contains(data, []byte(`\ufffd`)) { // what is no UTF-8 counts as it will be read
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
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteBytes(filepath.Join(dir, ManifestFile), append(data, '\n'))
}

// differs names a difference of two plans; "" if they are equal except in the number of episodes.
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

// Kinds of jobs whose units are shards.
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

// Job is the plan as a job, whose units are the shards by their numbers.
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

// PlanOf is the plan whose [Plan.Job] came from another process.
func PlanOf(j *work.Job) (Plan, error) {
	var rest planRest
	if err := j.Decode(&rest); err != nil {
		return Plan{}, err
	}
	if j.To < 1 || j.UnitSize < 1 {
		return Plan{}, fmt.Errorf("%d episodes in shards of %d: want at least 1", j.To, j.UnitSize)
	}
	return Plan{
		Game: j.World, Agents: j.Agents, Seed: j.Seed, Episodes: j.To, EpisodesPerShard: j.UnitSize,
		Source: rest.Source, Openings: rest.Openings, Explore: rest.Explore, Book: rest.Book, NewOpenings: rest.NewOpenings, Adjudicate: rest.Adjudicate,
	}, nil
}
