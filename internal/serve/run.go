//go:build !js

package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"
)

// Run serves requests on l until ctx ends, which also cancels the requests in progress.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, ErrorLog: s.config.Log,
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx }, ConnState: trackState,
	}
	defer context.AfterFunc(ctx, func() { h.Close() })()
	if !s.config.Learn {
		defer os.Remove(s.lesson)
	}
	b := &bounded{Listener: l, limit: s.limits.Connections, all: map[*admitted]bool{}}
	b.changed.L = &b.mu
	if err := h.Serve(b); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
