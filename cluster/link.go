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
	// deadline is how long one call waits for the hub.
	deadline = 5 * time.Second
	// bulk is how long it waits for a file to pass.
	bulk = 2 * time.Minute
	// Patience is how long a command waits for a hub that is not there.
	Patience = 10 * time.Second
	// complaint is how often something that goes on failing is logged.
	complaint = 30 * time.Second
)

const mostToken = 4 << 10

// Access is the hub's address and the credential. Without a token or an nkey, a hub on the loopback
// address gets this user's key ([OwnKey]).
type Access struct {
	URL       string // such as nats://host:4222, or tls:// for an encrypted connection
	TokenFile string // a file with the token, "" for none
	NkeyFile  string // a file with the seed of an nkey, "" for none
	CA        string // a file with the certificates to trust, "" for those of the system
}

// Link is a process's connection to the hub. It outlives the hub: calls that must succeed are
// retried until it is back.
type Link struct {
	Log *slog.Logger // one line an event

	nc *nats.Conn
	js jetstream.JetStream
}

// Dial connects to the hub. If none listens, it retries for at most wait; a hub that refuses is an
// error at once.
func Dial(ctx context.Context, a Access, wait time.Duration, log *slog.Logger) (*Link, error) {
	start := time.Now()
	var told time.Time
	open := false
	for {
		own, err := a.ownKey() // in each try: the first hub of a user makes it
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
				log.Warn("the connection is not encrypted: everything on it can be read", "at", at)
			}
			if open {
				log.Warn("the hub asks for no key: all users of this machine may use it", "at", at)
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
		if time.Since(told) > complaint {
			log.Warn("no hub yet", "at", at, "error", err)
			told = time.Now()
		}
		if pause(ctx, 500*time.Millisecond); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

func (l *Link) Close() { l.nc.Close() }

func (a Access) local() bool {
	u, err := url.Parse(a.URL)
	return err == nil && Loopback(u.Hostname())
}

// ownKey is the file of this user's key; "" if another credential is given or the file is missing.
func (a Access) ownKey() (path string, err error) {
	if a.TokenFile != "" || a.NkeyFile != "" || !a.local() {
		return "", nil
	}
	if path, err = ownKeyFile(); err != nil {
		return "", nil // nor can a hub of this user have one
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	_, err = ReadKey(path)
	return path, err
}

// options are the connection's options; at is the address without secrets.
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
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("hub is back", "at", u.Redacted()) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // the caller hears of it, too
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
			return "", nil, fmt.Errorf("cluster %q: want tls://HOST:PORT where certificates are to be checked", u.Redacted())
		}
		options = append(options, nats.RootCAs(a.CA))
	}
	return u.Redacted(), options, nil
}

// unreachable reports whether a retry may help because no hub listens yet, or one has just ended. A
// hub that refuses us goes on refusing.
func unreachable(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	refused := isAny(err, nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked,
		nats.ErrSecureConnRequired, nats.ErrSecureConnWanted, nats.ErrNkeysNotSupported)
	return !refused && !errors.As(err, &certificate) && !errors.As(err, &record)
}

// call runs f within the deadline.
func (l *Link) call(ctx context.Context, f func(context.Context) error) error {
	return within(ctx, deadline, f)
}

func within(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return f(ctx)
}

// permanent is an error that a retry would meet again.
type permanent struct{ error }

// insist retries f until it succeeds, fails for good, or ctx ends. It recreates what the hub has
// lost and logs repeated failures.
func (l *Link) insist(ctx context.Context, what string, f func(context.Context) error) error {
	return l.insistFor(ctx, deadline, what, f)
}

// insistFor is insist with a time limit for each try.
func (l *Link) insistFor(ctx context.Context, limit time.Duration, what string, f func(context.Context) error) error {
	var told time.Time
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
			_ = l.Ensure(ctx) // what fails here fails again in f
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if now := time.Now(); wait > 200*time.Millisecond && now.Sub(told) > complaint {
			l.Log.Warn("hub does not do it yet", "what", what, "error", err)
			told = now
		}
		if pause(ctx, wait); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// closed is why the connection ended for good: the hub no longer accepts us.
func (l *Link) closed() error { return cmp.Or(l.nc.LastError(), nats.ErrConnectionClosed) }

// Attach is a link over a connection of the caller's making, such as one to a server in this
// process.
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

// in returns a call of f with the stream or bucket of this name, which open opens.
func in[T any](open func(context.Context, string) (T, error), name string, f func(context.Context, T) error) call {
	return func(ctx context.Context) error {
		x, err := open(ctx, name)
		if err != nil {
			return err
		}
		return f(ctx, x)
	}
}
