import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Place } from "./case.ts";

export interface BadInputServer {
  url: string;
  place: Place;
  stop(): Promise<void>;
}

const adminKey = `crl_${"b".repeat(43)}`;

/** Starts a server with a little in it. @param binary from source where not given */
export const startBadInputServer = async (binary: string | undefined): Promise<BadInputServer> => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bad-input-"));
  const source = resolve(import.meta.dir, "../../src/main.ts");
  const child = Bun.spawn([...(binary === undefined ? [process.execPath, source] : [resolve(binary)]), "serve"], {
    cwd: folder,
    env: {
      ...process.env,
      // As on a machine without tesseract.
      PATH: "/nonexistent",
      CARREL_ADMIN_KEY: adminKey,
      CARREL_DATA_DIR: join(folder, "data"),
      CARREL_SERVER_PORT: "0",
      CARREL_LOG_LEVEL: "silent",
      CARREL_MODELS_EMBEDDING_MODEL: "static",
      CARREL_PUBLIC_CHATS_ALLOWED_ORIGINS: "https://home.example",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child.exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await addressOf(child.stdout);
    return { url, place: await fill(url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const addressOf = async (output: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  for await (const part of output) {
    text += new TextDecoder().decode(part);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`the server ended: ${text}`);
};

const fill = async (url: string): Promise<Place> => {
  const post = async (path: string, body: unknown, method = "POST"): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const document = await post("/api/ingest", {
    name: "Pumps",
    text: "The primary pump is serviced every 400 hours.",
    partition: "Manuals",
  });
  const { id: otherPartitionId = "" } = await post("/api/partition", { name: "Another" });
  const { id: chatId = "" } = await post("/api/chat", { title: "Private" });
  const { id: publicChatId = "" } = await post("/api/chat", { title: "Public", public: true });
  const limitedTo = await post("/api/partition", { name: "Limited" });
  const issue = (name: string, more: object) => post("/api/key", { name, ...more });
  const expiresAt = new Date(Date.now() + 1_000).toISOString();
  const expired = await issue("expired", { expiresAt });
  const revoked = await issue("revoked", {});
  await post(`/api/key/${revoked.id}`, {}, "DELETE");
  const keys = {
    admin: adminKey,
    reader: (await issue("reader", { role: "reader" })).key ?? "",
    writer: (await issue("writer", { role: "writer" })).key ?? "",
    limited: (await issue("limited", { role: "admin", partitionId: limitedTo.id })).key ?? "",
    expired: expired.key ?? "",
    revoked: revoked.key ?? "",
  };
  await Bun.sleep(Math.max(0, Date.parse(expiresAt) - Date.now()) + 50);
  return {
    documentId: document.id ?? "",
    partitionId: document.partitionId ?? "",
    otherPartitionId,
    chatId,
    publicChatId,
    keys,
  };
};
