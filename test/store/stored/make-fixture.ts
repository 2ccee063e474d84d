/**
 * Makes the fixture of one schema version: a small store that the program of that time filled, packed with what it holds.
 *
 *     bun test/store/stored/make-fixture.ts v5                    # the program of this working tree
 *     bun test/store/stored/make-fixture.ts v4 FOLDER             # that of a checkout of an older commit, with node_modules
 *
 * Commits: v2 168a398, v3 56f7fcd, v4 9b6d796. No program ever wrote schema 1.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Client, createClient, type Json } from "../../faults/client.ts";
import type { Expected } from "./expected.ts";

const [name = "", source = join(import.meta.dir, "../../..")] = process.argv.slice(2);
if (!/^v\d+$/.test(name)) throw new Error("usage: bun test/store/stored/make-fixture.ts vN [FOLDER]");

const adminKey = `crl_${"Fixture0".repeat(5)}Abc`;
const dataDir = await mkdtemp(join(tmpdir(), "carrel-fixture-"));

const startServer = async () => {
  const server = Bun.spawn([process.execPath, join(resolve(source), "src/main.ts"), "serve"], {
    cwd: dataDir,
    env: {
      ...process.env,
      CARREL_DATA_DIR: dataDir,
      CARREL_SERVER_PORT: "0",
      CARREL_ADMIN_KEY: adminKey,
      CARREL_MODELS_EMBEDDING_MODEL: "static",
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of server.stdout) {
    said += decoder.decode(chunk, { stream: true });
    const url = /listens on (\S+)/.exec(said)?.[1];
    if (url !== undefined) return { server, url };
  }
  throw new Error(`the server did not start: ${said}`);
};

const texts: Record<string, string> = {
  "Opening hours": "In winter the reading room opens at nine. In summer it opens at eight.",
  "Lost property": "Umbrellas that were left in the cloakroom are kept for thirty days.",
  Terns: "The tern nests on the island in the third pond.",
  Herons: "The heron nests at pond one, in the old willow.",
};

const fill = async (url: string, admin: Client): Promise<Expected> => {
  const documents: Expected["documents"] = [];
  const note = (document: Json, text: string | null, organization = "default") =>
    documents.push({ id: document.id, name: document.name, text, organization, status: document.status });
  const ingest = async (client: Client, body: object): Promise<Json> => client.expect("POST", "/api/ingest", body);

  for (const [title, text] of Object.entries(texts)) {
    const partition = title === "Herons" ? "Mine" : "Birds and hours";
    note(await ingest(admin, { name: title, text, partition, metadata: { source: "fixture", number: 7 } }), text);
  }
  const upload = new FormData();
  upload.set("file", new File(["Name,Room\nAda,12\nGrace,14\n"], "rooms.csv", { type: "text/csv" }));
  const rooms = await admin.expect("POST", "/api/ingest", upload as unknown as object);
  note(rooms, rooms.text);
  const broken = new FormData();
  broken.set("file", new File(["%PDF-1.7\nnothing that a reader understands"], "broken.pdf"));
  broken.set("async", "true");
  const failing = (await admin.call("POST", "/api/ingest", broken as unknown as object)).body;
  let failed = failing;
  for (let tries = 0; tries < 100 && failed.status !== "failed"; tries += 1) {
    await Bun.sleep(200);
    failed = await admin.expect("GET", `/api/document/${failing.id}`);
  }
  note(failed, null);
  const keyed = await admin.call(
    "POST",
    "/api/ingest",
    { name: "Keyed", text: "Sent with an idempotency key." },
    { "idempotency-key": "fixture" },
  );
  note(keyed.body, "Sent with an idempotency key.");
  const removed = await ingest(admin, { name: "Removed", text: "The word quokka stands in a removed document." });
  await admin.expect("DELETE", `/api/document/${removed.id}`);

  const partitionId = (await admin.expect("GET", "/api/partition/search?searchValue=Mine"))[0].id as string;
  const limited = (
    await admin.expect("POST", "/api/key", { name: "limited", role: "writer", userId: "tenant", partitionId })
  ).key as string;
  const limitedClient = createClient(url, limited);
  const talk = await admin.expect("POST", "/api/chat", { name: "Talk", title: "Hours" });
  const answer = await admin.expect("POST", `/api/chat/${talk.id}/message`, {
    message: "When does the reading room open?",
  });
  const widened = await limitedClient.expect("POST", "/api/chat", { name: "Widened", public: true, partitionId: null });
  await admin.call("POST", `/api/chat/${widened.id}/message`, { message: "Where does the tern nest?" });

  const made = await fetch("http://localhost/api/key", {
    unix: join(dataDir, "carrel.sock"),
    method: "POST",
    headers: {
      "x-carrel-organization": "Second",
      "x-carrel-make-organization": "true",
      "content-type": "application/json",
    },
    body: JSON.stringify({ name: "second", role: "admin" }),
  });
  const secondKey = ((await made.json()) as { key: string }).key;
  const secret = "The second organization keeps its own counsel.";
  note(await ingest(createClient(url, secondKey), { name: "Counsel", text: secret }), secret, "Second");

  return {
    schema: Number(name.slice(1)),
    keys: { admin: adminKey, limited, second: secondKey },
    documents,
    removedWord: "quokka",
    removedId: removed.id,
    partitionId,
    chats: { talk: talk.id, widened: widened.id },
    messages: ["When does the reading room open?", answer.message],
    idempotency: { key: "fixture", id: keyed.body.id },
  };
};

const skipped = ["runtime", "lock", "reserve", "carrel.sock", "quarantine", "snapshots"];

const pack = async (expected: Expected): Promise<void> => {
  const files: Record<string, Uint8Array | string> = { "expected.json": JSON.stringify(expected, null, 2) };
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(dataDir.length + 1);
    if (entry.isFile() && !skipped.includes(path.split("/")[0] ?? ""))
      files[`data/${path}`] = await Bun.file(join(dataDir, path)).bytes();
  }
  const packed = Bun.zstdCompressSync(await new Bun.Archive(files).bytes(), { level: 19 });
  const target = join(import.meta.dir, "../../fixtures/stores", `${name}.tar.zst`);
  await Bun.write(target, packed);
  console.log(`${target}: ${Object.keys(files).length} files, ${Math.round(packed.byteLength / 1024)} KiB`);
};

const { server, url } = await startServer();
try {
  const expected = await fill(url, createClient(url, adminKey));
  await Bun.sleep(1_000);
  server.kill("SIGTERM");
  await server.exited;
  await pack(expected);
} finally {
  server.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
}
