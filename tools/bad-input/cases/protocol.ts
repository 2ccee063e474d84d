import type { BadInput, Group } from "../case.ts";

const crlf = (...lines: string[]): string => lines.join("\r\n");

const raw = (what: string, text: string): BadInput => ({ what, path: "", raw: text });

/** Bytes that are no HTTP, or HTTP that proxies and servers read differently. */
export const protocol: Group = {
  title: "HTTP itself",
  cases: ({ keys }) => [
    raw("bytes that are no request", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n"),
    raw("a request line without a version", "GET /health/live\r\n\r\n"),
    raw("HTTP/9.9", crlf("GET /health/live HTTP/9.9", "Host: a", "", "")),
    raw("no Host header", crlf("GET /health/live HTTP/1.1", "", "")),
    raw("two Host headers", crlf("GET /health/live HTTP/1.1", "Host: a", "Host: b", "", "")),
    raw("a method of 10,000 letters", crlf(`${"A".repeat(10_000)} / HTTP/1.1`, "Host: a", "", "")),
    raw("a path of 100,000 characters", crlf(`GET /${"a".repeat(100_000)} HTTP/1.1`, "Host: a", "", "")),
    raw(
      "a header of 100,000 characters",
      crlf("GET /health/live HTTP/1.1", "Host: a", `X: ${"a".repeat(100_000)}`, "", ""),
    ),
    raw(
      "2,000 headers",
      crlf("GET /health/live HTTP/1.1", "Host: a", ...Array.from({ length: 2_000 }, (_, at) => `X-${at}: 1`), "", ""),
    ),
    raw("a header name with a space", crlf("GET /health/live HTTP/1.1", "Host: a", "X Y: 1", "", "")),
    raw("NUL in a header", crlf("GET /health/live HTTP/1.1", "Host: a", "X: a\0b", "", "")),
    raw(
      "Content-Length and chunked at once",
      crlf(
        "POST /api/query HTTP/1.1",
        "Host: a",
        `Authorization: Bearer ${keys.admin}`,
        "Content-Length: 5",
        "Transfer-Encoding: chunked",
        "",
        "0",
        "",
        "",
      ),
    ),
    raw(
      "two different Content-Lengths",
      crlf("POST /api/query HTTP/1.1", "Host: a", "Content-Length: 2", "Content-Length: 5", "", "{}"),
    ),
    raw(
      "a body that does not come",
      crlf(
        "POST /api/query HTTP/1.1",
        "Host: a",
        `Authorization: Bearer ${keys.admin}`,
        "Content-Length: 200000",
        "",
        "",
      ),
    ),
    raw(
      "a sign-in whose body stops after a byte",
      crlf(
        "POST /api/session HTTP/1.1",
        "Host: a",
        "Content-Type: application/json",
        "Content-Length: 200000",
        "",
        "{",
      ),
    ),
    raw("a negative Content-Length", crlf("POST /api/query HTTP/1.1", "Host: a", "Content-Length: -1", "", "")),
    raw("a Content-Length of letters", crlf("POST /api/query HTTP/1.1", "Host: a", "Content-Length: many", "", "")),
    raw(
      "a chunk length that is no number",
      crlf(
        "POST /api/query HTTP/1.1",
        "Host: a",
        `Authorization: Bearer ${keys.admin}`,
        "Transfer-Encoding: chunked",
        "",
        "zz",
        "{}",
        "0",
        "",
        "",
      ),
    ),
    raw(
      "a chunk length over 64 bits",
      crlf(
        "POST /api/query HTTP/1.1",
        "Host: a",
        `Authorization: Bearer ${keys.admin}`,
        "Transfer-Encoding: chunked",
        "",
        "fffffffffffffffff",
        "{}",
        "0",
        "",
        "",
      ),
    ),
    raw("an unknown Transfer-Encoding", crlf("POST /api/query HTTP/1.1", "Host: a", "Transfer-Encoding: gzip", "", "")),
    raw(
      "Upgrade to h2c",
      crlf(
        "GET /health/live HTTP/1.1",
        "Host: a",
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
        "",
        "",
      ),
    ),
    raw("CONNECT to another host", crlf("CONNECT example.com:443 HTTP/1.1", "Host: example.com", "", "")),
    raw(
      "an absolute address of another host",
      crlf("GET http://169.254.169.254/latest/meta-data HTTP/1.1", "Host: a", "", ""),
    ),
    {
      what: "POST that says it is TRACE",
      method: "POST",
      path: "/health/live",
      headers: { "x-http-method-override": "TRACE" },
    },
    { what: "a method nobody has", method: "PROPFIND", path: "/api/document" },
    { what: "DELETE of a list", method: "DELETE", path: "/api/document" },
    { what: "an unknown path", path: "/api/nothing" },
    { what: "a path that climbs out", path: "/docs/..%2f..%2f..%2fetc%2fpasswd" },
    { what: "a path with %00", path: "/api/document/%00" },
    { what: "a path with a lone %", path: "/api/document/%" },
    { what: "a path that is no UTF-8", path: "/api/document/%ff%fe" },
    { what: "//: a path without a name", path: "//api/document" },
    { what: "a query string of 10,000 fields", path: `/api/document?${"a=1&".repeat(10_000)}` },
    { what: "__proto__ in the query string", path: "/api/document?__proto__[admin]=1&constructor=2" },
  ],
};
