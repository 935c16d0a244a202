package cluster

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/text"
	"plyfit/work"
)

// This file parses heartbeats, subjects and headers. A hub may have clients from other builds and,
// if its credential is stolen, clients run by strangers. Malformed messages are skipped. Text is
// made printable before it reaches a terminal or a log.

const (
	// maxHeartbeat is the maximum size of a heartbeat in bytes. This program's heartbeats are about
	// 300 bytes long.
	maxHeartbeat = 8 << 10
	// mostUnit is the largest number that is accepted for a unit or for a count of units.
	mostUnit = 1 << 40
)

// isJob reports whether name has the form of a job's name, which is a SHA-256 digest in hexadecimal
// digits.
func isJob(name string) bool {
	return len(name) == 64 && strings.Trim(name, "0123456789abcdef") == ""
}

// Short returns the beginning of a job's name, for display.
func Short(job string) string { return job[:min(12, len(job))] }

// readJobSign parses the heartbeat of a job. ok is false if it is invalid.
func readJobSign(job string, data []byte) (s JobSign, ok bool) {
	if !isJob(job) || len(data) > maxHeartbeat || json.Unmarshal(data, &s) != nil || s.Job != job {
		return JobSign{}, false
	}
	s.Kind, s.World, s.Host = text.Printable(s.Kind), text.Printable(s.World), text.Printable(s.Host)
	s.Build = readableBuild(s.Build)
	return s, counts(s.Units, s.Done, s.Dead) && lasts(s.Seconds)
}

// readWorkerSign parses the heartbeat stored at a key. ok is false if it is invalid.
func readWorkerSign(key string, data []byte) (s WorkerSign, ok bool) {
	if len(data) > maxHeartbeat || json.Unmarshal(data, &s) != nil || key != workerKey(s.Name) {
		return WorkerSign{}, false
	}
	s.Name, s.Build = text.Printable(s.Name), readableBuild(s.Build)
	return s, counts(s.Workers, s.Busy, s.Done, s.Failed) && lasts(s.Seconds)
}

// workerKey returns the last part of a worker's heartbeat key.
func workerKey(name string) string { return work.Digest([]byte(name))[:16] }

func readableBuild(b work.Build) work.Build {
	return work.Build{Program: text.Printable(b.Program), Arithmetic: text.Printable(b.Arithmetic)}
}

// counts reports whether all numbers are valid counts of units.
func counts(numbers ...int) bool {
	return !slices.ContainsFunc(numbers, func(n int) bool { return n < 0 || n > mostUnit })
}

// lasts reports whether seconds is a plausible duration, less than a century.
func lasts(seconds float64) bool {
	return seconds >= 0 && seconds < 100*365.25*24*3600 && !math.IsNaN(seconds)
}

// unitOf parses the end of a subject, JOB.UNIT.
func unitOf(subject string) (job string, unit int, ok bool) {
	tokens := strings.Split(subject, ".")
	n := len(tokens)
	if n < 4 || n > 5 || tokens[0] != "plyfit" || !isJob(tokens[n-2]) {
		return "", 0, false
	}
	unit, err := strconv.Atoi(tokens[n-1])
	if err != nil || !counts(unit) || strconv.Itoa(unit) != tokens[n-1] {
		return "", 0, false
	}
	return tokens[n-2], unit, true
}

// readCount parses a header that contains a count, and limits the count to the given maximum. It
// returns 0 if the header is invalid.
func readCount(text string, most int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return min(n, most)
}
