import { pendingTextId } from "../documents/document-rows.ts";
import type { DocumentTables } from "../documents/document-tables.ts";
import { isStagedTextId, stagedTextId } from "../documents/pending-texts.ts";
import { equals } from "../engine/filters.ts";
import { unlessFull } from "./unless-full.ts";

/**
 * Documents were to get other pending texts when the process ended: a text is brought to its place where the record that
 * it came with was stored.
 * @param textIds ids of all texts; those that are placed are added, and staged ones taken out that must stay
 * @returns false if the disk is too full for one
 */
export const settleStagedTexts = async (
  { documents, texts, pendingTexts }: Pick<DocumentTables, "documents" | "texts" | "pendingTexts">,
  textIds: Set<string>,
): Promise<boolean> => {
  let isDone = true;
  for (const id of [...textIds].filter(isStagedTextId)) {
    const [staged] = await texts.find({ where: equals("id", id), limit: 1 });
    if (staged === undefined) continue;
    const [document] = await documents.find({ where: equals("id", staged.documentId), limit: 1 });
    if (document === undefined || stagedTextId(document) !== id) continue;
    pendingTexts.adopt(document, id);
    textIds.delete(id);
    if (await unlessFull(() => pendingTexts.settle(document))) textIds.add(pendingTextId(document));
    else isDone = false;
  }
  return isDone;
};
