import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Run, run } from "./run.ts";

/** The same commands, through a running server's socket and on the store itself. */
describe.each(["through a running server", "on the store itself"])("%s", (way) => {
  let folder: string;
  let dataDir: string;
  let server: TestServer | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-commands-"));
    dataDir = join(folder, "data");
    if (way === "through a running server") server = await startTestServer({}, { isKept: true }, dataDir);
    await mkdir(join(folder, "handbook/.hidden"), { recursive: true });
    await Bun.write(join(folder, "handbook/pumps.md"), "# Pumps\n\nThe primary pump is serviced every 400 hours.\n");
    await Bun.write(
      join(folder, "handbook/winter/fans.md"),
      "# Fans\n\nIn winter the fans run at 900 turns a minute.\n",
    );
    await Bun.write(join(folder, "handbook/.hidden/secret.md"), "# Secret\n\nThe code of the safe is 4711.\n");
    await Bun.write(join(folder, "handbook/noise.bin"), new Uint8Array([0, 1, 2, 3, 255, 254, 0, 9]));
    await symlink(join(folder, "handbook"), join(folder, "handbook/round"));
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const carrel = (...argv: string[]): Promise<Run> => run(argv, { cwd: folder, env: { CARREL_DATA_DIR: dataDir } });
  const json = async <T>(...argv: string[]): Promise<T> => {
    const { status, out, err } = await carrel(...argv, "--json");
    expect([status, err]).toEqual([0, expect.any(String)]);
    return JSON.parse(out) as T;
  };
  interface Key {
    id: string;
    name: string;
    role: string;
    userId: string;
    key: string;
    organizationId: string;
    partitionId: string | null;
    expiresAt: string | null;
  }

  test("key create prints the key alone, list shows it without, revoke ends it", async () => {
    const made = await carrel("key", "create", "--name", "script");
    expect(made.status).toBe(0);
    expect(made.out).toMatch(/^crl_[0-9A-Za-z]{43}\n$/);
    const [listed] = await json<Key[]>("key", "list");
    expect(listed).toMatchObject({
      name: "script",
      role: "reader",
      userId: "admin",
      partitionId: null,
      expiresAt: null,
    });
    expect(JSON.stringify(listed)).not.toContain(made.out.trim());
    expect((await carrel("key", "list")).out).toMatch(/^ID +NAME +ROLE +USER +PARTITION +CREATED +EXPIRES\n/);
    const get = async () =>
      (await fetch(`${server?.url}/api/document`, { headers: { authorization: `Bearer ${made.out.trim()}` } })).status;
    if (server !== null) expect(await get()).toBe(200);
    expect(await carrel("key", "revoke", listed?.id ?? "")).toMatchObject({
      status: 0,
      out: `Revoked ${listed?.id}\n`,
    });
    if (server !== null) expect(await get()).toBe(401);
    expect(await carrel("key", "revoke", listed?.id ?? "")).toMatchObject({ status: 1, out: "" });
  });

  test("key create takes role, user, partition and expiry", async () => {
    const options = [
      "--name",
      "limited",
      "--role",
      "writer",
      "--user",
      "bob",
      "--partition",
      "Manuals",
      "--expires",
      "30d",
    ];
    const first = await json<Key>("key", "create", ...options);
    expect(first).toMatchObject({ role: "writer", userId: "bob", key: expect.stringMatching(/^crl_/) });
    const days = (Date.parse(first.expiresAt ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    // The same partition, by name and by id.
    expect((await json<Key>("key", "create", ...options)).partitionId).toBe(first.partitionId);
    const byId = await json<Key>("key", "create", "--name", "id", "--partition", first.partitionId ?? "");
    expect(byId.partitionId).toBe(first.partitionId);
    await carrel("key", "create", "--name", "free");
    const { out } = await carrel("key", "list");
    expect(out).toMatch(/ limited +writer +bob +Manuals /);
    expect(out).toMatch(/ free +reader +admin +everything .* never$/m);
  });

  test("where nothing is stored yet, list and ask say so and what to do", async () => {
    const note = expect.stringMatching(/^(note: )?There are no documents .*yet: `carrel ingest` adds/);
    expect(await carrel("list")).toMatchObject({ status: 0, err: note });
    expect(await carrel("list", "--partition", "Manuals")).toMatchObject({ status: 0, err: note });
    expect(await carrel("ask", "How often is the pump serviced?")).toMatchObject({ status: 0, err: note });
    expect(await carrel("ask", "hello")).toMatchObject({ status: 0, err: "" });
  });

  test("a folder full of what cannot be read names a few of the files, and the number of the others", async () => {
    for (let at = 0; at < 6; at += 1) await Bun.write(join(folder, `blobs/${at}.bin`), new Uint8Array(64));
    const { err } = await carrel("ingest", "blobs");
    expect(err.match(/^skipped: blobs\/\d\.bin: /gm)).toHaveLength(3);
    expect(err).toMatch(/^skipped: 3 more: .+$/m);
    expect(err).toContain("0 processed, 0 unchanged, 6 skipped, 0 failed");
    expect(await json<unknown[]>("ingest", "blobs")).toHaveLength(6);
  });

  test.each(["99999999d", "3000000d"])("key create with an expiry of %s makes nothing", async (expires) => {
    const before = await json<Key[]>("key", "list");
    expect(await carrel("key", "create", "--name", "far", "--expires", expires)).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining("--expires lies beyond the year 9999"),
    });
    expect(await json<Key[]>("key", "list")).toEqual(before);
  });

  test("key create with a name that is too long leaves neither organization nor partition behind", async () => {
    const options = ["--name", "x".repeat(256), "--partition", "Left behind"];
    const refused = { status: 2, out: "", err: expect.stringContaining("name must be at most 255 characters long") };
    expect(await carrel("key", "create", ...options, "--organization", "left behind")).toMatchObject(refused);
    expect(await carrel("key", "create", ...options)).toMatchObject(refused);
    expect((await carrel("key", "list", "--organization", "left behind")).err).toContain("There is no organization");
    expect((await carrel("ask", "anything", "--partition", "Left behind")).err).toContain("There is no partition");
  });

  test("only key create makes an organization, by naming it", async () => {
    expect(await carrel("key", "list", "--organization", "Ärzte & Söhne")).toMatchObject({ status: 1, out: "" });
    const theirs = await json<Key>("key", "create", "--name", "n", "--organization", "Ärzte & Söhne");
    expect(await json<Key[]>("key", "list", "--organization", "Ärzte & Söhne")).toHaveLength(1);
    const ours = await json<Key>("key", "create", "--name", "n");
    expect(theirs.organizationId).not.toBe(ours.organizationId);
    expect((await carrel("key", "revoke", ours.id, "--organization", "Ärzte & Söhne")).status).toBe(1);
    expect((await carrel("key", "create", "--name", "n", "--organization", " ")).status).toBe(1);
  });

  test("ingest takes a folder: hidden files and links are left alone, what is no document is passed over", async () => {
    const { status, out, err } = await carrel("ingest", "handbook", "--partition", "Handbook");
    expect(status).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/ {2}[0-9a-f-]{36} {2}/, " ")).sort()).toEqual([
      "processed handbook/pumps.md",
      "processed handbook/winter/fans.md",
    ]);
    expect(err).toContain("skipped: ");
    expect(err).toContain("2 processed, 0 unchanged, 1 skipped, 0 failed");
  });

  test("a second time nothing is doubled; what changed is replaced", async () => {
    await Bun.write(join(folder, "handbook/pumps.md"), "# Pumps\n\nThe primary pump is serviced every 350 hours.\n");
    const results = await json<{ source: string; status: string }[]>("ingest", "handbook");
    const statusOf = (name: string) => results.find(({ source }) => source.endsWith(name))?.status;
    expect([statusOf("pumps.md"), statusOf("fans.md"), statusOf("noise.bin")]).toEqual([
      "processed",
      "unchanged",
      "skipped",
    ]);
    const { out } = await carrel("ask", "How often is the primary pump serviced?");
    expect(out).toContain("every 350 hours");
    expect(out).not.toContain("400");
  });

  test("ask prints the answer and its sources", async () => {
    const { status, out } = await carrel("ask", "How fast do the fans run in winter?");
    expect(status).toBe(0);
    expect(out).toContain("900 turns a minute. [1]\n");
    expect(out).toContain("\n[1] winter/fans.md, Fans\n");
    const answer = await json<{ relevantSnippets: unknown[]; relevantDocuments: { parsedUrl: string }[] }>(
      "ask",
      "How fast do the fans run in winter?",
      "--snippets",
      "1",
    );
    expect(answer.relevantSnippets).toHaveLength(1);
    // What it names can be fetched from the server, where one runs.
    expect(answer.relevantDocuments[0]?.parsedUrl).toStartWith(
      `${server?.url ?? "http://127.0.0.1:7373"}/api/document/`,
    );
  });

  test("ask keeps to a partition, and says where there is none", async () => {
    const inside = await carrel("ask", "How fast do the fans run in winter?", "--partition", "Handbook");
    expect(inside.out).toContain("900 turns");
    expect(await carrel("ask", "x", "--partition", "Nowhere")).toMatchObject({
      status: 1,
      err: expect.stringContaining('There is no partition "Nowhere"'),
    });
    expect((await carrel("ask", "x", "--document", "nope")).status).toBe(1);
  });

  test("a named file that is no document, and a path that leads nowhere, are failures", async () => {
    const broken = await carrel("ingest", "handbook/noise.bin");
    expect(broken).toMatchObject({ status: 1, out: "" });
    expect(broken.err).toContain("failed: ");
    const nowhere = await carrel("ingest", "nowhere", "handbook/pumps.md", "--json");
    expect(nowhere).toMatchObject({ status: 1, err: expect.stringContaining("There is no file or folder nowhere") });
    expect(JSON.parse(nowhere.out)).toMatchObject([
      { source: "nowhere", status: "failed", error: "There is no file or folder nowhere." },
      { source: "handbook/pumps.md", error: null },
    ]);
  });

  test("a file whose name has control characters is taken, and told of in one line", async () => {
    const name = "odd\u001b[2J\t\u0007.md\nprocessed  1  other.md";
    await Bun.write(join(folder, name), "The valve is yellow.\n");
    const { status, out } = await carrel("ingest", name);
    expect([status, out]).toEqual([0, expect.stringMatching(/^processed {2}\S+ {2}odd\S+\.md\\u000aprocessed.*\n$/)]);
    expect((await carrel("ask", "What color is the valve?")).out).toContain("yellow");
  });

  test("an address that may not be fetched is a failure with its reason", async () => {
    const { status, err } = await carrel("ingest", "http://127.0.0.1:9/x.pdf");
    expect(status).toBe(1);
    expect(err).toContain("fetch.allowPrivateAddresses");
  });

  test("the store is free again after each command", async () => {
    if (server !== null) return;
    const later = await startTestServer({}, {}, dataDir);
    const { status } = await later.call("/api/document?limit=100");
    await later.stop();
    expect(status).toBe(200);
  });
});

