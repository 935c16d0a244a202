// Package hub runs a NATS server with JetStream inside this process. It logs one line per event.
//
//  1. [Start] starts the server. It refuses to listen for other machines without a credential.
//
//  2. [Hub.Run] logs workers and jobs that come and go, until its context ends.
package hub

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"plyfit/cluster"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/work"
)

// Options configures a hub. Only Store is required. By default, a hub listens on the loopback
// address, for processes run by the same user and authenticated with [cluster.OwnKey].
type Options struct {
	Listen string // HOST:PORT; "" means 127.0.0.1:4222; port 0 selects a free port
	Store  string // directory of the streams
	// Sync means that each message is written to disk before it is acknowledged. Without Sync, a
	// crash of the machine may cause units to be computed again, but the final results are
	// complete.
	Sync bool

	// The credential. Anyone who has it controls the hub and its workers.
	TokenFile   string   // file with the token that clients must present
	Nkeys       []string // public keys of clients, instead of a token
	Certificate string   // file with the TLS certificate
	Key         string   // file with the key of the certificate
	// Plain admits other machines without TLS. In that case, anyone on the network path can read
	// everything.
	Plain bool
}

const mostBytes = 8 << 20

// A Hub is a running hub.
type Hub struct {
	Link   *cluster.Link // connection from this process
	server *server.Server
	log    *slog.Logger
	store  string
	fatal  chan error

	release func() // releases the lock on the store
}

// Start starts a hub. The caller must call Close.
func Start(o Options, log *slog.Logger) (*Hub, error) {
	h := &Hub{log: log, store: o.Store, fatal: make(chan error, 1)}
	so, access, err := o.server()
	if err != nil {
		return nil, err
	}
	if h.release, err = work.Hold(o.Store); err != nil {
		return nil, err
	}
	if h.server, err = server.NewServer(so); err != nil {
		h.release()
		return nil, fmt.Errorf("hub: %w", err)
	}
	h.server.SetLoggerV2(&logger{log: log, fatal: h.fatal, lastLogged: map[string]time.Time{}}, false, false, false)
	h.server.Start()
	ready := make(chan bool, 1)
	go func() { ready <- h.server.ReadyForConnections(startWait) }()
	select {
	case err = <-h.fatal:
		err = h.why(err)
	case ok := <-ready:
		if !ok {
			err = errors.New("hub: the server was not ready in time")
		}
	}
	if err == nil {
		h.Link, err = cluster.Attach(log, append(access, nats.InProcessServer(h.server))...)
	}
	if err == nil {
		if err = h.Link.Ensure(context.Background()); err != nil {
			err = fmt.Errorf("hub: %w", err)
		}
	}
	select {
	case fatal := <-h.fatal:
		err = cmp.Or(h.why(fatal), err)
	default:
	}
	if err != nil {
		h.server.Shutdown()
		h.release()
		return nil, proc.Failure(err)
	}
	log.Info("hub is listening", "at", h.URL(), "store", o.Store, "sync", o.Sync)
	return h, nil
}

// startWait is the maximum time that a store may take to load.
const startWait = 30 * time.Second

// URL returns the address of the hub.
func (h *Hub) URL() string { return h.server.ClientURL() }

// Close stops the hub.
func (h *Hub) Close() {
	h.Link.Close()
	h.server.Shutdown()
	h.server.WaitForShutdown()
	h.release()
	h.log.Info("hub stopped")
}

func (o Options) server() (so *server.Options, access []nats.Option, err error) {
	so = &server.Options{
		ServerName: "plyfit", NoSigs: true, JetStream: true, MaxPayload: mostBytes, MaxPending: 16 * mostBytes,
		StoreDir: o.Store, SyncAlways: o.Sync, DisableJetStreamBanner: true,
	}
	o.Listen = cmp.Or(o.Listen, "127.0.0.1:4222")
	host, port, err := net.SplitHostPort(o.Listen)
	if err == nil {
		so.Port, err = strconv.Atoi(port)
	}
	if err != nil || host == "" || so.Port < 0 || so.Port > 65535 {
		return nil, nil, fmt.Errorf("listen %s: want HOST:PORT, such as 127.0.0.1:4222 or 0.0.0.0:4222", o.Listen)
	}
	so.Host = host
	so.Port = cmp.Or(so.Port, server.RANDOM_PORT)
	if err := os.MkdirAll(o.Store, 0o700); err != nil {
		return nil, nil, fmt.Errorf("store: %w", err)
	}
	if so.StoreDir, err = filepath.Abs(o.Store); err != nil {
		return nil, nil, err
	}
	local := cluster.Loopback(host)
	if access, err = o.credentials(so, local); err != nil {
		return nil, nil, err
	}
	if err := o.encrypt(so); err != nil {
		return nil, nil, err
	}
	switch encrypted := so.TLSConfig != nil; {
	case o.Plain && encrypted:
		return nil, nil, errors.New("both --plain and a certificate are set; use only one of the two")
	case !local && !encrypted && !o.Plain:
		return nil, nil, fmt.Errorf("listen %s: without TLS, others on the network can read models, results and tokens; use a certificate and its key, or --plain if that does not matter", o.Listen)
	}
	return so, access, nil
}

