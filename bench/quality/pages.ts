import { resolve } from "node:path";
import { readBeirSet } from "../../src/evaluation/beir.ts";
import type { FoundPiece, SourceDocument } from "../../src/evaluation/collection.ts";
import { comparePaired, createRandom, type Estimate, estimate } from "../../src/evaluation/estimates.ts";
import type { PageStart } from "../../src/text/chunk/chunk.ts";
import { endOfSentence } from "../../src/text/sentences.ts";
import { createInProcessCollections, embeddingOf } from "./in-process.ts";

const usage = `Measures whether a fact is found on its page, and cited on it.

  bun bench/quality/pages.ts FOLDER…

Each FOLDER is a set in BEIR's layout with answers.jsonl. Its passages are joined to one document for each title, once with
pages of one to three sentences (slides), once with pages of some 2,000 characters that break anywhere between two words
(printed pages). Each is searched with chunks that are cut where a page ends, and with chunks that are not, whose page is
that of their beginning.`;

const folders = process.argv.slice(2);
if (folders.length === 0 || folders.some((folder) => folder.startsWith("-"))) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const snippetsAsked = 50;
/** Cut at pages, snippets are shorter: the same amount of text is compared, some three snippets of the usual length. */
const charactersCompared = 3_000;

interface PagedDocument extends SourceDocument {
  pages: PageStart[];
}

/** A question with the place of the sentence that answers it. */
interface PageQuestion {
  text: string;
  document: string;
  start: number;
  end: number;
}

interface PageSet {
  documents: PagedDocument[];
  questions: PageQuestion[];
}

/** Cuts a passage into pages: the offsets where one ends. */
type BreakPages = (text: string) => number[];

const breaks: Record<"slides" | "printed", BreakPages> = {
  slides(text) {
    const random = createRandom(text.length);
    const ends: number[] = [];
    for (let at = 0; at < text.length; ) {
      const sentences = 1 + Math.floor(random() * 3);
      for (let read = 0; read < sentences && at < text.length; read++) at = endOfSentence(text, at, text.length);
      ends.push(at);
    }
    return ends;
  },
  printed(text) {
    const ends: number[] = [];
    for (let at = 0; at < text.length; ) {
      const limit = Math.min(text.length, at + 2_000);
      const space = text.lastIndexOf(" ", limit);
      at = limit === text.length || space <= at ? limit : space;
      ends.push(at);
    }
    return ends;
  },
};

/** The passages of each title as one document with pages, as a parser would write it: a blank line between pages. */
const pagedSet = async (folder: string, breakPages: BreakPages): Promise<PageSet> => {
  const { documents, queries, judgments } = await readBeirSet(folder);
  const byTitle = new Map<string, typeof documents>();
  for (const document of documents) byTitle.set(document.title, [...(byTitle.get(document.title) ?? []), document]);
  const set: PageSet = { documents: [], questions: [] };
  for (const [title, passages] of byTitle) {
    const whole = passages.map(({ text }) => text.trim()).join(" ");
    const pages: PageStart[] = [];
    /** Where each page of `whole` begins in it and in the text with blank lines. */
    const shifts: { from: number; by: number }[] = [];
    let text = "";
    let from = 0;
    for (const end of breakPages(whole)) {
      const page = whole.slice(from, end);
      const skipped = page.length - page.trimStart().length;
      if (page.trim() !== "") {
        if (text !== "") text += "\n\n";
        pages.push({ page: pages.length + 1, start: text.length });
        shifts.push({ from: from + skipped, by: text.length - from - skipped });
        text += page.trim();
      }
      from = end;
    }
    const placeOf = (at: number): number => at + (shifts.findLast((shift) => shift.from <= at)?.by ?? 0);
    set.documents.push({ id: title, title, text, pages });
    let offset = 0;
    for (const passage of passages) {
      const trimmed = passage.text.trim();
      for (const query of queries.filter(({ id }) => judgments.get(id)?.has(passage.id))) {
        const [answer] = query.answers;
        const at = answer === undefined ? -1 : trimmed.indexOf(answer);
        if (answer === undefined || at < 0 || trimmed.indexOf(answer, at + 1) >= 0) continue;
        const [start, end] = [placeOf(offset + at), placeOf(offset + at + answer.length - 1) + 1];
        set.questions.push({ text: query.text, document: title, start, end });
      }
      offset += trimmed.length + 1;
    }
  }
  return set;
};

