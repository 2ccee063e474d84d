import { Type } from "@sinclair/typebox";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import { deletedSchema, idParams, pagingQuery, toPaging } from "../http/schema/fields.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Store } from "../store/contract.ts";
import { deletePartition } from "./delete-partition.ts";
import { getPartition, renamePartition, upsertPartition } from "./partitions.ts";
import {
  partitionBody,
  partitionDeleteQuery,
  partitionExample,
  partitionJson,
  partitionSchema,
  partitionSearchQuery,
} from "./schema.ts";

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