test("a lost table that nothing can make again ends the command with the folder, the fault and the ways out", async () => {
  const dataDir = await temporaryFolder("damaged");
  const env = { CARREL_DATA_DIR: dataDir };
  expect((await run(["key", "create", "--name", "n"], { env })).status).toBe(0);
  await rm(join(dataDir, "tables", "keys.lance"), { recursive: true });
  expect(await run(["key", "list"], { env })).toEqual({
    status: 1,
    out: "",
    err: `carrel: The data in ${dataDir} cannot be opened: tables/keys.lance (the API keys) is missing: restore it from the last backup, or create an empty folder quarantine/keys.lance to start without the API keys.\n`,
  });
  await rm(dataDir, { recursive: true });
});

test("data that cannot be opened is named, with the reason and without a stack", async () => {
  const dataDir = await temporaryFolder("damaged");
  const env = { CARREL_DATA_DIR: dataDir };
  expect((await run(["key", "list"], { env })).status).toBe(0);
  await Bun.write(join(dataDir, "secret"), "");
  expect(await run(["key", "list"], { env })).toEqual({
    status: 1,
    out: "",
    err: `carrel: the secret in the data directory is damaged: restore it from the last backup, or delete ${join(dataDir, "secret")}; then a new one is made, and visitors of public chats no longer see their earlier messages.\n`,
  });
  await rm(dataDir, { recursive: true });
});

