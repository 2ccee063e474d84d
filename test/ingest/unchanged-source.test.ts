import { expect, test } from "bun:test";
import { serveDocuments, waitForDocument } from "../documents/serve-documents.ts";
import { serveSite } from "../serve-site.ts";

const server = await serveDocuments();
const site = serveSite();

const revisionOf = async (id: string): Promise<string | null> =>
  (await server.store.documents.get({ organizationId: server.organizationId, partitionId: null }, id))?.revision ??
  null;

test.each([
  ["websiteUrl", "/page", "Opening hours of the museum"],
  ["url", "/notes.md", "notes.md"],
])("a job whose %s holds the text that is there already publishes nothing", async (field, path, name) => {
  const ingest = async () => {
    const json = { [field]: site.url + path, upsert: true, async: true, metadata: { externalId: path } };
    const { status, body } = await server.call("POST", "/api/ingest", { json });
    expect(status).toBe(202);
    return await waitForDocument(server, body.id);
  };
  const first = await ingest();
  expect(first).toMatchObject({ status: "processed", name });
  const revision = await revisionOf(first.id);
  const second = await ingest();
  expect(second).toMatchObject({ id: first.id, status: "processed", name, progress: first.progress, error: null });
  expect(await revisionOf(first.id)).toBe(revision);
  const file = await server.call("GET", `/api/document/${first.id}/file`);
  expect(file.status).toBe(field === "url" ? 200 : 404);

  const page = site.pages[path];
  if (page === undefined) throw new Error("there is no such page");
  site.pages[path] = { ...page, body: page.body.replace(/nine|archive/, "another") };
  const third = await ingest();
  expect(third.originalText).toContain("another");
  expect(await revisionOf(first.id)).not.toBe(revision);
});

test("what a page states of itself is still known after it was fetched again without a change", async () => {
  const body =
    '<html lang="en"><head><meta name="author" content="Ann Lee"></head><body><h1>Boiler</h1><p>It is checked in May.</p></body></html>';
  site.pages["/authored"] = { type: "text/html", body };
  for (const state of ["new", "known"]) {
    const json = {
      websiteUrl: `${site.url}/authored`,
      upsert: true,
      async: true,
      metadata: { externalId: "b", state },
    };
    const { body: accepted } = await server.call("POST", "/api/ingest", { json });
    const { metadata } = await waitForDocument(server, accepted.id);
    expect(metadata).toEqual({ externalId: "b", state, author: "Ann Lee", language: "en" });
  }
});
