import type { Held } from "../async/in-flight.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { Entry } from "./entry.ts";
import { type ExportSource, exportDocument } from "./export-document.ts";

/** Documents read at a time. */
const pageSize = 128;
/** Texts are read together up to this many tokens: about one mebibyte. */
const maxGroupTokens = 250_000;
/** A file that several documents name is sent once, as far as these are remembered. */
const maxRemembered = 100_000;

/** Documents in their order, in groups whose texts fit into memory together. */
function* groupsOf(documents: readonly DocumentRecord[]): Generator<DocumentRecord[]> {
  let group: DocumentRecord[] = [];
  let tokens = 0;
  for (const document of documents) {
    const own = document.tokens ?? maxGroupTokens;
    if (group.length > 0 && tokens + own > maxGroupTokens) {
      yield group;
      group = [];
      tokens = 0;
    }
    group.push(document);
    tokens += own;
  }
  if (group.length > 0) yield group;
}

/**
 * The documents that were there at `until` (epoch ms), each followed by its long texts and its file, as they are when
 * their turn comes: one that is removed meanwhile is left out.
 * @param held counts the texts in memory
 * @returns how many
 */
export async function* exportDocuments(
  source: ExportSource,
  tenant: Tenant,
  until: number,
  held: Pick<Held, "note" | "drop">,
): AsyncGenerator<Entry, number> {
  const written = new Set<string>();
  let documents = 0;
  let after = "";
  for (;;) {
    const page = await source.documents.listAfter(tenant, after, pageSize);
    for (const group of groupsOf(page.filter(({ createdAt }) => createdAt <= until))) {
      const texts = await source.documents.getTexts(group);
      const bytes = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
      held.note(bytes);
      for (const document of group) {
        const text = texts.get(document.id) ?? null;
        for await (const entry of exportDocument(source, tenant, document, text, (hash) => written.has(hash))) {
          if (entry.kind === "document") {
            documents += 1;
            if (entry.record.file !== null && written.size < maxRemembered) written.add(entry.record.file);
          }
          yield entry;
        }
      }
      held.drop(bytes);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return documents;
    after = last.id;
  }
}
