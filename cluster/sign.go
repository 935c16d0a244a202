package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"plyfit/internal/disk"
	"plyfit/work"
)

// Prefixes of the keys of heartbeats.
const (
	jobSign    = "job."
	workerSign = "worker."
)

// JobSign is a coordinator's heartbeat.
type JobSign struct {
	Job     string     `json:"job"` // name of the job
	Kind    string     `json:"kind"`
	World   string     `json:"world,omitempty"`
	Build   work.Build `json:"build"`
	Host    string     `json:"host"`
	Units   int        `json:"units"` // number of units in this run
	Done    int        `json:"done"`
	Dead    int        `json:"dead"`
	Seconds float64    `json:"seconds"` // since the start of the run
}

// WorkerSign is a worker's heartbeat.
type WorkerSign struct {
	Name    string     `json:"name"` // host/process
	Build   work.Build `json:"build"`
	Workers int        `json:"workers"` // units computed in parallel
	Busy    int        `json:"busy"`
	Done    int        `json:"done"`    // number of units computed since the worker started
	Failed  int        `json:"failed"`  // number of tries that ended with an error
	Seconds float64    `json:"seconds"` // since the worker started
}

// put publishes a heartbeat. It does not retry.
func (l *Link) put(ctx context.Context, key string, sign any) error {
	text, err := json.Marshal(sign)
	if err != nil {
		return err
	}
	return l.call(ctx, in(l.js.KeyValue, signBucket, func(ctx context.Context, signs jetstream.KeyValue) error {
		_, err := signs.Put(ctx, key, text)
		return err
	}))
}

func (l *Link) remove(ctx context.Context, bucket, key string) error {
	return l.call(ctx, in(l.js.KeyValue, bucket, func(ctx context.Context, b jetstream.KeyValue) error {
		return b.Purge(ctx, key)
	}))
}

// sign publishes the run's heartbeat. It only logs failures.
func (d *run) sign(ctx context.Context) error {
	host, _ := os.Hostname()
	d.mu.Lock()
	s := JobSign{
		Job: d.job, Kind: d.r.Job.Kind, World: d.r.Job.World, Build: work.ThisBuild(), Host: host,
		Units: len(d.r.Units), Done: d.done, Dead: len(d.dead), Seconds: time.Since(d.began).Seconds(),
	}
	d.mu.Unlock()
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := errors.Join(d.put(ctx, jobSign+d.job, s), d.nc.Publish(signSubject(d.job), text)); err != nil && ctx.Err() == nil {
		d.Log.Debug("cannot publish the heartbeat", "error", err)
	}
	return nil
}

// hasWorker reports whether a worker of this build other than the named one has sent a heartbeat.
// It returns true if the hub does not answer.
func (l *Link) hasWorker(ctx context.Context, other string) bool {
	_, workers, err := l.signs(ctx)
	return err != nil || slices.ContainsFunc(workers, func(w WorkerSign) bool { return w.Build == work.ThisBuild() && w.Name != other })
}

// signs returns all heartbeats on the hub.
func (l *Link) signs(ctx context.Context) (jobs []JobSign, workers []WorkerSign, err error) {
	err = l.call(ctx, in(l.js.KeyValue, signBucket, func(ctx context.Context, signs jetstream.KeyValue) (err error) {
		if jobs, err = read(ctx, signs, jobSign, readJobSign); err != nil {
			return err
		}
		workers, err = read(ctx, signs, workerSign, readWorkerSign)
		return err
	}))
	return jobs, workers, err
}

// read returns the heartbeats of one kind in the order of their last change. It skips invalid ones.
func read[T any](ctx context.Context, signs jetstream.KeyValue, kind string, one func(key string, text []byte) (T, bool)) (all []T, err error) {
	w, err := signs.Watch(ctx, kind+"*", jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Stop()) }()
	for {
		select {
		case entry := <-w.Updates():
			if entry == nil { // end of the current values
				return all, nil
			}
			if sign, ok := one(strings.TrimPrefix(entry.Key(), kind), entry.Value()); ok {
				all = append(all, sign)
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Loopback reports whether host is a loopback address or localhost.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// ownKeyFile returns the path of the user's key. The user's processes use it to connect to the
// user's hubs on the loopback address.
func ownKeyFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no directory for hub keys: %w; use a token or an nkey", err)
	}
	return filepath.Join(dir, "plyfit", "cluster", "key.nk"), nil
}

// OwnKey returns the public nkey of this user's processes on this machine. It creates the seed file
// if necessary. Only this user can read the file.
func OwnKey() (public string, err error) {
	path, err := ownKeyFile()
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", err
		}
		if err := MakeKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return ReadKey(path)
}

// ReadKey returns the public key of the seed at path. The file must not be readable by others.
func ReadKey(path string) (public string, err error) {
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("nkey %s: mode %04o, want 0600; others may have read the key, so create a new one", path, info.Mode().Perm())
	}
	text, err := disk.Read(path, 1<<10)
	if err != nil {
		return "", fmt.Errorf("nkey: %w", err)
	}
	pair, err := nkeys.ParseDecoratedUserNKey(text)
	if err != nil {
		return "", fmt.Errorf("nkey %s: %w", path, err)
	}
	return pair.PublicKey()
}

// MakeKey writes the seed of a new nkey to path. Only this user can read the file. The file appears
// atomically. MakeKey returns an error if the file already exists.
func MakeKey(path string) error {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(seed, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}
