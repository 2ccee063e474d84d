import { afterAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../../../src/log/log.ts";
import { readCertificate } from "../../../src/system/read-certificate.ts";
import { formOf } from "../../call-server.ts";
import { startTestServer, type TestServer, testConfig } from "../../start-server.ts";
import { until } from "../../until.ts";
import { hasOpenssl, makeCertificate, makeEndedCertificate, shownName } from "./make-certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-tls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `live/…` as certbot keeps it: links into a folder of a renewal. */
const makeLive = (name: string) => {
  makeCertificate(join(folder, name, "archive1"), `${name}-1`);
  const live = { certificate: join(folder, name, "cert.pem"), key: join(folder, name, "key.pem") };
  const linkTo = async (archive: string): Promise<void> => {
    for (const [file, link] of [
      ["fullchain.pem", live.certificate],
      ["privkey.pem", live.key],
    ] as const) {
      symlinkSync(join(folder, name, archive, file), `${link}.new`);
      await rename(`${link}.new`, link);
    }
  };
  return { live, linkTo };
};

/** A server with TLS whose log is read. */
const serveTls = async (tls: { certificate: string; key: string; hstsMaxAgeSeconds?: number }) => {
  const lines: string[] = [];
  const server = await startTestServer(
    { server: { port: 0, tls: { hstsMaxAgeSeconds: 0, ...tls } } },
    {
      log: createLogger({ level: "info", format: "json" }, (line) => lines.push(line)),
      lookAtCertificateEveryMs: 20,
    },
  );
  return { server, logged: () => lines.join("") };
};

/** The test's client accepts the self-signed certificate. */
const tls = { rejectUnauthorized: false };

const signIn = async (server: TestServer, url = server.url): Promise<Response> =>
  fetch(`${url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: server.key }),
    tls,
  });

describe.skipIf(!hasOpenssl)("TLS by certificate files", () => {
  test("links, cookies and HSTS are those of https", async () => {
    const files = makeCertificate(join(folder, "plain"), "plain");
    const { server } = await serveTls({ ...files, hstsMaxAgeSeconds: 86_400 });
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const form = formOf({ file: new File(["A file over TLS about herons."], "herons.txt") });
    const made = await server.call("/api/ingest", { method: "POST", body: form, tls } as RequestInit);
    const { originalUrl, parsedUrl } = (await made.json()) as { originalUrl: string; parsedUrl: string };
    for (const link of [originalUrl, parsedUrl]) expect(link).toStartWith(`${server.url}/api/document/`);
    expect(made.headers.get("strict-transport-security")).toBe("max-age=86400");
    expect((await signIn(server)).headers.get("set-cookie")).toContain("; Secure");
    // Plain HTTP on the port is no way in.
    const plain = await fetch(server.url.replace("https:", "http:")).then(
      ({ status }) => status,
      () => "refused",
    );
    expect(plain).not.toBe(200);
  });

  test("without it: no HSTS, no Secure", async () => {
    const server = await startTestServer({});
    const signedIn = await signIn(server);
    expect(signedIn.headers.get("set-cookie")).not.toContain("Secure");
    expect(signedIn.headers.has("strict-transport-security")).toBe(false);
  });

  test("a renewed certificate is taken when its links are swapped; a running request is finished", async () => {
    const { live, linkTo } = makeLive("certbot");
    await linkTo("archive1");
    const { server, logged } = await serveTls(live);
    expect(await shownName(server.port)).toBe("certbot-1");
    makeCertificate(join(folder, "certbot", "archive2"), "certbot-2");
    // The body is on its way over the renewal.
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const line = (text: string) => new TextEncoder().encode(`${JSON.stringify({ name: text, text })}\n`);
    const batch = server.call("/api/ingest/batch", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: body.readable,
      tls,
    } as RequestInit);
    await writer.write(line("before the renewal"));
    await until(async () => {
      const listed = await server.call("/api/document", { tls } as RequestInit);
      return listed.headers.get("x-total-count") === "1";
    }, "the first line is stored");
    await linkTo("archive2");
    await until(async () => {
      // Who shakes hands while the listener is exchanged has to connect again.
      return (await shownName(server.port).catch(() => null)) === "certbot-2";
    }, "the renewed certificate is shown");
    await writer.write(line("after the renewal"));
    await writer.close();
    const answered = (await (await batch).text()).trimEnd().split("\n");
    expect(answered.map((each) => JSON.parse(each).status)).toEqual(["pending", "pending"]);
    expect(logged()).toContain("the certificate of server.tls was renewed");
    const metrics = await (await server.call("/metrics", { tls } as RequestInit)).text();
    const { validTo } = new X509Certificate(await Bun.file(live.certificate).text());
    expect(metrics).toContain(`\ncarrel_tls_certificate_expires_timestamp_seconds ${Date.parse(validTo) / 1_000}\n`);
    expect(logged()).not.toContain('"level":"error"');
  });

  test("files that do not fit leave the former certificate in use, and are reported once", async () => {
    const { live, linkTo } = makeLive("broken");
    await linkTo("archive1");
    const { server, logged } = await serveTls(live);
    const faults = () => logged().split("cannot be renewed").length - 1;
    makeCertificate(join(folder, "broken", "archive2"), "broken-2");
    const key = readFileSync(join(folder, "broken", "archive2", "privkey.pem"), "utf8");
    // Another certificate's key.
    copyFileSync(join(folder, "broken", "archive1", "privkey.pem"), join(folder, "broken", "archive2", "privkey.pem"));
    await linkTo("archive2");
    await until(() => faults() === 1, "the fault is reported");
    expect(logged()).toContain("does not belong to the certificate");
    expect(await shownName(server.port)).toBe("broken-1");
    await Bun.sleep(200);
    expect(faults()).toBe(1);
    writeFileSync(join(folder, "broken", "archive2", "privkey.pem"), key);
    await until(async () => (await shownName(server.port).catch(() => null)) === "broken-2", "the right key is taken");
    rmSync(live.certificate);
    await until(() => faults() === 2, "the missing file is reported");
    expect(await shownName(server.port)).toBe("broken-2");
    expect(logged()).not.toContain("PRIVATE KEY-----\\n");
    expect(logged()).not.toContain(key.split("\n")[1] ?? "");
  });

  test("at the start, unusable files are a clear failure", async () => {
    const one = makeCertificate(join(folder, "one"), "one");
    const two = makeCertificate(join(folder, "two"), "two");
    const text = join(folder, "text.pem");
    writeFileSync(text, "no certificate");
    const locked = join(folder, "locked.pem");
    Bun.spawnSync(["openssl", "pkcs8", "-topk8", "-in", one.key, "-out", locked, "-passout", "pass:secret-words"]);
    const faults = [
      [{ ...one, key: two.key }, "does not belong to the certificate"],
      [{ ...one, certificate: text }, "holds no certificate in PEM form"],
      [{ ...one, key: text }, "holds no private key in PEM form"],
      [{ ...one, key: locked }, "protected by a passphrase"],
      [{ ...one, key: join(folder, "missing.pem") }, "does not exist"],
      [{ ...one, certificate: folder }, "is a folder"],
    ] as const;
    for (const [files, words] of faults) {
      await expect(readCertificate(files)).rejects.toThrow(words);
      await expect(serveTls(files)).rejects.toThrow(words);
    }
  });

  test("a certificate that has ended is used at the start, with a warning, and not taken for a valid one", async () => {
    const { live, linkTo } = makeLive("ended");
    makeEndedCertificate(join(folder, "ended", "archive2"), "ended-2");
    await linkTo("archive1");
    const { server, logged } = await serveTls(live);
    await linkTo("archive2");
    await until(() => logged().includes("the new certificate ended on"), "the fault is reported");
    expect(await shownName(server.port)).toBe("ended-1");
    await server.stop();
    const again = await serveTls(live);
    expect(again.logged()).toContain("has ended");
    expect(await shownName(again.server.port)).toBe("ended-2");
    await again.server.stop();
  });
});

test("half of the setting, and an address that is not https, are faults of the configuration", async () => {
  const { contradictionsIn } = await import("../../../config/checks.ts");
  const faults = (server: object) =>
    contradictionsIn(testConfig("/", { server })).map(({ path, message }) => `${path} ${message}`);
  const pair = { certificate: "/a.pem", key: "/b.pem", hstsMaxAgeSeconds: 0 };
  expect(faults({ tls: { ...pair, key: null } })).toEqual([
    "server.tls.key must be set too: TLS needs the certificate and its key",
  ]);
  expect(faults({ tls: { ...pair, certificate: null } })).toEqual([
    "server.tls.certificate must be set too: TLS needs the certificate and its key",
  ]);
  expect(faults({ tls: pair, baseUrl: "http://docs.example" })).toEqual([
    "server.baseUrl must begin with https:// where server.tls is set",
  ]);
  expect(faults({ tls: pair, baseUrl: "https://docs.example" })).toEqual([]);
});
