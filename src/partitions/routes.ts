import { Type } from "@sinclair/typebox";
import type { Partition } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import {
  choiceField,
  deletedSchema,
  idParams,
  pagingFields,
  pagingQuery,
  partitionNameField,
  searchField,
  timeField,
  toPaging,
} from "../http/schema/fields.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Store } from "../store/contract.ts";
import { deletePartition, getPartition, renamePartition, upsertPartition } from "./partitions.ts";

const partitionBody = Type.Object(
  {
    name: partitionNameField(
      "Name of the partition, 1 to 255 characters; white space around it is dropped. Case matters.",
      ["Handbook"],
    ),
  },
  { $id: "PartitionRequest" },
);

const partitionSearchQuery = Type.Object({
  ...pagingFields,
  searchValue: searchField("Partitions whose name holds this, in any case."),
});

const partitionDeleteQuery = Type.Object({
  documents: Type.Optional(
    choiceField(["delete", "detach"], {
      description:
        "What happens to its documents: `delete` removes them, `detach` keeps them without a partition. Without it, a partition that holds documents is not deleted.",
    }),
  ),
});

const partitionSchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the partition." }),
    name: Type.String({ description: "Unique within the organization." }),
    organizationId: Type.String({ description: "Organization it belongs to." }),
    createdAt: timeField("When it was created."),
    documents: Type.Integer({ description: "How many documents it holds." }),
  },
  { $id: "Partition", description: "A collection of documents." },
);

const partitionExample = {
  id: "0198c5a0-7c1e-7d53-9f5b-2f1f6c0c9a10",
  name: "Handbook",
  organizationId: "0198c59f-11aa-7b22-8a40-6f0e3f0f7a01",
  createdAt: "2026-01-31T09:30:00.000Z",
  documents: 12,
};

/** A partition with the number of its documents, as answers show it. */
const partitionJson = ({ id, name, organizationId, createdAt, documents }: Partition & { documents: number }) => ({
  id,
  name,
  organizationId,
  createdAt: isoTime(createdAt),
  documents,
});

const tag = "Partitions";

/** `/api/partition`: collections of documents. */
export const partitionEndpoints = ({
  store,
  ingest,
  work,
}: {
  store: Store;
  ingest: IngestQueue;
  work: IngestWork;
}): Endpoint[] => {
  return [
    endpoint({
      method: "POST",
      path: "/api/partition",
      operationId: "createPartition",
      access: "writer",
      tag,
      summary: "Create a partition, or get the one of that name",
      body: partitionBody,
      responses: { 200: partitionSchema },
      links: ["getPartition", "renamePartition", "deletePartition"],
      errors: ["key_limited"],
      example: { request: { name: "Handbook" }, response: { ...partitionExample, documents: 0 } },
      handle: async ({ principal, body }) => partitionJson(await upsertPartition(store, principal, body.name)),
    }),
    endpoint({
      method: "GET",
      path: "/api/partition",
      operationId: "listPartitions",
      access: "reader",
      tag,
      summary: "List partitions",
      description: "Newest first. `X-Total-Count` holds the number of all.",
      query: pagingQuery,
      responses: { 200: Type.Array(partitionSchema) },
      errors: [],
      example: { response: [partitionExample] },
      handle: async ({ principal, query }) =>
        listResponse(await store.partitions.list(principal, toPaging(query), null), partitionJson),
    }),
    endpoint({
      method: "GET",
      path: "/api/partition/search",
      operationId: "searchPartitions",
      access: "reader",
      tag,
      summary: "Search partitions by name",
      query: partitionSearchQuery,
      responses: { 200: Type.Array(partitionSchema) },
      errors: [],
      example: { response: [partitionExample] },
      handle: async ({ principal, query }) =>
        listResponse(await store.partitions.list(principal, toPaging(query), query.searchValue), partitionJson),
    }),
    endpoint({
      method: "GET",
      path: "/api/partition/:id",
      operationId: "getPartition",
      access: "reader",
      tag,
      summary: "Get a partition",
      params: idParams,
      responses: { 200: partitionSchema },
      errors: ["partition_not_found"],
      example: { response: partitionExample },
      handle: async ({ principal, params }) => partitionJson(await getPartition(store, principal, params.id)),
    }),
    endpoint({
      method: "PUT",
      path: "/api/partition/:id",
      operationId: "renamePartition",
      access: "writer",
      tag,
      summary: "Rename a partition",
      params: idParams,
      body: partitionBody,
      responses: { 200: partitionSchema },
      errors: ["partition_not_found", "partition_name_taken"],
      example: { request: { name: "Handbook" }, response: partitionExample },
      handle: async ({ principal, params, body }) =>
        partitionJson(await renamePartition(store, principal, params.id, body.name)),
    }),
    endpoint({
      method: "DELETE",
      path: "/api/partition/:id",
      operationId: "deletePartition",
      access: "writer",
      tag,
      summary: "Delete a partition",
      params: idParams,
      query: partitionDeleteQuery,
      responses: { 200: deletedSchema },
      errors: ["partition_not_found", "partition_not_empty", "key_limited"],
      example: { response: { id: partitionExample.id, deleted: true } },
      async handle({ principal, params, query, signal, audited }) {
        const { id, documents } = await getPartition(store, principal, params.id);
        const how = query.documents ?? null;
        // Without `documents` nothing is done to a partition that holds some.
        const details = { documents, how: how ?? "refuse" };
        await audited({ action: "partition.deleted", targetId: id, details, mayBePartial: how === "delete" }, () =>
          deletePartition({ store, ingest, claims: work.claims }, principal, id, how, signal),
        );
        return { id: params.id, deleted: true };
      },
    }),
  ] as Endpoint[];
};
