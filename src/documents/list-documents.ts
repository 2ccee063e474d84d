import { isRecordId, notFound, requireRecordId } from "../domain/ids.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import { parseMetadataFilter } from "../retrieval/metadata-filter.ts";
import type { Page, Paging, Store } from "../store/contract.ts";
import { readAnswerTexts, type TextCount } from "./answer-texts.ts";

/** Which documents are listed, and with what. */
interface DocumentListRequest extends Paging {
  /** Comma-separated identifiers. */
  ids?: string | undefined;
  partitionId?: string | undefined;
  status?: DocumentRecord["status"] | undefined;
  /** Text that the name contains. */
  searchValue?: string | undefined;
  /** A filter as `parseMetadataFilter` takes it. */
  metadata?: unknown;
  includesTexts: boolean;
}

/** One page of documents, and their texts where requested (otherwise an empty map). */
interface DocumentPage extends Page<DocumentRecord> {
  texts: Map<string, string>;
}

/** @throws ApiError invalid_request for a wrong filter, partition_not_found, answer_too_large, overloaded */
export const listDocuments = async (
  { documents, partitions }: Pick<Store, "documents" | "partitions">,
  tenant: Tenant,
  request: DocumentListRequest,
  held: TextCount,
): Promise<DocumentPage> => {
  const { ids, partitionId, status, searchValue, includesTexts, limit, skip, sortOrder } = request;
  const metadata = parseMetadataFilter(request.metadata);
  if (partitionId !== undefined) {
    const partition = await partitions.get(tenant, requireRecordId(partitionId, "partition_not_found", "partitionId"));
    if (partition === null) throw notFound("partition_not_found", "partitionId");
  }
  const page = await documents.list(
    tenant,
    {
      ...(ids === undefined ? {} : { ids: readIds(ids) }),
      ...(partitionId === undefined ? {} : { partitionId }),
      ...(status === undefined ? {} : { status }),
      ...(searchValue === undefined || searchValue === "" ? {} : { searchValue }),
      ...(metadata === null ? {} : { metadata }),
    },
    { limit, skip, sortOrder },
  );
  const texts = includesTexts ? await readAnswerTexts({ documents }, page.items, held) : new Map<string, string>();
  return { ...page, texts };
};

/** What cannot be an identifier has no document. */
const readIds = (text: string): string[] =>
  text
    .split(",")
    .map((id) => id.trim())
    .filter(isRecordId);
