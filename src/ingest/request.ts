import { ApiError, invalidField } from "../domain/errors.ts";
import type { DocumentRecord, JsonObject, UploadedFile } from "../domain/records.ts";
import { fileKinds, kindOfTextName, kindOfTextType } from "../parse/detect/file-kind.ts";
import type { PartitionChoice } from "./partition-choice.ts";
import { baseName, type Source } from "./prepare/source.ts";

/** What a caller sends, checked field by field (`src/documents/ingest-schema.ts`). */
interface IngestBody {
  name?: string;
  text?: string;
  url?: string;
  websiteUrl?: string;
  mimeType?: string;
  partitionId?: string;
  partition?: string;
  metadata?: JsonObject;
  upsert?: boolean;
}

/** A consistent request for an ingest; nothing in it is checked against the store yet. */
export interface IngestRequest {
  source: Source;
  /** Type that the caller declared. */
  mimeType: string | null;
  /** Null where the source names it. */
  name: string | null;
  partitionId: string | null;
  /** Name of the partition, trimmed. */
  partition: string | null;
  metadata: JsonObject | null;
  /** `metadata.externalId`, with `upsert`. */
  externalId: string | null;
  upsert: boolean;
  /** Id of a new document; generated unless given. */
  documentId?: string;
}

const maxExternalIdCharacters = 1_024;

/**
 * @throws ApiError no_source, several_sources; invalid_request for a missing name, a wrong address or an external id
 *   that is not text
 */
export const readIngestRequest = (body: IngestBody, file: UploadedFile | null): IngestRequest => {
  const source = readSourceOf(body, file);
  if (source.kind === "text" && body.name === undefined) {
    throw invalidField("name", "is required with text");
  }
  const upsert = body.upsert ?? false;
  const metadata = body.metadata ?? null;
  return {
    source,
    mimeType: declaredTypeOf(body),
    name: body.name ?? null,
    partitionId: body.partitionId ?? null,
    partition: body.partition?.trim() ?? null,
    metadata,
    externalId: upsert ? readExternalId(metadata) : null,
    upsert,
  };
};

/** A form sends a field that was left empty as "". */
const declaredTypeOf = ({ mimeType }: IngestBody): string | null => (mimeType?.trim() ? mimeType : null);

const readSourceOf = (body: IngestBody, file: UploadedFile | null): Source => {
  const declaredMimeType = declaredTypeOf(body);
  const sources: Source[] = [];
  if (body.text !== undefined) sources.push({ kind: "text", text: body.text });
  if (body.url !== undefined) sources.push({ kind: "url", url: body.url.trim(), declaredMimeType });
  if (body.websiteUrl !== undefined) sources.push({ kind: "website", url: body.websiteUrl.trim() });
  if (file !== null) {
    sources.push({
      kind: "file",
      blobHash: file.hash,
      fileName: baseName(file.name),
      declaredMimeType: declaredMimeType ?? storedType(file),
    });
  }
  const [source] = sources;
  if (source === undefined) {
    throw new ApiError("no_source", "Send one of text, url, websiteUrl, or a multipart part named file.");
  }
  if (sources.length > 1) {
    const given = sources.map(({ kind }) => (kind === "website" ? "websiteUrl" : kind));
    throw new ApiError(
      "several_sources",
      `Send exactly one of text, url, websiteUrl and file; this has ${given.join(", ")}.`,
      { errors: given.map((path) => ({ path, message: "is not the only source" })) },
    );
  }
  if (source.kind === "url") checkAddress("url", source.url);
  if (source.kind === "website") checkAddress("websiteUrl", source.url);
  return source;
};

/**
 * The type of a file that may be read later, when only its document's name is known: the type of the multipart part, or
 * where that is not a kind of text or only says that it is text, the type that the file's extension means. That it is text
 * is what programs say of any file that they do not know: without such an extension the content decides.
 */
const storedType = ({ name, mimeType }: UploadedFile): string | null => {
  const kind = name === null ? null : kindOfTextName(name);
  if ((kind === null || kind === "text") && mimeType?.toLowerCase() === "text/plain") return null;
  if (kind === null) return mimeType;
  if (mimeType === null || kindOfTextType(mimeType) === null) return fileKinds[kind];
  return mimeType.replace(/^text\/plain(?=\s*(?:;|$))/i, fileKinds[kind]);
};

/** Checks without a lookup; the fetcher checks where the address leads. */
const checkAddress = (field: string, address: string): void => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalidField(field, "must begin with http:// or https://");
  }
  if (url === null || url.hostname === "") throw invalidField(field, "must be a complete address, such as https://…");
};

const readExternalId = (metadata: JsonObject | null): string | null => {
  if (metadata === null || !Object.hasOwn(metadata, "externalId")) return null;
  const { externalId } = metadata;
  if (typeof externalId !== "string" || externalId === "" || externalId.length > maxExternalIdCharacters) {
    throw invalidField("metadata.externalId", `must be text of 1 to ${maxExternalIdCharacters} characters with upsert`);
  }
  return externalId;
};

/** An ingest whose partition is chosen and whose existing document is known. */
export interface IngestPlan {
  request: IngestRequest;
  choice: PartitionChoice;
  /** The document that `upsert` replaces. */
  existing: DocumentRecord | null;
}

/** A document after its ingest. */
export interface Ingested {
  document: DocumentRecord;
  /** Null where it is still to be read. */
  text: string | null;
  unchanged: boolean;
  /** The document has taken the uploaded file; otherwise the file still belongs to the caller. */
  takesFile: boolean;
}
