import type { BadInput, Group } from "../case.ts";

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const multipart = { "content-type": "multipart/form-data; boundary=X" };
const encoder = new TextEncoder();

const sent = (
  what: string,
  body: NonNullable<BadInput["body"]>,
  headers: Record<string, string>,
  path = "/api/query",
): BadInput => ({
  what,
  method: "POST",
  path,
  body,
  headers,
});

/** Bodies that cannot be read, whatever they would say. */
export const bodies: Group = {
  title: "Bodies",
  cases: () => [
    sent("no body", "", json),
    sent("half a JSON object", '{"query": "x"', json),
    sent("two JSON objects", '{"query": "x"}{"query": "y"}', json),
    sent("JSON with a comment", '{"query": /* */ "x"}', json),
    sent("JSON with single quotes", "{'query': 'x'}", json),
    sent("NaN", '{"query": NaN}', json),
    sent("a number", "42", json),
    sent("null", "null", json),
    sent("a list", '[{"query": "x"}]', json),
    sent("a text", '"query"', json),
    sent("100,000 brackets", "[".repeat(100_000), json),
    sent("objects 10,000 deep", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, json),
    sent("1 MiB and a byte", JSON.stringify({ query: "x".repeat(1_048_577) }), json),
    sent(
      "Latin-1 in place of UTF-8",
      new Uint8Array([...encoder.encode('{"query": "caf'), 0xe9, ...encoder.encode('"}')]),
      json,
    ),
    sent("UTF-16", new Uint8Array([...'{"query": "x"}'].flatMap((letter) => [letter.charCodeAt(0), 0])), json),
    sent("a byte order mark and nothing else", new Uint8Array([0xef, 0xbb, 0xbf]), json),
    sent("__proto__", '{"__proto__": {"role": "admin"}, "constructor": {"prototype": {}}}', json),
    sent("the same field twice", '{"query": "pump", "query": ""}', json),
    sent("gzip that says it is JSON", Bun.gzipSync(encoder.encode('{"query": "x"}')), {
      ...json,
      "content-encoding": "gzip",
    }),
    sent("a charset nobody has", '{"query": "x"}', { "content-type": "application/json; charset=klingon" }),
    sent("XML", "<query>x</query>", { "content-type": "application/xml" }),
    sent("no content type", encoder.encode('{"query": "x"}'), { "content-type": "" }),
    sent("a content type that is none", "query", { "content-type": ";;;" }),
    sent("a form without the field", "a=b", form),
    sent("a form that is no UTF-8", "query=%ff%fe", form),
    sent("a form with a lone %", "query=%", form),
    sent("a form of 100,000 fields", "a=1&".repeat(100_000), form),
    sent("multipart without a boundary", "--X", { "content-type": "multipart/form-data" }),
    sent("multipart that never ends", '--X\r\nContent-Disposition: form-data; name="query"\r\n\r\nx', multipart),
    sent("multipart without a name", "--X\r\nContent-Disposition: form-data\r\n\r\nx\r\n--X--\r\n", multipart),
    sent("multipart of nothing", "--X--\r\n", multipart),
    sent(
      "multipart with a header of 100,000 characters",
      `--X\r\nContent-Disposition: form-data; name="${"a".repeat(100_000)}"\r\n\r\nx\r\n--X--\r\n`,
      multipart,
    ),
    sent(
      "multipart of 10,000 parts",
      `${'--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(10_000)}--X--\r\n`,
      multipart,
    ),
    sent(
      "two files in one ingest",
      '--X\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n--X\r\nContent-Disposition: form-data; name="file"; filename="b.txt"\r\n\r\nb\r\n--X--\r\n',
      multipart,
      "/api/ingest",
    ),
    sent("a batch line that is no JSON", "nothing\n", { "content-type": "application/x-ndjson" }, "/api/ingest/batch"),
    sent("a batch of blank lines", "\n\n\n", { "content-type": "application/x-ndjson" }, "/api/ingest/batch"),
    sent(
      "a batch line with a file's path",
      '{"name": "a", "file": "/etc/passwd"}\n',
      { "content-type": "application/x-ndjson" },
      "/api/ingest/batch",
    ),
  ],
};