test("a data directory whose path LanceDB cannot open is refused before anything is made", async () => {
  const folder = await temporaryFolder("odd");
  for (const name of ["what?", "back\\slash", "new\nline"]) {
    const { status, err } = await run(["key", "list"], { env: { CARREL_DATA_DIR: join(folder, name) } });
    expect([status, err]).toEqual([1, expect.stringContaining("set dataDir (CARREL_DATA_DIR) to another one")]);
  }
  expect(await readdir(folder)).toEqual([]);
  const odd = { CARREL_DATA_DIR: join(folder, "my data #1, 100% 'ünï' 🦓"), CARREL_LOG_LEVEL: "warn" };
  expect(await run(["key", "list", "--json"], { env: odd })).toEqual({ status: 0, out: "[]\n", err: "" });
  await rm(folder, { recursive: true });
});

test("ask with files answers from just those and leaves nothing behind", async () => {
  const folder = await temporaryFolder("ask-test");
  await Bun.write(join(folder, "a.md"), "# Pumps\n\nThe primary pump is serviced every 400 hours.\n");
  const temporary = async () =>
    (await readdir(tmpdir()))
      .filter((name) => name.startsWith("carrel-ask-") && !name.startsWith("carrel-ask-test"))
      .sort();
  const before = await temporary();
  const env = { CARREL_DATA_DIR: join(folder, "data"), HOME: folder };
  const { status, out } = await run(["ask", "How often is the primary pump serviced?", "a.md"], { cwd: folder, env });
  expect({ status, out }).toEqual({
    status: 0,
    out: "The primary pump is serviced every 400 hours. [1]\n\n[1] a.md, Pumps\n",
  });
  expect(await temporary()).toEqual(before);
  const nowhere = await run(["ask", "x?", "none.md"], { cwd: folder, env });
  expect(nowhere).toMatchObject({ status: 1, out: "" });
  expect(await temporary()).toEqual(before);
  expect(await readdir(folder)).not.toContain("data");
  await rm(folder, { recursive: true });
});
