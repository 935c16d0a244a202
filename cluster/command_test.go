package cluster_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/cluster"
	"plyfit/cluster/hub"
	"plyfit/internal/vectors"
	"plyfit/work"
)

// plyfit runs this module's command and waits until it exits.
func plyfit(t testing.TB, args ...string) (code int, out, log string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asEnv+"=plyfit")
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// must is like plyfit, but fails the test if the command fails.
func must(t testing.TB, args ...string) (out string) {
	t.Helper()
	code, out, log := plyfit(t, args...)
	if code != 0 {
		t.Fatalf("%s: exit code %d, %s", strings.Join(args, " "), code, log)
	}
	return out
}

// same fails the test unless two files, or all files in two directories, are identical.
func same(t testing.TB, a, b string) {
	t.Helper()
	out, err := exec.Command("diff", "-r", a, b).CombinedOutput()
	if err != nil {
		t.Errorf("%s and %s differ: %.500s", a, b, out)
	}
}

// TestCommands checks that workers produce the same bytes as a single process, and that a
// sequential test ends after the same games, regardless of the number of workers.
func TestCommands(t *testing.T) {
	h := startHub(t, hub.Options{})
	at := []string{"--cluster", h.URL(), "--quiet"}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	commands := map[string][]string{
		"data":      {"selfplay", "connect4", "--games", "60", "--games-per-shard", "10", "--agent", "alphabeta:depth=2", "-o"},
		"relabeled": {"dataset", "relabel", path("data here"), "--agent", "alphabeta:depth=3", "-o"},
		"match":     {"match", "connect4", "alphabeta:depth=2", "random", "--pairs", "400", "--sprt", "0,30", "-o"},
	}
	order := []string{"data", "relabeled", "match"}
	for _, name := range order {
		must(t, append(commands[name], path(name+" here"), "--quiet")...)
	}
	worker := func() *process { return start(t, "plyfit", nil, "worker", "--cluster", h.URL(), "--workers", "1") }
	var workers []*process
	for _, name := range []string{"1", "2", "3"} {
		workers = append(workers, worker())
		must(t, append(append(commands["match"], path("match "+name)), at...)...)
		same(t, path("match here"), path("match "+name))
	}
	for _, name := range order[:2] {
		must(t, append(append(commands[name], path(name+" there")), at...)...)
		same(t, path(name+" here"), path(name+" there"))
	}
	for _, w := range workers {
		if log := w.errors.String(); !w.running() {
			t.Errorf("a worker has ended: %s", log)
		}
	}
	if code, _, log := plyfit(t, append([]string{"train", "connect4", "-o", path("model.json")}, at[:2]...)...); code != 2 || !strings.Contains(log, "so plyfit train does not support the flag") {
		t.Errorf("train: exit code %d, %s", code, log)
	}
}

// TestOtherBuild checks that a worker from a different build declines a job and logs this, and that
// a worker from the job's build computes the job.
func TestOtherBuild(t *testing.T) {
	t.Parallel() // mostly waits
	h := startHub(t, hub.Options{})
	other := start(t, "plyfit", []string{"PLYFIT_TEST_PROGRAM=other"}, "worker", "--cluster", h.URL())
	p := start(t, "plyfit", nil, "selfplay", "connect4", "-o", filepath.Join(t.TempDir(), "data"), "--games", "4", "--agent", "random", "--cluster", h.URL(), "--quiet")
	await(func() bool { return strings.Contains(other.errors.String(), "job declined") })
	start(t, "plyfit", nil, "worker", "--cluster", h.URL())
	if code, log := p.wait(t, time.Minute); code != 0 {
		t.Fatalf("exit code %d, %s", code, log)
	}
	other.signal(15)
	code, log := other.wait(t, 20*time.Second)
	if code != 130 || strings.Count(log, "job declined, because it belongs to a different build") != 1 || strings.Contains(log, "unit done") {
		t.Errorf("exit code %d, want one line that it declines: %s", code, log)
	}
}

