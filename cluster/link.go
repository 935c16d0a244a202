package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/disk"
	"plyfit/internal/proc"
)

const (
	// deadline limits a single call to the hub.
	deadline = 5 * time.Second
	// bulk limits the transfer of a file.
	bulk = 2 * time.Minute
	// Patience is the time that a command waits for a hub that is not running.
	Patience = 10 * time.Second
	// logInterval is the interval at which a persistent failure is logged.
	logInterval = 30 * time.Second
)

const mostToken = 4 << 10

// Access contains the address of the hub and the credential. If there is no token and no nkey, this
// user's key ([OwnKey]) is used for a hub on the loopback address.
type Access struct {
	URL       string // address, for example nats://host:4222, or tls://host:4222 for an encrypted connection
	TokenFile string // file with the token, or ""
	NkeyFile  string // file with the seed of an nkey, or ""
	CA        string // file with the trusted certificates; "" means the system's
}

// A Link is a process's connection to the hub. It survives a restart of the hub: calls that must
// succeed are retried until the hub is back.
type Link struct {
	Log *slog.Logger // one line per event

	nc *nats.Conn
	js jetstream.JetStream
}

// Dial connects to the hub. If no hub is listening, Dial retries for a limited time (the parameter
// wait). If the hub refuses the connection, Dial returns an error immediately.
func Dial(ctx context.Context, a Access, wait time.Duration, log *slog.Logger) (*Link, error) {
	start := time.Now()
	var lastLog time.Time
	open := false
	for {
		own, err := a.ownKey() // repeated on each try, because the user's first hub creates the key
		if err != nil {
			return nil, err
		}
		if open {
			own = ""
		}
		at, options, err := a.options(own, log)
		if err != nil {
			return nil, err
		}
		nc, err := nats.Connect(a.URL, options...)
		if err == nil {
			l, err := attached(nc, log)
			if err != nil {
				return nil, err
			}
			if _, err := nc.TLSConnectionState(); err != nil && !a.local() {
				log.Warn("the connection is not encrypted, so others can read the data", "at", at)
			}
			if open {
				log.Warn("the hub does not require a key, so all users of this machine can use it", "at", at)
			}
			return l, nil
		}
		if own != "" && errors.Is(err, nats.ErrNkeysNotSupported) {
			open = true
			continue
		}
		err = fmt.Errorf("cluster %s: %w", at, err)
		if !unreachable(err) || time.Since(start) > wait {
			return nil, proc.Failure(err)
		}
		if time.Since(lastLog) > logInterval {
			log.Warn("waiting for the hub", "at", at, "error", err)
			lastLog = time.Now()
		}
		if pause(ctx, 500*time.Millisecond); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// Close closes the connection.
func (l *Link) Close() { l.nc.Close() }

func (a Access) local() bool {
	u, err := url.Parse(a.URL)
	return err == nil && Loopback(u.Hostname())
}

// ownKey returns the file of this user's key, or "" if another credential is given or the file does
// not exist.
func (a Access) ownKey() (path string, err error) {
	if a.TokenFile != "" || a.NkeyFile != "" || !a.local() {
		return "", nil
	}
	if path, err = ownKeyFile(); err != nil {
		return "", nil // in that case, a hub of this user cannot have a key either
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	_, err = ReadKey(path)
	return path, err
}

// options returns the hub's address without secrets and the connection options.
func (a Access) options(own string, log *slog.Logger) (at string, options []nats.Option, err error) {
	u, err := url.Parse(a.URL)
	if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
		return "", nil, fmt.Errorf("cluster %q: want nats://HOST:PORT or tls://HOST:PORT", a.URL)
	}
	host, _ := os.Hostname()
	options = []nats.Option{
		nats.Name(fmt.Sprintf("plyfit %s/%d", host, os.Getpid())),
		nats.Timeout(deadline), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("hub lost", "at", u.Redacted(), "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("reconnected to the hub", "at", u.Redacted()) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // errors are also returned to the caller
	}
	if a.TokenFile != "" {
		token, err := disk.Read(a.TokenFile, mostToken)
		if err != nil {
			return "", nil, fmt.Errorf("token: %w", err)
		}
		options = append(options, nats.Token(strings.TrimSpace(string(token))))
	}
	if key := cmp.Or(a.NkeyFile, own); key != "" {
		o, err := nats.NkeyOptionFromSeed(key)
		if err != nil {
			return "", nil, fmt.Errorf("nkey %s: %w", key, err)
		}
		options = append(options, o)
	}
	if a.CA != "" {
		if u.Scheme != "tls" {
			return "", nil, fmt.Errorf("cluster %q: want tls://HOST:PORT with certificates", u.Redacted())
		}
		options = append(options, nats.RootCAs(a.CA))
	}
	return u.Redacted(), options, nil
}

// unreachable reports whether a retry may help, because no hub is listening yet or one has just
// stopped. A hub that has refused the connection would refuse it again.
func unreachable(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	refused := isAny(err, nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked,
		nats.ErrSecureConnRequired, nats.ErrSecureConnWanted, nats.ErrNkeysNotSupported)
	return !refused && !errors.As(err, &certificate) && !errors.As(err, &record)
}

// call calls f with the default deadline.
func (l *Link) call(ctx context.Context, f func(context.Context) error) error {
	return within(ctx, deadline, f)
}

func within(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return f(ctx)
}

// A permanent error is not retried.
type permanent struct{ error }

// retry retries f until it succeeds or returns a permanent error, ctx ends, or the connection is
// closed. It recreates streams and buckets that the hub has lost, and logs repeated failures.
func (l *Link) retry(ctx context.Context, what string, f func(context.Context) error) error {
	return l.retryWithin(ctx, deadline, what, f)
}

// retryWithin is like retry, but limits the time of each try.
func (l *Link) retryWithin(ctx context.Context, limit time.Duration, what string, f func(context.Context) error) error {
	var lastLog time.Time
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := within(ctx, limit, f)
		if err == nil {
			return nil
		}
		var final permanent
		if errors.As(err, &final) {
			return final.error
		}
		if l.nc.IsClosed() {
			return fmt.Errorf("%s: %w", what, l.closed())
		}
		if lost(err) {
			_ = l.Ensure(ctx) // an error here recurs in f
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if now := time.Now(); wait > 200*time.Millisecond && now.Sub(lastLog) > logInterval {
			l.Log.Warn("the hub is not ready; retrying", "what", what, "error", err)
			lastLog = now
		}
		if pause(ctx, wait); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// closed returns the reason why the connection was closed permanently: the hub no longer accepts
// this client.
func (l *Link) closed() error { return cmp.Or(l.nc.LastError(), nats.ErrConnectionClosed) }

// Attach returns a link that uses a connection with the given options, for example to a server in
// this process.
func Attach(log *slog.Logger, options ...nats.Option) (*Link, error) {
	nc, err := nats.Connect("", options...)
	if err != nil {
		return nil, err
	}
	return attached(nc, log)
}

func attached(nc *nats.Conn, log *slog.Logger) (*Link, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Link{Log: log, nc: nc, js: js}, nil
}

type call func(context.Context) error

// in returns a function that opens the named stream or bucket with open and passes it to f.
func in[T any](open func(context.Context, string) (T, error), name string, f func(context.Context, T) error) call {
	return func(ctx context.Context) error {
		x, err := open(ctx, name)
		if err != nil {
			return err
		}
		return f(ctx, x)
	}
}
