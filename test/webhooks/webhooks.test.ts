import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import pino from "pino";
import { Webhook } from "standardwebhooks";
import type { Config } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { formOf } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";
import { secret, secretText, serveReceiver } from "./receiver.ts";

const folder = await temporaryFolder("webhooks");

const hook = (url: string, events: Config["webhooks"][number]["events"] = []) => ({
  webhooks: [{ url, secret, events }],
});

const document = {
  name: "Pumps",
  text: "The primary pump is serviced every 400 hours.",
  metadata: { source: "manual" },
};

describe("what becomes of documents is told", () => {
  test("processed, failed and deleted, signed, with the document and without its text", async () => {
    const receiver = serveReceiver();
    const server = await startTestServer(hook(receiver.url));
    const { id } = (await (await server.post("/api/ingest", document)).json()) as { id: string };
    const form = formOf({ async: "true", file: new File(["\u0000\u0001\u0002not a document\u0000"], "blob.bin") });
    const failing = await server.call("/api/ingest", { method: "POST", body: form });
    expect(failing.status).toBe(202);
    await receiver.waitFor(2);
    await server.call(`/api/document/${id}`, { method: "DELETE" });
    const [processed, failed, deleted] = await receiver.waitFor(3);
    expect([processed?.type, failed?.type, deleted?.type]).toEqual([
      "document.processed",
      "document.failed",
      "document.deleted",
    ]);
    expect(processed?.data).toMatchObject({
      id,
      name: "Pumps",
      status: "processed",
      originalText: null,
      metadata: { source: "manual" },
      parsedUrl: `${server.url}/api/document/${id}/text`,
    });
    expect(JSON.stringify(processed)).not.toContain("400 hours");
    expect(Math.abs(Date.parse(processed?.timestamp ?? "") - Date.now())).toBeLessThan(60_000);
    expect(failed?.data).toMatchObject({ status: "failed", error: expect.stringMatching(/./) });
    expect(deleted?.data.id).toBe(id);
    expect(new Set(receiver.attempts).size).toBe(3);
    expect(receiver.unverified).toBe(0);
  });

  test("a synchronous ingest that fails tells nothing, and only the events asked for are told", async () => {
    const receiver = serveReceiver();
    const server = await startTestServer(hook(receiver.url, ["document.deleted"]));
    const form = formOf({ file: new File(["\u0000\u0001\u0002\u0000"], "blob.bin") });
    expect((await server.call("/api/ingest", { method: "POST", body: form })).status).toBe(415);
    const { id } = (await (await server.post("/api/ingest", document)).json()) as { id: string };
    await server.call(`/api/document/${id}`, { method: "DELETE" });
    expect((await receiver.waitFor(1)).map(({ type }) => type)).toEqual(["document.deleted"]);
    const list = await server.call("/api/webhook/delivery");
    expect(list.headers.get("x-total-count")).toBe("1");
  });

  test("a deleted partition tells of each of its documents", async () => {
    const receiver = serveReceiver();
    const server = await startTestServer(hook(receiver.url, ["document.deleted"]));
    const put = (text: string) => server.post("/api/ingest", { name: "n", text, partition: "p" });
    const { partitionId } = (await (await put("One text.")).json()) as { partitionId: string };
    await put("Another text.");
    await server.call(`/api/partition/${partitionId}?documents=delete`, { method: "DELETE" });
    expect(await receiver.waitFor(2)).toHaveLength(2);
  });
});

