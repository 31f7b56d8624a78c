package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// httpFlags are the flags of proxies over HTTP.
type httpFlags struct{ listen, session string }

func (h *httpFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&h.listen, "listen", "127.0.0.1:0", "`address` of the proxy over HTTP")
	flags.StringVar(&h.session, "session", "", "`header` whose value names the run of a request over HTTP")
}

// handler answers a request, or changes it and forwards it.
type handler interface {
	// request answers a request and returns false, or returns true for a request to forward.
	request(w http.ResponseWriter, r *http.Request) bool
	response(r *http.Response) error
	// done is called after the answer to a forwarded request, or after its failure.
	done(r *http.Request)
}

// serve forwards requests to a server until the context ends.
func (h *httpFlags) serve(ctx context.Context, s Streams, upstream string, open func(path string) handler) (int, error) {
	target, err := url.Parse(upstream)
	if err == nil && (target.Scheme != "http" && target.Scheme != "https" || target.Host == "") {
		err = fmt.Errorf("%q is not the address of a server", upstream)
	}
	if err != nil {
		return Error, err
	}
	own := open(target.Path)
	listener, err := net.Listen("tcp", h.listen)
	if err != nil {
		return Error, err
	}
	address, _ := listener.Addr().(*net.TCPAddr)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: target.Scheme, Host: target.Host})
			r.Out.Header.Set("Accept-Encoding", "identity") // the proxy reads the answer
		},
		ModifyResponse: func(r *http.Response) error {
			if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
				return fmt.Errorf("the proxy cannot read an answer with the encoding %q", e)
			}
			return own.response(r)
		},
		FlushInterval: -1,
	}
	server := guardServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if address != nil && address.IP.IsLoopback() && !(local(r.Host) && localOrigin(r.Header.Get("Origin"))) {
			http.Error(w, "the proxy serves this machine only", http.StatusForbidden)
			return
		}
		if own.request(w, r) {
			defer own.done(r) // also if the client leaves, which is a panic
			proxy.ServeHTTP(w, r)
		}
	}))
	fmt.Fprintf(s.Out, "listening on http://%s%s\n", listener.Addr(), target.Path)
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return Error, err
	}
	return Pass, nil
}

// local reports whether a host is this machine. A page whose host name an attacker has bound to this machine (DNS
// rebinding) sends that name as the host, so its requests are not local.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func localOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return origin == "" || err == nil && local(u.Host)
}

// readAll reads a text of at most maxMessage bytes.
func readAll(r io.Reader, about string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxMessage+1))
	if err == nil && len(text) > maxMessage {
		err = fmt.Errorf("%s is larger than %d bytes", about, maxMessage)
	}
	return text, err
}

// forward replaces the body of a request.
func forward(r *http.Request, text []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	r.Header.Del("Content-Length")
}

// deliver replaces the body of an answer by one that a function judged.
func deliver(r *http.Response, judge func(text []byte) ([]byte, error)) error {
	text, err := readAll(r.Body, "the answer")
	if err = errors.Join(err, r.Body.Close()); err == nil {
		text, err = judge(text)
	}
	r.Header.Del("Content-Length")
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), -1
	return err
}

// kindOf returns the media type of an answer, "" for none.
func kindOf(r *http.Response) string {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind
}
