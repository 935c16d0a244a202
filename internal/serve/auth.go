package serve

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"

	"plyfit/internal/text"
)

// contentPolicy restricts a page to this server's files and forbids inline scripts.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

var errForeign = errors.New("the request comes from a different site; send the request from this page")

// shortestToken is the minimum length of a token, in characters.
const shortestToken = 16

// checkToken validates a token; "" means none and is valid.
func checkToken(token string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~"
	switch {
	case token == "":
		return nil
	case strings.Trim(token, letters) != "":
		return errors.New("the token contains an invalid character; use letters, digits and - _ . ~")
	case len(token) < shortestToken:
		return fmt.Errorf("the token has %d characters; want at least %d", len(token), shortestToken)
	}
	return nil
}

// cookie returns the name of the cookie that holds the token for a host. The name depends on the
// port, because browsers send a cookie to all ports of a machine, and each server has its own
// token.
func cookie(host string) string {
	if _, port, err := net.SplitHostPort(host); err == nil {
		return "plyfit-token-" + port
	}
	return "plyfit-token"
}

// guarded passes a request to h only if its host is allowed and it carries the token, if one is
// set. A request that can change anything must not come from another site. A panic in h ends only
// that request.
func (s *Server) guarded(h http.Handler) http.Handler {
	foreign := http.NewCrossOriginProtection()
	foreign.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, http.StatusForbidden, errForeign.Error())
	}))
	h = foreign.Handler(h)
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w := newTimed(out)
		defer w.renew() // extends the deadline for the rest of the response
		defer func() {
			if e := recover(); e != nil {
				s.config.Log.Printf("%s %s: %v\n%s", r.Method, r.URL.Path, e, debug.Stack())
				refuse(w, r, http.StatusInternalServerError, "internal error while answering this request; the server is still running")
			}
		}()
		head := w.Header()
		head.Set("Content-Security-Policy", contentPolicy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cache-Control", "no-store")
		if !s.allowsHost(r.Host) {
			refuse(w, r, http.StatusForbidden, fmt.Sprintf("host %q is not allowed; use localhost or a name given to plyfit serve --host", shortened(r.Host)))
			return
		}
		if !s.authorised(w, r) {
			return
		}
		if r.ContentLength > s.limits.Body {
			refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has %d bytes; want at most %d", r.ContentLength, s.limits.Body))
			return
		}
		r.Body = http.MaxBytesReader(out, r.Body, s.limits.Body)
		if err := r.ParseForm(); err != nil {
			refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the form cannot be read or has more than %d bytes", s.limits.Body))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// allowsHost reports whether a request with this host name is allowed. Without this check, a site
// whose name is made to resolve to this machine could read the responses (DNS rebinding).
func (s *Server) allowsHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if ip, err := netip.ParseAddr(host); err == nil {
		// A numeric address cannot be made to resolve to another machine.
		return ip.IsLoopback() || s.config.Token != "" || slices.Contains(s.config.Hosts, host)
	}
	return host == "localhost" || slices.Contains(s.config.Hosts, host)
}

// authorised reports whether the request has the token, if one is set. If the token is in the URL,
// authorised stores it in a cookie and redirects to the URL without it.
func (s *Server) authorised(w http.ResponseWriter, r *http.Request) bool {
	if s.config.Token == "" {
		return true
	}
	same := func(text string) bool {
		return subtle.ConstantTimeCompare([]byte(text), []byte(s.config.Token)) == 1
	}
	query := r.URL.Query()
	if r.Method == http.MethodGet && same(query.Get("token")) {
		http.SetCookie(w, &http.Cookie{Name: cookie(r.Host), Value: s.config.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		query.Del("token")
		clean := *r.URL
		clean.RawQuery = query.Encode()
		http.Redirect(w, r, "/"+strings.TrimLeft(clean.RequestURI(), "/"), http.StatusSeeOther)
		return false
	}
	if c, err := r.Cookie(cookie(r.Host)); err == nil && same(c.Value) {
		return true
	}
	refuse(w, r, http.StatusUnauthorized, "the token is missing or invalid; open the address that plyfit serve printed when it started")
	return false
}

func shortened(s string) string { return text.Clip(s, 200) }
