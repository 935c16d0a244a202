package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/nats-io/nkeys"

	"plyfit/internal/regular"
)

// Role is what a process is on a hub, and so what it may do there.
type Role string

const (
	// RoleCommand posts jobs and takes their results. Everything is open to it.
	RoleCommand Role = "command"
	// RoleWorker takes units and hands in results. It can read a job whose name it
	// knows, since it is to do it, and cannot change or remove one.
	RoleWorker Role = "worker"
)

// inbox is where answers to a process of the role arrive. Those of commands are closed to
// workers: other jobs and results pass there.
func (r Role) inbox() string { return "_INBOX." + string(r) }

// Permissions are the subjects of NATS that a process of the role may publish to and
// subscribe to; of a command, all.
func (r Role) Permissions() (publish, subscribe []string) {
	if r == RoleCommand {
		return []string{">"}, []string{">"}
	}
	info := func(names ...string) {
		for _, name := range names {
			publish = append(publish, "$JS.API.STREAM.INFO."+name)
		}
	}
	const kv, objects = "KV_", "OBJ_"
	// Units and what became of them. One that is handed back is published again.
	publish = append(publish, "plyfit.work.*.*.*", "plyfit.done.*.*", "plyfit.dead.*.*")
	info(workStream, doneStream)
	publish = append(publish,
		"$JS.API.CONSUMER.INFO."+workStream+".*", "$JS.API.CONSUMER.CREATE."+workStream+".>",
		"$JS.API.CONSUMER.DURABLE.CREATE."+workStream+".*", "$JS.API.CONSUMER.MSG.NEXT."+workStream+".*", "$JS.ACK."+workStream+".>")
	// A job by its name, and its files by their digests.
	info(kv+jobBucket, objects+fileBucket)
	publish = append(publish,
		"$JS.API.DIRECT.GET."+kv+jobBucket+".$KV."+jobBucket+".*",
		"$JS.API.DIRECT.GET."+objects+fileBucket+".$O."+fileBucket+".M.*",
		"$JS.API.CONSUMER.CREATE."+objects+fileBucket+".*.$O."+fileBucket+".C.*",
		"$JS.API.CONSUMER.DELETE."+objects+fileBucket+".*", "$JS.FC."+objects+fileBucket+".>")
	// Results that are too large for a message.
	info(objects + resultBucket)
	publish = append(publish,
		"$JS.API.DIRECT.GET."+objects+resultBucket+".$O."+resultBucket+".M.*", "$O."+resultBucket+".C.*", "$O."+resultBucket+".M.*",
		"$JS.API.STREAM.PURGE."+objects+resultBucket)
	// Its own signs of life.
	info(kv + signBucket)
	publish = append(publish, "$KV."+signBucket+"."+workerSign+"*")
	return publish, []string{r.inbox() + ".>", signSubject("*"), stopSubject("*")}
}

// Loopback reports whether only this machine reaches a host.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// ownKeyFile is where the key of a role lies with which the processes of one user find
// the hubs of the same user on the loopback address.
func ownKeyFile(r Role) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the keys of a hub: %w: want a token or an nkey", err)
	}
	return filepath.Join(dir, "plyfit", "cluster", string(r)+".nk"), nil
}

// OwnKey is the public nkey of this user's processes of a role, on this machine. The seed
// is in a file that only this user reads; it is made where there is none.
func OwnKey(r Role) (public string, err error) {
	path, err := ownKeyFile(r)
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

// ReadKey is the public key of the seed at path, which others may not read.
func ReadKey(path string) (public string, err error) {
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("nkey %s: has the mode %04o, want 0600: others may have read it: remove it", path, info.Mode().Perm())
	}
	text, err := regular.Read(path, 1<<10)
	if err != nil {
		return "", fmt.Errorf("nkey: %w", err)
	}
	pair, err := nkeys.ParseDecoratedUserNKey(text)
	if err != nil {
		return "", fmt.Errorf("nkey %s: %w", path, err)
	}
	return pair.PublicKey()
}

// MakeKey makes an nkey and writes its seed to a new file that only this user reads. The
// file appears whole; one that is there is an error.
func MakeKey(path string) error {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".key-*") // its mode is 0600
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