func (o Options) credentials(so *server.Options, local bool) (access []nats.Option, err error) {
	keys := slices.Clone(o.Nkeys)
	switch {
	case o.TokenFile != "" && len(keys) > 0:
		return nil, errors.New("both a token file and nkeys are set; use only one of the two")
	case o.TokenFile != "":
		text, err := disk.Read(o.TokenFile, mostToken)
		if err != nil {
			return nil, fmt.Errorf("token: %w", err)
		}
		so.Authorization = strings.TrimSpace(string(text))
		if len(so.Authorization) < 16 {
			return nil, fmt.Errorf("token %s: want at least 16 characters, for example from openssl rand -hex 32", o.TokenFile)
		}
		return []nats.Option{nats.Token(so.Authorization)}, nil
	case len(keys) == 0 && !local:
		return nil, fmt.Errorf("listen %s: other machines can connect, so a credential is needed; use a token file or nkeys", o.Listen)
	case len(keys) == 0:
		key, err := cluster.OwnKey()
		if err != nil {
			return nil, err
		}
		keys = []string{key}
	}
	own, err := nkeys.CreateUser() // key of this process
	if err != nil {
		return nil, err
	}
	public, err := own.PublicKey()
	if err != nil {
		return nil, err
	}
	for _, key := range append(keys, public) {
		if !nkeys.IsValidPublicUserKey(key) {
			return nil, fmt.Errorf("nkey %s: want a user's public key, as printed by plyfit cluster key", key)
		}
		so.Nkeys = append(so.Nkeys, &server.NkeyUser{Nkey: key})
	}
	return []nats.Option{nats.Nkey(public, own.Sign)}, nil
}

const mostToken = 4 << 10

func (o Options) encrypt(so *server.Options) error {
	if (o.Certificate == "") != (o.Key == "") {
		return errors.New("want both a certificate and its key, or neither")
	}
	if o.Certificate == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(o.Certificate, o.Key)
	if err != nil {
		return fmt.Errorf("certificate %s: %w", o.Certificate, err)
	}
	so.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	so.TLSTimeout = 5
	return nil
}

const statusEvery = 2 * time.Second

// Run logs events until ctx ends or the server fails.
func (h *Hub) Run(ctx context.Context) error {
	tick := time.NewTicker(statusEvery)
	defer tick.Stop()
	var before cluster.Status
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-h.fatal:
			return proc.Failure(h.why(err))
		case <-tick.C:
		}
		if !h.server.JetStreamEnabled() {
			return proc.Failure(h.why(errFull))
		}
		now, err := cluster.ReadStatus(ctx, h.Link)
		if err != nil {
			continue // there are no streams yet, or ctx has ended
		}
		h.compare(before, now)
		before = now
	}
}

func (h *Hub) why(err error) error {
	if errors.Is(err, errFull) {
		return fmt.Errorf("hub: the disk is full: %s; free some space and start the hub again (no data is lost)", h.store)
	}
	return err
}

// compare logs the workers and jobs that have appeared or disappeared.
func (h *Hub) compare(before, now cluster.Status) {
	worker := func(a, b cluster.WorkerSign) bool { return a.Name == b.Name }
	for _, w := range without(now.Workers, before.Workers, worker) {
		h.log.Info("worker connected", "worker", w.Name, "program", w.Build.Program, "workers", w.Workers)
	}
	for _, w := range without(before.Workers, now.Workers, worker) {
		h.log.Info("worker left", "worker", w.Name, "units", w.Done)
	}
	job := func(a, b cluster.JobStatus) bool { return a.Job == b.Job }
	for _, j := range without(now.Jobs, before.Jobs, job) {
		h.log.Info("job started", "job", cluster.Short(j.Job), "kind", j.Kind, "world", j.World, "units", j.Units, "coordinator", j.Host)
	}
	for _, j := range without(before.Jobs, now.Jobs, job) {
		h.log.Info("job ended", "job", cluster.Short(j.Job), "done", j.Done, "units", j.Units)
	}
}

// without returns the items of list that are not in other.
func without[T any](list, other []T, same func(a, b T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool {
		return slices.ContainsFunc(other, func(y T) bool { return same(x, y) })
	})
}
