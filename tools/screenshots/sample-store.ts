import type { SampleServer } from "./sample-server.ts";

const fixtures = new URL("../../test/fixtures/documents/", import.meta.url);

/** File, name that it is shown by, partition. */
const files = [
  ["layout-parser-paper-fast.pdf", "layout-parser-paper.pdf", "Research"],
  ["multi-column-2p.pdf", "two-columns.pdf", "Research"],
  ["handbook-1p.docx", "employee-handbook.docx", "Handbook"],
  ["fake-power-point-table.pptx", "quarterly-review.pptx", "Finance"],
  ["2023-half-year-analyses-by-segment.xlsx", "half-year-by-segment.xlsx", "Finance"],
  ["norwich-city.txt", "norwich-city.txt", "Research"],
  ["fake-email.eml", "welcome.eml", "Handbook"],
  ["winter-sports.epub", "winter-sports.epub", "Research"],
  ["password.pdf", "payroll-2025.pdf", "Finance"],
  ["copy-protected.pdf", "supplier-contract.pdf", "Finance"],
  ["korean-text-with-tables.pdf", "korean-tables.pdf", "Research"],
  ["stanley-cups.csv", "stanley-cups.csv", null],
  ["simple.json", "inventory.json", null],
] as const;

export interface Samples {
  /** A document with pages. */
  documentId: string;
  /** A public chat with a conversation. */
  chatId: string;
}

/** Puts the documents of the tests, two chats and some keys into a new server. */
export const addSamples = async (server: SampleServer): Promise<Samples> => {
  const ids: string[] = [];
  for (const [file, name, partition] of files) {
    const form = new FormData();
    form.append("file", Bun.file(new URL(file, fixtures)), name);
    form.append("name", name);
    if (partition !== null) form.append("partition", partition);
    if (partition === "Research") form.append("metadata", JSON.stringify({ source: "library", year: 2021 }));
    // What cannot be read then stands in the list with its error, as where files are dropped.
    form.append("async", "true");
    ids.push((await server.ask("POST", "/api/ingest", form)).body.id);
  }
  await untilRead(server, ids);
  for (const [name, role] of [
    ["Website search", "reader"],
    ["Nightly importer", "writer"],
  ])
    await server.ask("POST", "/api/key", { name, role, expiresAt: "2036-01-31T00:00:00Z" });
  const settings = {
    name: "Research desk",
    title: "Ask the research desk",
    public: true,
    brandSettings: { color: "#2c6e49", placeholder: "Ask about our papers" },
  };
  const chat = await server.ask("POST", "/api/chat", settings);
  await server.ask("POST", `/api/chat/${chat.body.id}/message`, { message: "What is LayoutParser?" });
  await server.ask("POST", "/api/chat", { name: "Handbook questions" });
  return { documentId: ids[0] ?? "", chatId: chat.body.id };
};

const maxReadMs = 120_000;
const pauseMs = 200;

/** @throws Error where the documents take longer than two minutes */
const untilRead = async (server: SampleServer, ids: readonly string[]): Promise<void> => {
  const end = Date.now() + maxReadMs;
  for (const id of ids) {
    for (;;) {
      const { body } = await server.ask("GET", `/api/document/${id}`);
      if (!("status" in body) || body.status === "processed" || body.status === "failed") break;
      if (Date.now() > end) throw new Error("the sample documents are not read after two minutes");
      await Bun.sleep(pauseMs);
    }
  }
};
