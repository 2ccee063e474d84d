import type { DocumentRecord } from "../domain/records.ts";
import type { Doubts } from "./doubts.ts";
import type { Prepared } from "./prepare-group.ts";
import type { VectorFeed } from "./vector-feed.ts";
import { createFoundWriter, type WriteFoundOptions } from "./write-found.ts";

/** Texts of a large document that are embedded and written together: a stop costs no more than these. */
const partTexts = 512;

export interface FillGroupOptions extends WriteFoundOptions {
  feed: VectorFeed;
  doubts: Doubts;
}

/**
 * Makes the vectors of a group and writes them. Texts of documents that are replaced or removed meanwhile are not given to
 * the model any more; a document with a text that was in a failed call is doubted, without what was made of it being lost.
 * @throws ProviderError if the model takes nothing; the signal's reason
 */
export const fillGroup = async (prepared: Prepared, options: FillGroupOptions, signal: AbortSignal): Promise<void> => {
  const { work, found, missing } = prepared;
  const { store, feed, made, doubts } = options;
  const writeFound = createFoundWriter(prepared, options);
  const texts = [...missing];
  const hashAt = (index: number): string => texts[index]?.[0] ?? "";
  const owners = ownersOf(prepared);
  const failed = new Set<string>();
  const isWanted = (hash: string): boolean =>
    owners.get(hash)?.some(({ revision }) => revision !== null && store.vectors.isLacking(revision)) === true;
  try {
    let start = 0;
    do {
      const first = start;
      await feed.embed({
        texts: texts.slice(first, first + partTexts).map(([, text]) => text),
        isWanted: (index) => isWanted(hashAt(first + index)),
        take(index, vector) {
          made.set(hashAt(first + index), vector);
          found.set(hashAt(first + index), vector);
        },
        fail: (index) => failed.add(hashAt(first + index)),
      });
      signal.throwIfAborted();
      await writeFound();
      start += partTexts;
    } while (start < texts.length);
  } finally {
    for (const { document, snippets } of work) if (snippets.some(({ hash }) => failed.has(hash))) doubts.add(document);
  }
};

/** The documents that have a text, by hash of the text, of those that the model is to get. */
const ownersOf = ({ work, missing }: Prepared): Map<string, DocumentRecord[]> => {
  const owners = new Map<string, DocumentRecord[]>();
  for (const { document, snippets } of work)
    for (const { hash } of snippets) {
      if (!missing.has(hash)) continue;
      const known = owners.get(hash);
      if (known === undefined) owners.set(hash, [document]);
      else if (known.at(-1) !== document) known.push(document);
    }
  return owners;
};
