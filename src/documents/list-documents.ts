import { notFound, requireRecordId } from "../domain/ids.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import { toPaging } from "../http/schema/fields.ts";
import { parseMetadataFilter } from "../retrieval/metadata-filter.ts";
import type { Page, Store } from "../store/contract.ts";
import { readAnswerTexts, type TextCount } from "./answer-texts.ts";
import type { DocumentListQuery } from "./schema.ts";

/** One page of documents, and the texts of its documents where they are wanted (else an empty map). */
export interface DocumentPage extends Page<DocumentRecord> {
  texts: Map<string, string>;
}

/** @throws ApiError invalid_request for a wrong filter, partition_not_found, answer_too_large, overloaded */
export const listDocuments = async (
  { documents, partitions }: Pick<Store, "documents" | "partitions">,
  tenant: Tenant,
  query: DocumentListQuery,
  held: TextCount,
): Promise<DocumentPage> => {
  const { partitionId, status, searchValue, include } = query;
  const metadata = parseMetadataFilter(query.metadata);
  if (partitionId !== undefined) {
    const partition = await partitions.get(tenant, requireRecordId(partitionId, "partition_not_found"));
    if (partition === null) throw notFound("partition_not_found");
  }
  const page = await documents.list(
    tenant,
    {
      ...(partitionId === undefined ? {} : { partitionId }),
      ...(status === undefined ? {} : { status }),
      ...(searchValue === undefined || searchValue === "" ? {} : { searchValue }),
      ...(metadata === null ? {} : { metadata }),
    },
    toPaging(query),
  );
  const texts =
    include === "originalText" ? await readAnswerTexts({ documents }, page.items, held) : new Map<string, string>();
  return { ...page, texts };
};
