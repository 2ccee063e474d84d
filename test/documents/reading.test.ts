import { expect, test } from "bun:test";
import type { FileParser, PageReached } from "../../providers/contract.ts";
import { formOf } from "../call-server.ts";
import { serveDocuments, waitForDocument } from "./serve-documents.ts";

/** Reads pages when the test says so. */
const createSteppedParser = () => {
  let tell: ((reached: PageReached) => void) | undefined;
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const parser: FileParser = {
    async parse(_file, _signal, onPage) {
      tell = onPage;
      begun.resolve();
      await finished.promise;
      const pages = [1, 2].map((page) => ({ page, start: (page - 1) * 12 }));
      return { title: null, text: "First page.\n\nSecond page.", pages, mimeType: "application/pdf", warnings: [] };
    },
  };
  return {
    parser,
    begun: begun.promise,
    reach: (page: number) => tell?.({ page, pages: 120 }),
    finish: finished.resolve,
  };
};

const stepped = createSteppedParser();

const server = await serveDocuments({ parser: stepped.parser });

const readEvents = async (id: string, onFirst: () => void): Promise<object[]> => {
  const headers = { authorization: `Bearer ${await server.key({ role: "reader" })}` };
  const answer = await fetch(`${server.url}/api/document/${id}/events`, { headers });
  let text = "";
  for await (const piece of answer.body as ReadableStream<Uint8Array>) {
    if (text === "") onFirst();
    text += new TextDecoder().decode(piece);
  }
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
};

test("while a file is read, its document tells the page; it is not stored and gone afterwards", async () => {
  const form = formOf({ async: "true", file: new File(["%PDF-1.7"], "long.pdf") });
  const { body: accepted } = await server.call("POST", "/api/ingest", { body: form });
  const { id } = accepted;
  expect(accepted.reading).toBeNull();
  await stepped.begun;
  const shown = async () => (await server.call("GET", `/api/document/${id}`)).body;
  expect(await shown()).toMatchObject({ status: "processing", reading: null });

  stepped.reach(41);
  const reading = { page: 41, pages: 120 };
  const progress = { pages: 40, chunks: 0, embedded: 0 };
  expect(await shown()).toMatchObject({ status: "processing", reading, progress });
  const [listed] = (await server.call("GET", "/api/document")).body;
  expect(listed).toMatchObject({ id, reading, progress });

  // The first event tells the same, later ones as long as pages are read, and only then.
  const events = await readEvents(id, () => {
    stepped.reach(120);
    stepped.finish();
  });
  expect(events[0]).toEqual({ status: "processing", error: null, progress, reading });
  expect(events[1]).toMatchObject({ progress: { pages: 119 }, reading: { page: 120, pages: 120 } });
  expect(events.slice(2).filter((event) => "reading" in event)).toEqual([]);

  expect(await waitForDocument(server, id)).toMatchObject({
    status: "processed",
    reading: null,
    progress: { pages: 2, chunks: 2, embedded: 2 },
  });
});
