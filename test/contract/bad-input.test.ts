import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createFetcher } from "../../src/ingest/fetch/fetcher.ts";
import { pdfOf } from "../../tools/samples/pdf-file.ts";
import { atEnd } from "../at-end.ts";
import { formOf } from "../call-server.ts";
import { testParser } from "../parse/test-parser.ts";
import { serveSite } from "../serve-site.ts";
import { expectOk, expectProblem, nobody } from "./expectations.ts";
import { serveCarrel } from "./serve-carrel.ts";

/**
 * What must not be ingested, beside the inputs of `tools/bad-input`: what needs lower limits, another organization or
 * a site that misbehaves. Afterwards nothing has changed.
 */

let before: string;

/** Reads no pictures, whatever this machine has. */
const parser = testParser({ maxDocumentBytes: 400_000 });

const site = serveSite();
const carrel = await serveCarrel({
  parts: { parser },
  config: (config) => {
    config.fetch.allowPrivateAddresses = true;
    config.fetch.timeoutMs = 4_000;
    config.fetch.maxBytes = 200_000;
    config.ingest.maxDocumentBytes = 400_000;
    config.server.maxBodyBytes = 1_000_000;
  },
});
const call = carrel.call;
const kept = expectOk(
  await call("POST", "/api/ingest", { json: { name: "Kept", text: "kept text", partition: "Kept" } }),
);
const other = expectOk(await call("POST", "/api/partition", { json: { name: "Other" } }));
const key = await carrel.foreignKey("other organization");
const foreign = expectOk(
  await call("POST", "/api/ingest", { key, json: { name: "F", text: "foreign", partition: "Foreign" } }),
);
const ids = {
  kept: kept.id,
  partition: kept.partitionId,
  other: other.id,
  foreign: foreign.id,
  foreignPartition: foreign.partitionId,
};

afterAll(async () => {
  await parser.close();
});

beforeEach(async () => {
  before = await carrel.everything();
});

afterEach(async () => {
  expect(await carrel.everything()).toBe(before);
});

