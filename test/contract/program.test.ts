import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectOk, expectProblem } from "./expectations.ts";
import { type Answer, call } from "./serve-carrel.ts";

/** Section 9 of the contract, the program as its operator runs it: one server, and commands beside it. */

const main = join(import.meta.dir, "../../src/main.ts");
const adminKey = `crl_${"0123456789".repeat(4)}abc`;
let folder: string;
let env: Record<string, string>;
let server: Bun.Subprocess<"ignore", "pipe", "pipe">;
let url: string;

interface Ended {
  status: number;
  out: string;
  err: string;
}

const carrel = async (argv: string[], more: Record<string, string> = {}): Promise<Ended> => {
  const child = Bun.spawn([process.execPath, main, ...argv], {
    cwd: folder,
    env: { ...env, ...more },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out, err };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "carrel-program-"));
  env = { PATH: process.env.PATH ?? "", HOME: folder, CARREL_LOG_FORMAT: "json" };
  // Named in the file by `${NAME}`, set by environment, and left to the default.
  writeFileSync(join(folder, "carrel.yaml"), `server: { port: 1 }\ndataDir: "\${PLACE}"\nfetch: { maxBytes: 5000 }\n`);
  Object.assign(env, {
    PLACE: join(folder, "data"),
    CARREL_SERVER_PORT: "0",
    CARREL_SERVER_ALLOWED_ORIGINS: "https://a.example,https://b.example",
  });
  server = Bun.spawn([process.execPath, main], {
    cwd: folder,
    env: { ...env, CARREL_ADMIN_KEY: adminKey },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  url = await addressOf(server.stdout);
});

afterAll(async () => {
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

/** The first http address that the server writes. */
const addressOf = async (output: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
    if (address !== null) {
      void output.pipeTo(new WritableStream()).catch(() => {});
      return address[0];
    }
  }
  throw new Error(`the server ended: ${text}`);
};

const ask = (method: string, path: string, key: string, json?: object): Promise<Answer> =>
  call(url, method, path, { key, ...(json === undefined ? {} : { json }) });

test("without a command, serve; CARREL_ADMIN_KEY is the admin's; environment goes over file, file over defaults", async () => {
  expectOk(await ask("GET", "/api/key", adminKey));
  const { headers } = await call(url, "GET", "/api/document", {
    key: adminKey,
    headers: { origin: "https://b.example" },
  });
  expect(headers.get("access-control-allow-origin")).toBe("https://b.example");
  expect(statSync(join(folder, "data/carrel.sock")).mode & 0o777).toBe(0o600);
});

test("key create --organization makes another organization, whose key works at once and sees nothing of ours", async () => {
  expectOk(await ask("POST", "/api/ingest", adminKey, { name: "Ours", text: "our lantern" }));
  const made = await carrel([
    "key",
    "create",
    "--name",
    "their key",
    "--role",
    "writer",
    "--user",
    "Zoë",
    "--organization",
    "Zoë & Co",
    "--json",
  ]);
  expect([made.status, made.err]).toEqual([0, ""]);
  const { key, role, userId, organizationId } = JSON.parse(made.out);
  expect([role, userId]).toEqual(["writer", "Zoë"]);
  expect(expectOk(await ask("GET", "/api/document", key))).toEqual([]);
  const theirs = expectOk(await ask("POST", "/api/ingest", key, { name: "Theirs", text: "their lantern" }));
  expect(theirs).toMatchObject({ organizationId, addedByUserId: "Zoë" });
  expectProblem(await ask("GET", `/api/document/${theirs.id}`, adminKey), 404, "document_not_found");
});

test("key create, list and revoke do what the routes do", async () => {
  const plain = await carrel(["key", "create", "--name", "N", "--expires", "30d"]);
  expect(plain.out).toMatch(/^crl_[0-9A-Za-z]{43}\n$/);
  const key = plain.out.trim();
  expectOk(await ask("GET", "/api/document", key));
  const listed = await carrel(["key", "list", "--json"]);
  expect(listed.out).not.toContain(key);
  const { id, expiresAt } = JSON.parse(listed.out).find(({ name }: { name: string }) => name === "N");
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect((await carrel(["key", "revoke", id])).status).toBe(0);
  expectProblem(await ask("GET", "/api/document", key), 401, "key_unknown");
  expect((await carrel(["key", "revoke", id])).status).toBe(1);
});

test("a second serve on the data directory exits 1 and says who holds it", async () => {
  const { status, err, out } = await carrel(["serve"]);
  expect(status).toBe(1);
  expect(err + out).toContain(String(server.pid));
  expect(err + out).toContain(url);
});

describe("exit status", () => {
  test.each<[number, string[], RegExp]>([
    [0, ["version"], /^carrel \d+\.\d+\.\d+/],
    [0, ["help"], /serve/],
    [0, ["key", "--help"], /create/],
    [2, ["serv"], /serve/],
    [2, ["serve", "--colour"], /colour/],
    [2, ["key", "create"], /--name/],
    [1, ["ingest", "/does/not/exist"], /exist/],
  ])("%i: carrel %p", async (expected, argv, said) => {
    const { status, out, err } = await carrel(argv);
    expect([status, `${out}${err}`]).toEqual([expected, expect.stringMatching(said)]);
    if (expected !== 0) expect(out).toBe("");
  });

  test("a wrong configuration stops the start, all faults named at once with line and nearest right name", async () => {
    const path = join(folder, "wrong.yaml");
    writeFileSync(path, "server:\n  prot: 7373\n  host: 5\nlog:\n  level: loud\n");
    const { status, err } = await carrel(["serve", "--config", path], { CARREL_FETCH_TIMEOUT: "5" });
    expect(status).toBe(1);
    for (const said of [
      "wrong.yaml:2",
      "server.prot",
      "server.port",
      "wrong.yaml:3",
      "server.host",
      "wrong.yaml:5",
      "log.level",
      "CARREL_FETCH_TIMEOUT_MS",
    ])
      expect(err).toContain(said);
  });
});

test("ask and ingest beside the server talk to it", async () => {
  writeFileSync(join(folder, "note.md"), "# Ferry\n\nThe ferry leaves from pier four.\n");
  const ingested = await carrel(["ingest", join(folder, "note.md")]);
  expect([ingested.status, ingested.err]).toEqual([0, expect.any(String)]);
  expect(expectOk(await ask("GET", "/api/document?searchValue=note", adminKey))).toHaveLength(1);
  const answered = await carrel(["ask", "Where does the ferry leave?"]);
  expect(answered.status).toBe(0);
  expect(answered.out).toContain("pier four");
});