describe("nothing is lost", () => {
  test("a receiver that is down: sent after a restart", async () => {
    const first = serveReceiver();
    const port = Number(new URL(first.url).port);
    await first.stop();
    const dataDir = join(folder, "restart");
    const server = await startTestServer(hook(first.url), {}, dataDir);
    const { id } = (await (await server.post("/api/ingest", document)).json()) as { id: string };
    await until(async () => {
      const [delivery] = (await (await server.call("/api/webhook/delivery")).json()) as { attempts: number }[];
      return (delivery?.attempts ?? 0) > 0;
    });
    await server.stop();
    const receiver = serveReceiver(port);
    const again = await startTestServer(hook(first.url), {}, dataDir);
    const [received] = await receiver.waitFor(1);
    expect(received).toMatchObject({ type: "document.processed", data: { id } });
    await until(async () => {
      const delivered = await again.call("/api/webhook/delivery?status=delivered");
      return delivered.headers.get("x-total-count") === "1";
    });
  });

  test("a receiver that answers 500 is tried again within seconds, under the same id", async () => {
    const receiver = serveReceiver();
    receiver.answers.push(new Response("no", { status: 500 }));
    const server = await startTestServer(hook(receiver.url));
    await server.post("/api/ingest", document);
    await receiver.waitFor(1);
    expect(receiver.attempts).toHaveLength(2);
    expect(new Set(receiver.attempts).size).toBe(1);
  });

  test("a redirect is a failure and not followed", async () => {
    const elsewhere = serveReceiver();
    const receiver = serveReceiver();
    receiver.answers.push(Response.redirect(elsewhere.url, 307));
    const server = await startTestServer(hook(receiver.url));
    await server.post("/api/ingest", document);
    await receiver.waitFor(1);
    expect(receiver.attempts).toHaveLength(2);
    expect(elsewhere.attempts).toEqual([]);
  });

  test("a delivery can be replayed, by an admin of its own organization", async () => {
    const receiver = serveReceiver();
    const server = await startTestServer(hook(receiver.url));
    await server.post("/api/ingest", document);
    const [sent] = await receiver.waitFor(1);
    const replayed = await server.call(`/api/webhook/delivery/${sent?.id}/replay`, { method: "POST" });
    expect(replayed.status).toBe(200);
    expect(await replayed.json()).toMatchObject({ id: sent?.id, status: "pending", attempts: 0 });
    const [, again] = await receiver.waitFor(2);
    expect(again).toEqual(sent as NonNullable<typeof sent>);
    const unknown = await server.call(`/api/webhook/delivery/${Bun.randomUUIDv7()}/replay`, { method: "POST" });
    expect([unknown.status, ((await unknown.json()) as { code: string }).code]).toEqual([404, "delivery_not_found"]);
    const { key } = (await (await server.post("/api/key", { name: "w", role: "writer" })).json()) as { key: string };
    const asWriter = await server.call("/api/webhook/delivery", { headers: { authorization: `Bearer ${key}` } });
    expect(asWriter.status).toBe(403);
  });
});

test("neither secret nor address stands in answers, log or tables", async () => {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const receiver = serveReceiver();
  receiver.answers.push(new Response("no", { status: 500 }));
  const dataDir = join(folder, "secrets");
  const server = await startTestServer(hook(receiver.url), { log }, dataDir);
  await server.post("/api/ingest", document);
  await receiver.waitFor(1);
  const answer = await (await server.call("/api/webhook/delivery")).text();
  expect(answer).toContain(new URL(receiver.url).origin);
  await server.stop();
  await receiver.stop();
  expect(lines.join("")).toContain("a webhook was not delivered");
  for (const text of [answer, lines.join("")]) {
    expect(text).not.toContain("token=hidden");
    expect(text).not.toContain(secretText.slice(6));
  }
  const filesWith = (pattern: string) => Bun.spawnSync(["grep", "-rlE", pattern, dataDir]).stdout.toString();
  // What the deliveries do hold is found by the same search.
  expect(filesWith(new URL(receiver.url).origin)).toContain("deliveries");
  expect(filesWith(`token=hidden|${secretText.slice(6)}`)).toBe("");
});

test("a secret that is no base64 signs as it stands", async () => {
  const signer = new Webhook("correct-horse:battery!", { format: "raw" });
  const receiver = serveReceiver(0, signer);
  const server = await startTestServer({
    webhooks: [{ url: receiver.url, secret: new Secret("correct-horse:battery!"), events: [] }],
  });
  await server.post("/api/ingest", document);
  expect(await receiver.waitFor(1)).toHaveLength(1);
});