describe("fields", () => {
  test.each<[string, number, string, () => object]>([
    ["a blank name with a url", 400, "invalid_request", () => ({ name: " \t", url: `${site.url}/notes.md` })],
    [
      "an empty text beside a url",
      400,
      "invalid_request",
      () => ({ name: "N", text: "", url: `${site.url}/notes.md` }),
    ],
    [
      "text over ingest.maxDocumentBytes",
      413,
      "document_too_large",
      () => ({ name: "N", text: "long ".repeat(90_000) }),
    ],
    [
      "text over ingest.maxDocumentBytes that is to be queued",
      413,
      "document_too_large",
      () => ({ name: "N", text: "long ".repeat(90_000), async: true }),
    ],
    [
      "metadata of 10,000 keys",
      413,
      "metadata_too_large",
      () => ({
        name: "N",
        text: "t",
        metadata: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key ${at}`, at])),
      }),
    ],
    [
      "another organization's partition",
      404,
      "partition_not_found",
      () => ({ name: "N", text: "t", partitionId: ids.foreignPartition }),
    ],
    [
      "a new partition beside a partitionId",
      400,
      "partition_conflict",
      () => ({ name: "N", text: "t", partitionId: ids.other, partition: "New" }),
    ],
    [
      "another organization's partition beside its name",
      404,
      "partition_not_found",
      () => ({ name: "N", text: "t", partitionId: ids.foreignPartition, partition: "Foreign" }),
    ],
    [
      "the same asked for later",
      400,
      "several_sources",
      () => ({ name: "N", text: "t", url: "https://a.example/a", async: true }),
    ],
    [
      "an unknown partition, asked for later",
      404,
      "partition_not_found",
      () => ({ name: "N", text: "t", partitionId: nobody, async: true }),
    ],
  ])("%s", async (_name, status, code, json) => {
    expectProblem(await call("POST", "/api/ingest", { json: json() }), status, code);
  });
});

describe("files", () => {
  test.each<[string, number, string, string, () => Promise<Uint8Array<ArrayBuffer>>]>([
    ["too large", 413, "document_too_large", "large.txt", async () => new Uint8Array(500_000).fill(97)],
    ["a PDF of pictures only without OCR", 422, "no_text", "pictures.pdf", async () => pdfOfPictures],
  ])("%s", async (_name, status, code, name, bytes) => {
    const form = formOf({ partition: "New", file: new File([await bytes()], name) });
    expectProblem(await call("POST", "/api/ingest", { body: form }), status, code);
  });

  test("a file beside a text, two files, a file that is no file", async () => {
    const both = formOf({ text: "t", file: new File(["words"], "a.txt") });
    expectProblem(await call("POST", "/api/ingest", { body: both }), 400, "several_sources");
    const two = new FormData();
    two.append("file", new File(["words"], "a.txt"));
    two.append("file", new File(["more"], "b.txt"));
    expectProblem(await call("POST", "/api/ingest", { body: two }), 400, "invalid_request");
    const text = formOf({ name: "N", file: "not a file part" });
    expectProblem(await call("POST", "/api/ingest", { body: text }), 400, "no_source");
  });
});

describe("addresses", () => {
  test.each<[string, number, string, string, () => string]>([
    ["no such host", 422, "fetch_failed", "url", () => "http://nobody.invalid/a"],
    ["refused", 422, "fetch_failed", "url", () => "http://127.0.0.1:1/"],
    ["404", 422, "fetch_failed", "url", () => `${site.url}/status/404`],
    ["410 of a page", 422, "fetch_failed", "websiteUrl", () => `${site.url}/status/410`],
    ["500", 422, "fetch_failed", "url", () => `${site.url}/status/500`],
    ["503 of a page", 422, "fetch_failed", "websiteUrl", () => `${site.url}/status/503`],
    ["a redirect without end", 422, "fetch_failed", "url", () => `${site.url}/loop`],
    ["six redirects", 422, "fetch_failed", "url", () => `${site.url}/hops/6`],
    ["a redirect to another scheme", 422, "fetch_failed", "url", () => `${site.url}/redirect?to=file:///etc/passwd`],
    ["silent", 504, "fetch_timeout", "url", () => `${site.url}/silent`],
    ["endless and slow", 504, "fetch_timeout", "websiteUrl", () => `${site.url}/dripping`],
    ["endless", 413, "document_too_large", "url", () => `${site.url}/endless`],
    ["empty page", 422, "no_text", "websiteUrl", () => `${site.url}/empty`],
    ["a page without text", 422, "no_text", "websiteUrl", () => `${site.url}/no-text`],
    ["a locked PDF", 422, "unreadable_file", "url", () => `${site.url}/files/locked.pdf`],
    ["a sound", 415, "unsupported_file_type", "url", () => `${site.url}/files/sound.wav`],
    ["a sound for a page", 415, "unsupported_file_type", "websiteUrl", () => `${site.url}/files/sound.wav`],
    ["a broken archive", 422, "unreadable_file", "url", () => `${site.url}/zip`],
  ])("%s", async (_name, status, code, field, address) => {
    expectProblem(await call("POST", "/api/ingest", { json: { [field]: address(), partition: "New" } }), status, code);
  });
});

describe("addresses of private networks, while fetch.allowPrivateAddresses is false", () => {
  test("are refused behind a redirect and behind a name too, and nothing is sent there", async () => {
    /** Listens on an address that must not be reached; a request that comes through is counted. */
    const forbidden = { url: "", requests: 0 };
    const listener = Bun.serve({
      hostname: "127.0.0.2",
      port: 0,
      fetch() {
        forbidden.requests += 1;
        return new Response("<p>A secret of the private network.</p>", { headers: { "content-type": "text/html" } });
      },
    });
    atEnd(() => listener.stop(true));
    forbidden.url = `http://127.0.0.2:${listener.port}`;
    // The one public place of this test's world is the site on 127.0.0.1, under a name.
    const fetchUrl = createFetcher({
      allowPrivateAddresses: false,
      maxBytes: 100_000,
      timeoutMs: 10_000,
      resolve: async (name) => [{ address: name === "public.example" ? "127.0.0.1" : "127.0.0.2", family: 4 }],
      isAllowedAddress: (address) => address === "127.0.0.1",
    });
    const guarded = await serveCarrel({ parts: { fetchUrl } });
    const { port } = new URL(site.url);
    const start = site.requests.length;
    const named = `http://private.example:${new URL(forbidden.url).port}/page`;
    for (const target of [`${forbidden.url}/page`, `http://[::1]:${port}/page`, named]) {
      const url = `http://public.example:${port}/redirect?to=${encodeURIComponent(target)}`;
      for (const field of ["url", "websiteUrl"]) {
        const answer = await guarded.call("POST", "/api/ingest", { json: { [field]: url, partition: "New" } });
        expect(expectProblem(answer, 400, "address_refused").detail).toContain("fetch.allowPrivateAddresses");
      }
    }
    expect(new Set(site.requests.slice(start))).toEqual(new Set(["GET /redirect"]));
    for (const url of [named, `${forbidden.url}/page`])
      expectProblem(await guarded.call("POST", "/api/ingest", { json: { url } }), 400, "address_refused");
    expect(forbidden.requests).toBe(0);
    // The same request without the rule does get there: its absence above means something.
    expectOk(await call("POST", "/api/ingest", { json: { url: `${forbidden.url}/page`, name: "Reached" } }));
    expect(forbidden.requests).toBe(1);
    const [reached] = expectOk(await call("GET", "/api/document?searchValue=Reached"));
    expectOk(await call("DELETE", `/api/document/${reached.id}`));
    expect(expectOk(await guarded.call("GET", "/api/document"))).toEqual([]);
    expect(expectOk(await guarded.call("GET", "/api/partition"))).toEqual([]);
  });
});

describe("changes to a document", () => {
  test.each<[string, number, string, () => object]>([
    ["blank text", 400, "invalid_request", () => ({ text: " \n", name: "Changed" })],
    [
      "an unknown partition",
      404,
      "partition_not_found",
      () => ({ name: "Changed", text: "changed", partitionId: nobody }),
    ],
    [
      "another organization's partition",
      404,
      "partition_not_found",
      () => ({ name: "Changed", partitionId: ids.foreignPartition }),
    ],
    ["text that is too long", 413, "document_too_large", () => ({ name: "Changed", text: "long ".repeat(90_000) })],
  ])("%s", async (_name, status, code, json) => {
    expectProblem(await call("PUT", `/document/${ids.kept}`, { json: json() }), status, code);
  });
});

/** One page that holds nothing but a picture of one pixel. */
const pdfOfPictures = pdfOf([
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>",
  "<< /Length 30 >>\nstream\nq 200 0 0 200 0 0 cm /I Do Q  \nendstream",
  "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\n0\nendstream",
]);
