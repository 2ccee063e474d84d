import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { isScanned } from "../../domain/scanned-page.ts";
import type { DocumentStore } from "../../store/contract.ts";
import type { Source } from "../read-source.ts";

/**
 * The source of a pending document.
 * @param text its text, where the caller has it already
 * @throws ApiError no_text where its text is not in the store
 */
export const storedSource = async (
  { documents }: { documents: Pick<DocumentStore, "getPendingText"> },
  record: DocumentRecord,
  text?: string,
): Promise<Source> => {
  if (text !== undefined) return { kind: "text", text };
  const { sourceKind, originalUrl, blobHash, declaredMimeType } = record;
  if (sourceKind === "website" && originalUrl !== null) {
    return { kind: "website", url: originalUrl, isScanned: isScanned(record) };
  }
  if (sourceKind === "url" && originalUrl !== null) return { kind: "url", url: originalUrl, declaredMimeType };
  if (sourceKind === "file" && blobHash !== null) {
    return { kind: "file", blobHash, fileName: record.name, declaredMimeType };
  }
  const pending = await documents.getPendingText(record);
  if (pending === null) throw new ApiError("no_text", "The document's text is gone. Ingest it again.");
  return { kind: "text", text: pending };
};
