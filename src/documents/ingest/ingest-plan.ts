import type { DocumentRecord } from "../../domain/records.ts";
import type { PartitionChoice } from "../partition-choice.ts";
import type { IngestRequest } from "./ingest-request.ts";

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
