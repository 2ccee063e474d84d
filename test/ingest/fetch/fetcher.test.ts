import { afterAll, expect, test } from "bun:test";
import http from "node:http";
import https from "node:https";
import { type AddressInfo, createServer } from "node:net";
import zlib from "node:zlib";
import manifest from "../../../package.json" with { type: "json" };
import type { ApiError } from "../../../src/domain/errors.ts";
import { createFetcher, type FetcherOptions } from "../../../src/ingest/fetch/fetcher.ts";
import { until } from "../../until.ts";
import { certificate, privateKey } from "./self-signed.ts";

let reachedOther = 0;
let openBodies = 0;

const listen = (target: http.Server | https.Server, host: string) =>
  new Promise<number>((resolve) => {
    target.listen(0, host, () => resolve((target.address() as AddressInfo).port));
  });

const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://x");
  const hop = Number(url.searchParams.get("hop") ?? "0");
  const routes: Record<string, () => void> = {
    "/page": () => {
      response.writeHead(200, {
        "Content-Type": "text/html; charset=ISO-8859-1",
        ETag: '"one"',
        "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT",
      });
      response.end("<h1>Hello</h1>");
    },
    "/headers": () => response.end(JSON.stringify(request.headers)),
    "/etag": () => {
      response.statusCode = request.headers["if-none-match"] === '"one"' ? 304 : 200;
      response.end();
    },
    "/missing": () => response.writeHead(404).end("no"),
    "/broken": () => response.writeHead(500).end("no"),
    "/redirect": () => response.writeHead(302, { Location: url.searchParams.get("to") ?? "" }).end(),
    "/hops": () =>
      hop > 0 ? response.writeHead(301, { Location: `/hops?hop=${hop - 1}` }).end() : response.end("arrived"),
    "/endless": () => {
      openBodies++;
      const timer = setInterval(() => response.write(Buffer.alloc(4096, 97)), 5);
      response.on("close", () => {
        openBodies--;
        clearInterval(timer);
      });
    },
    "/silent": () => {},
    "/stalled": () => void response.write("begin"),
    "/large": () => response.end(Buffer.alloc(20_000, 97)),
    "/gzip": () => response.writeHead(200, { "Content-Encoding": "gzip" }).end(zlib.gzipSync("packed")),
    "/br": () => response.writeHead(200, { "Content-Encoding": "br" }).end(zlib.brotliCompressSync("packed")),
    "/deflate": () => response.writeHead(200, { "Content-Encoding": "deflate" }).end(zlib.deflateSync("packed")),
    "/raw-deflate": () => response.writeHead(200, { "Content-Encoding": "deflate" }).end(zlib.deflateRawSync("packed")),
    "/twice": () =>
      response.writeHead(200, { "Content-Encoding": "gzip, br" }).end(zlib.brotliCompressSync(zlib.gzipSync("packed"))),
    "/bomb": () => response.writeHead(200, { "Content-Encoding": "gzip" }).end(zlib.gzipSync(Buffer.alloc(5_000_000))),
    "/bad-gzip": () => response.writeHead(200, { "Content-Encoding": "gzip" }).end("this is not gzip"),
    "/odd-encoding": () => response.writeHead(200, { "Content-Encoding": "sdch" }).end("x"),
    "/cut": () => {
      response.writeHead(200, { "Content-Length": "1000" });
      response.write("part");
      setTimeout(() => response.socket?.destroy(), 20);
    },
    "/named": () =>
      response
        .writeHead(200, {
          "Content-Type": "application/octet-stream",
          "Content-Disposition":
            "attachment; filename=\"../../x.txt\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%82%AC.pdf",
        })
        .end("x"),
    "/notes.md": () => response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end("# Notes"),
  };
  (routes[url.pathname] ?? (() => response.writeHead(404).end()))();
});
const port = await listen(server, "127.0.0.1");
const other = http.createServer((_request, response) => {
  reachedOther++;
  response.end("inner secret");
});
const otherPort = await listen(other, "127.0.0.2");

afterAll(() => {
  server.closeAllConnections();
  server.close();
  other.close();
});

const local: FetcherOptions = { allowPrivateAddresses: true, maxBytes: 10_000, timeoutMs: 5_000 };
const never = new AbortController().signal;
const at = (path: string) => `http://127.0.0.1:${port}${path}`;
const get = (path: string, options: Partial<FetcherOptions> = {}) =>
  createFetcher({ ...local, ...options })(at(path), { signal: never });
const text = (file: { bytes: Uint8Array }) => new TextDecoder().decode(file.bytes);
const failure = async (work: Promise<unknown>): Promise<{ code: string; status: number; detail: string }> => {
  const error = (await work.then(
    () => null,
    (cause: unknown) => cause,
  )) as ApiError | null;
  return { code: error?.code ?? "none", status: error?.status ?? 0, detail: error?.message ?? "" };
};