const pageAt = (pages: readonly PageStart[], at: number): number | null =>
  pages.findLast(({ start }) => start <= at)?.page ?? null;

/** Of each question, 1 or 0. */
interface Scores {
  /** The first snippet holds the answer; and it names its page as well. */
  first: number[];
  firstOnPage: number[];
  /** One of the first snippets, up to `charactersCompared`, holds it. */
  inText: number[];
  /** Of those found: the snippet that holds it names its page. */
  page: number[];
}

const model = await embeddingOf({ model: "static", config: undefined });

const measure = async ({ documents, questions }: PageSet, isCut: boolean): Promise<Scores> => {
  const collections = createInProcessCollections(model);
  const scores: Scores = { first: [], firstOnPage: [], inText: [], page: [] };
  try {
    const ingested = isCut ? documents : documents.map(({ pages: _, ...document }) => document);
    const collection = await collections.ingest("pages", ingested);
    const pagesOf = new Map(documents.map(({ id, pages }) => [id, pages]));
    for (const { text, document, start, end } of questions) {
      const { pieces } = await collection.search(text, snippetsAsked, "fused");
      const holds = (piece: FoundPiece) => piece.document === document && piece.start <= start && piece.end >= end;
      const rank = pieces.findIndex(holds);
      const held = pieces[rank];
      const pages = pagesOf.get(document) ?? [];
      const cited = held === undefined ? null : isCut ? held.page : pageAt(pages, held.start);
      const isOnPage = cited === pageAt(pages, start);
      const read = pieces.slice(0, rank).reduce((sum, piece) => sum + piece.end - piece.start, 0);
      scores.first.push(rank === 0 ? 1 : 0);
      scores.firstOnPage.push(rank === 0 && isOnPage ? 1 : 0);
      scores.inText.push(held !== undefined && read + end - held.start <= charactersCompared ? 1 : 0);
      if (held !== undefined) scores.page.push(isOnPage ? 1 : 0);
    }
  } finally {
    await collections.close();
  }
  return scores;
};

const figure = ({ mean, low, high }: Estimate, sign = ""): string =>
  `${sign}${(100 * mean).toFixed(1)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;

const names = ["first", "firstOnPage", "inText"] as const;
const columns = names.map((name) => `${name}: joined | cut | difference`).join(" | ");
const lines = [`| set | pages | questions | ${columns} | page: joined | cut |`, `|${"---|".repeat(14)}`];
for (const folder of folders) {
  for (const [kind, breakPages] of Object.entries(breaks)) {
    const set = await pagedSet(resolve(folder), breakPages);
    const joined = await measure(set, false);
    const cut = await measure(set, true);
    const cells = [
      folder.split("/").at(-1),
      `${kind}, ${set.documents.reduce((sum, { pages }) => sum + pages.length, 0)}`,
      set.questions.length,
      ...names.flatMap((name) => [
        (100 * estimate(joined[name]).mean).toFixed(1),
        (100 * estimate(cut[name]).mean).toFixed(1),
        figure(comparePaired(joined[name], cut[name])),
      ]),
      figure(estimate(joined.page)),
      figure(estimate(cut.page)),
    ];
    lines.push(`| ${cells.join(" | ")} |`);
    process.stderr.write(`${lines.at(-1)}\n`);
  }
}
process.stdout.write(`${lines.join("\n")}\n`);
process.exit(0);
