import type { Held } from "../async/in-flight.ts";
import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/** Counts the texts that a request holds for its answer. */
export type TextCount = Pick<Held, "add">;

/** Text of several documents in one answer. */
const maxAnswerTextBytes = 32 * 1024 * 1024;

/**
 * The texts of several documents for one answer, by document id; a document without text is left out.
 * @throws ApiError answer_too_large, overloaded
 */
export const readAnswerTexts = async (
  { documents }: Pick<Store, "documents">,
  wanted: readonly DocumentRecord[],
  held: TextCount,
): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  let bytes = 0;
  await documents.visitTexts(wanted, ({ id }, text) => {
    const length = Buffer.byteLength(text);
    bytes += length;
    if (bytes > maxAnswerTextBytes) throw tooMuchText();
    held.add(length);
    texts.set(id, text);
  });
  return texts;
};

/** The text of one document for an answer; null where it has none. @throws ApiError overloaded */
export const readAnswerText = async (
  { documents }: Pick<Store, "documents">,
  document: DocumentRecord,
  held: TextCount,
): Promise<string | null> => {
  let found: string | null = null;
  await documents.visitTexts([document], (_, text) => {
    held.add(Buffer.byteLength(text));
    found = text;
  });
  return found;
};

const tooMuchText = (): ApiError =>
  new ApiError(
    "answer_too_large",
    `The texts of these documents are larger than ${maxAnswerTextBytes / 1024 / 1024} MiB. Request fewer documents (limit, numberOfDocumentsInContext), or each text at its parsedUrl.`,
  );