test("a page comes with its type, charset and validators", async () => {
  const page = await get("/page");
  expect(text(page)).toBe("<h1>Hello</h1>");
  expect(page).toMatchObject({
    finalUrl: at("/page"),
    mimeType: "text/html",
    charset: "iso-8859-1",
    fileName: "page",
    etag: '"one"',
    lastModified: "Mon, 01 Jan 2024 00:00:00 GMT",
    isNotModified: false,
  });
});

test("an unchanged page is not fetched again", async () => {
  const fetchUrl = createFetcher(local);
  const known = { etag: '"one"', lastModified: null };
  expect((await fetchUrl(at("/etag"), { signal: never, known })).isNotModified).toBe(true);
  expect((await fetchUrl(at("/etag"), { signal: never })).isNotModified).toBe(false);
});

test("it says who it is and what it takes, and nothing else of itself", async () => {
  const fetchUrl = createFetcher(local);
  const headers = JSON.parse(text(await fetchUrl(at("/headers"), { signal: never, accept: "text/html" })));
  expect(headers).toEqual({
    "user-agent": `Carrel/${manifest.version}`,
    accept: "text/html",
    "accept-encoding": "gzip, deflate, br",
    host: `127.0.0.1:${port}`,
    connection: expect.any(String),
  });
});

test("names come from Content-Disposition without folders; types that say nothing are dropped", async () => {
  expect(await get("/named")).toMatchObject({ fileName: "Größe €.pdf", mimeType: null });
  expect(await get("/notes.md")).toMatchObject({ fileName: "notes.md", mimeType: null, charset: "utf-8" });
});

test.each(["/gzip", "/br", "/deflate", "/raw-deflate", "/twice"])("%s is unpacked", async (path) => {
  expect(text(await get(path))).toBe("packed");
});

test("a size limit holds for plain, endless and compressed bodies", async () => {
  for (const path of ["/large", "/endless", "/bomb"]) {
    expect(await failure(get(path))).toMatchObject({ code: "document_too_large", status: 413 });
  }
  expect((await failure(get("/large"))).detail).toContain("fetch.maxBytes");
});

test("what hangs or never ends is stopped by the time limit, and the connection is closed", async () => {
  for (const path of ["/silent", "/stalled", "/endless"]) {
    const result = await failure(get(path, { timeoutMs: 150, maxBytes: 1e9 }));
    expect(result).toMatchObject({ code: "fetch_timeout", status: 504 });
  }
  await until(() => openBodies === 0);
  const deaf = createFetcher({ ...local, timeoutMs: 50, resolve: () => new Promise(() => {}) });
  expect(await failure(deaf("http://slow.example/", { signal: never }))).toMatchObject({ code: "fetch_timeout" });
});

test("some interim answers are passed over, an endless run of them is ended", async () => {
  const interim = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n";
  let isOpen = false;
  const hinting = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (head) => {
      if (head.toString().startsWith("GET /some"))
        return void socket.end(`${interim.repeat(3)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
      isOpen = true;
      socket.on("close", () => {
        isOpen = false;
      });
      const send = (): void => {
        if (!socket.destroyed && socket.write(interim.repeat(100))) setImmediate(send);
        else socket.once("drain", send);
      };
      send();
    });
  });
  const address = await new Promise<string>((resolve) => {
    hinting.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(hinting.address() as AddressInfo).port}`));
  });
  try {
    expect(text(await createFetcher(local)(`${address}/some`, { signal: never }))).toBe("ok");
    const ended = await failure(
      createFetcher({ ...local, timeoutMs: 60_000 })(`${address}/endless`, { signal: never }),
    );
    expect(ended).toMatchObject({
      code: "fetch_failed",
      detail: expect.stringContaining("interim answers (1xx) only"),
    });
    await until(() => !isOpen);
  } finally {
    hinting.close();
  }
});

