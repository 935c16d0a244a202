package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"plyfit/cluster"
	"plyfit/cluster/hub"
)

// ownKey is the key of a role that the hubs of the tests know, once there was one.
func ownKey(t testing.TB, r cluster.Role) nats.Option {
	t.Helper()
	dir, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	o, err := nats.NkeyOptionFromSeed(filepath.Join(dir, "plyfit", "cluster", string(r)+".nk"))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestWorkerMay: what the credential of a worker does not open. All other tests show what
// it does, since their workers have it.
func TestWorkerMay(t *testing.T) {
	h := startHub(t, hub.Options{})
	begun := make(chan int, 10)
	startWorker(t, h.URL(), &cluster.Worker{Workers: 1, Kinds: trials(func(unit int) { begun <- unit })})
	r, _ := trialRun(1, trial{Bytes: 10, Sleep: time.Hour, Fails: -1, Panics: -1}, 3)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- (&cluster.Coordinator{Link: dial(t, h.URL(), &lines{})}).Run(ctx, r) }()
	<-begun
	defer func() { stop(); <-ended }()
	refused := make(chan string, 100)
	nc, err := nats.Connect(h.URL(), ownKey(t, cluster.RoleWorker), nats.CustomInboxPrefix("_INBOX.worker"),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err.Error() }))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	job := r.Job.Name()
	for _, subject := range []string{
		"$KV.plyfit-jobs." + job, "$KV.plyfit-signs.job." + job, "plyfit.sign." + job, "plyfit.stop." + job, "$O.plyfit-files.M.x", "$O.plyfit-files.C.x",
		"$JS.API.STREAM.DELETE.PLYFIT_WORK", "$JS.API.STREAM.PURGE.PLYFIT_WORK", "$JS.API.STREAM.PURGE.PLYFIT_DONE", "$JS.API.STREAM.PURGE.KV_plyfit-jobs",
		"$JS.API.STREAM.CREATE.PLYFIT_X", "$JS.API.STREAM.UPDATE.PLYFIT_WORK", "$JS.API.STREAM.LIST", "$JS.API.STREAM.MSG.GET.KV_plyfit-jobs",
		"$JS.API.STREAM.MSG.DELETE.PLYFIT_DONE", "$JS.API.DIRECT.GET.KV_plyfit-jobs", "$JS.API.CONSUMER.CREATE.KV_plyfit-jobs", "$JS.API.CONSUMER.CREATE.PLYFIT_DONE.x",
		"$JS.API.CONSUMER.DELETE.PLYFIT_WORK.x", "$JS.ACK.PLYFIT_DONE.x", "_INBOX.command.x", "$JS.API.CONSUMER.MSG.NEXT.PLYFIT_DONE." + job,
	} {
		if err := nc.PublishRequest(subject, "_INBOX.worker.x", nil); err != nil {
			t.Fatal(err)
		}
		select {
		case why := <-refused:
			if !strings.Contains(strings.ToLower(why), "permissions violation for publish to \""+strings.ToLower(subject)) {
				t.Errorf("%s: %s", subject, why)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: it is let through", subject)
		}
	}
	for _, subject := range []string{"_INBOX.>", "_INBOX.command.>", "plyfit.done.>", "plyfit.>", "$KV.>", ">"} {
		if _, err := nc.Subscribe(subject, func(*nats.Msg) {}); err != nil {
			t.Fatal(err)
		}
		select {
		case why := <-refused:
			if !strings.Contains(strings.ToLower(why), "permissions violation for subscription to") {
				t.Errorf("%s: %s", subject, why)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: it is listened to", subject)
		}
	}
}

// TestOwnKey: a hub on the loopback address knows the processes of its user alone. The
// keys lie in files that others cannot read; one that others can is refused.
func TestOwnKey(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	h := startHub(t, hub.Options{})
	if nc, err := nats.Connect(h.URL()); err == nil {
		nc.Close()
		t.Error("one without a key gets in")
	}
	must(t, "cluster", "status", "--cluster", h.URL())
	path := filepath.Join(dir, "plyfit", "cluster", "command.nk")
	for _, name := range []string{path, filepath.Join(dir, "plyfit", "cluster", "worker.nk")} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want mode 0600", name, info, err)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, log := plyfit(t, "cluster", "status", "--cluster", h.URL()); code == 0 || strings.Count(log, "\n") != 1 || !strings.Contains(log, "has the mode 0644, want 0600") {
		t.Errorf("exit code %d, %s", code, log)
	}
}

// TestTokens: the token of a worker opens a worker's door alone; one token for both is
// as good. A server that knows one token and no roles lets both in.
func TestTokens(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	commands, workers := file("commands", "0123456789abcdef"), file("workers", "fedcba9876543210")
	lets := func(url, token string, r cluster.Role) bool {
		link, err := cluster.Dial(context.Background(), cluster.Access{URL: url, TokenFile: token, Role: r}, 0, new(lines).logger())
		if err == nil {
			link.Close()
		} else if !strings.Contains(err.Error(), "Authorization Violation") {
			t.Errorf("%s: %v", url, err)
		}
		return err == nil
	}
	two := startHub(t, hub.Options{TokenFile: commands, WorkerTokenFile: workers}).URL()
	one := startHub(t, hub.Options{TokenFile: commands}).URL()
	other, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: "0123456789abcdef", NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	other.Start()
	defer other.Shutdown()
	if !other.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not listen")
	}
	for _, c := range []struct {
		url, token string
		role       cluster.Role
		want       bool
	}{
		{two, commands, cluster.RoleCommand, true}, {two, workers, cluster.RoleWorker, true},
		{two, commands, cluster.RoleWorker, false}, {two, workers, cluster.RoleCommand, false},
		{one, commands, cluster.RoleCommand, true}, {one, commands, cluster.RoleWorker, true}, {one, workers, cluster.RoleWorker, false},
		{other.ClientURL(), commands, cluster.RoleCommand, true}, {other.ClientURL(), commands, cluster.RoleWorker, true}, {other.ClientURL(), workers, cluster.RoleWorker, false},
	} {
		if got := lets(c.url, c.token, c.role); got != c.want {
			t.Errorf("%s, %s as %s: let in %v, want %v", c.url, filepath.Base(c.token), c.role, got, c.want)
		}
	}
}
