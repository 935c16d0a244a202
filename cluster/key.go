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

	"plyfit/internal/disk"
)

func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// ownKeyFile holds the key by which one user's processes find that user's hubs on the loopback
// address.
func ownKeyFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the keys of a hub: %w: want a token or an nkey", err)
	}
	return filepath.Join(dir, "plyfit", "cluster", "key.nk"), nil
}

// OwnKey is the public nkey of this user's processes on this machine. Its seed file, created if
// missing, is readable by this user only.
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

// ReadKey is the public key of the seed at path, which must not be readable by others.
func ReadKey(path string) (public string, err error) {
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("nkey %s: has the mode %04o, want 0600: others may have read it: remove it", path, info.Mode().Perm())
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

// MakeKey writes the seed of a new nkey to path, readable by this user only. The file appears
// whole; an existing one is an error.
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