test("an abort throws the caller's own reason", async () => {
  const controller = new AbortController();
  const reason = new Error("the caller left");
  const work = createFetcher(local)(at("/silent"), { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 20);
  expect(await work.catch((error: unknown) => error)).toBe(reason);
  expect(
    await createFetcher(local)(at("/page"), { signal: AbortSignal.abort(reason) }).catch((error: unknown) => error),
  ).toBe(reason);
});

test.each([
  ["/missing", "404"],
  ["/broken", "500"],
  ["/bad-gzip", "compression"],
  ["/odd-encoding", "sdch"],
  ["/cut", "cut off"],
  ["/redirect?to=ftp://x/", "other than http"],
  ["/redirect?to=http://a:b@x/", "user name"],
  ["/redirect?to=http://[", "redirect is broken"],
  ["/hops?hop=6", "5 redirects"],
])("%s is a 422 that says %s", async (path, reason) => {
  const result = await failure(get(path));
  expect(result).toMatchObject({ code: "fetch_failed", status: 422 });
  expect(result.detail).toContain(reason);
});

test("five redirects are followed and the last address is told", async () => {
  const page = await get("/hops?hop=5");
  expect(text(page)).toBe("arrived");
  expect(page.finalUrl).toBe(at("/hops?hop=0"));
});

test("no such host and a closed port are told apart", async () => {
  const nobody = createFetcher({
    ...local,
    resolve: () => Promise.reject(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" })),
  });
  expect((await failure(nobody("http://nobody.example/", { signal: never }))).detail).toContain("no such host");
  const closed = http.createServer();
  const closedPort = await listen(closed, "127.0.0.1");
  await new Promise((resolve) => closed.close(resolve));
  const refused = await failure(createFetcher(local)(`http://127.0.0.1:${closedPort}/`, { signal: never }));
  expect(refused).toMatchObject({ code: "fetch_failed" });
  expect(refused.detail).toContain("refused");
});

test("a certificate that does not verify is refused", async () => {
  const secure = https.createServer({ cert: certificate, key: privateKey }, (_request, response) => response.end("x"));
  const securePort = await listen(secure, "127.0.0.1");
  try {
    const result = await failure(createFetcher(local)(`https://127.0.0.1:${securePort}/`, { signal: never }));
    expect(result).toMatchObject({ code: "fetch_failed" });
    expect(result.detail).toContain("TLS");
  } finally {
    secure.close();
  }
});

test.each([
  "127.0.0.1",
  "0x7f.1",
  "2130706433",
  "017700000001",
  "127.0.0.1.",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "localhost",
  "localhost.",
  "10.0.0.1",
  "169.254.169.254",
])("http://%s/ is refused, naming the setting", async (host) => {
  const strict = createFetcher({ ...local, allowPrivateAddresses: false });
  const result = await failure(strict(`http://${host}:${port}/page`, { signal: never }));
  expect(result).toMatchObject({ code: "address_refused", status: 400 });
  expect(result.detail).toContain("fetch.allowPrivateAddresses");
});

test("a public name with one private address among its addresses is refused", async () => {
  const strict = createFetcher({
    ...local,
    allowPrivateAddresses: false,
    resolve: async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "10.0.0.7", family: 4 },
    ],
  });
  expect(await failure(strict("http://public.example/", { signal: never }))).toMatchObject({ code: "address_refused" });
});

/** Stands in for the public network: 127.0.0.1 may be fetched, 127.0.0.2 is the private side. */
const publicSide = { allowPrivateAddresses: false, isAllowedAddress: (address: string) => address === "127.0.0.1" };

test("a redirect into the private side is refused before anything is sent there", async () => {
  const fetchUrl = createFetcher({ ...local, ...publicSide });
  const before = reachedOther;
  const target = encodeURIComponent(`http://127.0.0.2:${otherPort}/`);
  expect(await failure(fetchUrl(at(`/redirect?to=${target}`), { signal: never }))).toMatchObject({
    code: "address_refused",
  });
  const named = createFetcher({
    ...local,
    ...publicSide,
    resolve: async () => [{ address: "127.0.0.2", family: 4 }],
  });
  const byName = encodeURIComponent(`http://inner.example:${otherPort}/`);
  expect(await failure(named(at(`/redirect?to=${byName}`), { signal: never }))).toMatchObject({
    code: "address_refused",
  });
  expect(reachedOther).toBe(before);
});

test("DNS rebinding: the connection goes to the address that was checked, the name is asked once", async () => {
  let asked = 0;
  const fetchUrl = createFetcher({
    ...local,
    ...publicSide,
    resolve: async () => {
      asked++;
      return [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    },
  });
  const page = await fetchUrl(`http://rebind.example:${port}/headers`, { signal: never });
  expect(JSON.parse(text(page)).host).toBe(`rebind.example:${port}`);
  expect(asked).toBe(1);
  expect(await failure(fetchUrl(`http://rebind.example:${port}/page`, { signal: never }))).toMatchObject({
    code: "address_refused",
  });
});

test.each([
  "",
  "nonsense",
  "ftp://example.com/x",
  "file:///etc/passwd",
  "javascript:1",
  "http://u:p@example.com/",
  "/x",
])("%p is a 400 that names the field", async (url) => {
  const work = createFetcher(local)(url, { signal: never, field: "websiteUrl" });
  const error = (await work.catch((cause: unknown) => cause)) as ApiError;
  expect(error.code).toBe("invalid_request");
  expect(error.errors?.[0]?.path).toBe("websiteUrl");
  expect(error.message).not.toContain("u:p");
});

test("a query string, which may hold a secret, is not repeated in an error", async () => {
  expect((await failure(get("/missing?token=s3cret"))).detail).not.toContain("s3cret");
});