// TestRefused checks that a hub does not listen for other machines without a credential, and that
// wrong options, credentials and certificates lead to a one-line error.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		vectors.Check(os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	right, wrong := file("right", "0123456789abcdef"), file("wrong", "fedcba9876543210")
	certificate, key := authority(t, dir, "hub")
	other, _ := authority(t, dir, "other")
	h := startHub(t, hub.Options{TokenFile: right, Certificate: certificate, Key: key})
	if release, err := work.Hold(dir); err != nil {
		t.Fatal(err)
	} else {
		defer release()
	}
	url := strings.Replace(h.URL(), "nats://", "tls://", 1)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no credential":     {[]string{"hub", "--listen", "0.0.0.0:0", "--store", filepath.Join(dir, "s")}, "a credential is needed"},
		"store in use":      {[]string{"hub", "--listen", "127.0.0.1:0", "--store", dir}, "in use by process"},
		"no TLS":            {[]string{"hub", "--listen", "0.0.0.0:0", "--store", filepath.Join(dir, "s"), "--token-file", right}, "use a certificate and its key, or --plain"},
		"roles":             {[]string{"hub", "--store", filepath.Join(dir, "s"), "--worker-token-file", right}, "was removed; use --nkey or --token-file"},
		"roles of keys":     {[]string{"hub", "--store", filepath.Join(dir, "s"), "--worker-nkey", "U"}, "was removed; use --nkey or --token-file"},
		"permissions":       {[]string{"cluster", "permissions"}, "was removed; use a single credential"},
		"plain and TLS":     {[]string{"hub", "--store", filepath.Join(dir, "s"), "--plain", "--certificate", certificate, "--key", key}, "use only one of the two"},
		"short token":       {[]string{"hub", "--store", filepath.Join(dir, "s"), "--token-file", file("short", "0123456789")}, "want at least 16 characters"},
		"no check":          {[]string{"selfplay", "connect4", "-o", filepath.Join(dir, "d"), "--check", "5"}, "--check: want --cluster with it"},
		"bad check":         {[]string{"selfplay", "connect4", "-o", filepath.Join(dir, "d"), "--cluster", url, "--check", "-1"}, "to compute one unit in every N twice"},
		"wrong token":       {[]string{"worker", "--cluster", url, "--cluster-ca", certificate, "--cluster-token-file", wrong}, "Authorization Violation"},
		"no token":          {[]string{"cluster", "status", "--cluster", url, "--cluster-ca", certificate}, "Authorization Violation"},
		"another authority": {[]string{"worker", "--cluster", url, "--cluster-ca", other, "--cluster-token-file", right}, "certificate signed by unknown authority"},
		"no cluster":        {[]string{"selfplay", "connect4", "-o", filepath.Join(dir, "d"), "--cluster-ca", other}, "want --cluster with it"},
		"no URL":            {[]string{"worker", "--cluster", "localhost"}, "want nats://HOST:PORT"},
	} {
		code, out, log := plyfit(t, c.args...)
		if code == 0 || out != "" || strings.Count(log, "\n") != 1 || !strings.Contains(log, c.want) {
			t.Errorf("%s: exit code %d, %q, %q; want one line with %q", name, code, out, log, c.want)
		}
	}
	must(t, "cluster", "status", "--cluster", url, "--cluster-ca", certificate, "--cluster-token-file", right)
}

// TestKey checks that a client can connect with the accepted nkey, but not with another.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	ours, theirs := filepath.Join(dir, "ours"), filepath.Join(dir, "theirs")
	public := strings.TrimSpace(must(t, "cluster", "key", ours))
	must(t, "cluster", "key", theirs)
	h := startHub(t, hub.Options{Nkeys: []string{public}})
	must(t, "cluster", "status", "--cluster", h.URL(), "--cluster-nkey-file", ours)
	if code, _, log := plyfit(t, "cluster", "status", "--cluster", h.URL(), "--cluster-nkey-file", theirs); code == 0 || !strings.Contains(log, "Authorization Violation") {
		t.Errorf("another key: exit code %d, %s", code, log)
	}
	if _, err := cluster.ReadStatus(context.Background(), h.Link); err != nil {
		t.Errorf("the hub itself: %v", err)
	}
}

// authority creates a self-signed certificate for the loopback address.
func authority(t *testing.T, dir, name string) (certificate, key string) {
	t.Helper()
	private := vectors.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	public := vectors.Must(x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private))
	secret := vectors.Must(x509.MarshalPKCS8PrivateKey(private))
	write := func(suffix, kind string, data []byte) string {
		path := filepath.Join(dir, name+suffix)
		vectors.Check(os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600))
		return path
	}
	return write(".crt", "CERTIFICATE", public), write(".key", "PRIVATE KEY", secret)
}

// TestPage checks that every command in docs/cluster.md exists and has the flags shown there.
func TestPage(t *testing.T) {
	text := vectors.Must(os.ReadFile("../docs/cluster.md"))
	found := 0
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n") {
		line, ok := strings.CutPrefix(line, "    plyfit ")
		if !ok {
			continue
		}
		found++
		var names, flags []string
		for i, word := range strings.Fields(line) {
			switch {
			case strings.HasPrefix(word, "--"):
				flags = append(flags, word)
			case len(names) == i && i < 2 && (i == 0 || names[0] == "cluster"):
				names = append(names, word)
			}
		}
		help := must(t, append(names, "--help")...)
		for _, flag := range flags {
			if !strings.Contains(help, flag+" ") {
				t.Errorf("%s: its help has no %s", line, flag)
			}
		}
	}
	if found < 6 {
		t.Errorf("%d commands on the page, want at least 6", found)
	}
}
