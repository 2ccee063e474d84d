import { Type } from "@sinclair/typebox";
import { notFound } from "../domain/ids.ts";
import { isoTime, readTime } from "../domain/times.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import { deletedSchema, idParams, pagingQuery, toPaging } from "../http/schema/fields.ts";
import type { Store } from "../store/contract.ts";
import { createKey, revokeKey } from "./keys.ts";
import { issuedKeyExample, issuedKeySchema, keyBody, keyExample, keyJson, keySchema } from "./schema.ts";

/** `/api/key`: keys of the caller's organization, for admins. */
export const keyEndpoints = ({ store }: { store: Store }): Endpoint[] =>
  [
    endpoint({
      method: "POST",
      path: "/api/key",
      operationId: "createKey",
      access: "admin",
      tag: "Keys",
      summary: "Issue a key",
      body: keyBody,
      responses: { 200: issuedKeySchema },
      links: ["revokeKey"],
      errors: ["partition_not_found"],
      example: { request: { name: "Website search", role: "reader" }, response: issuedKeyExample },
      async handle({ principal, body, audited }) {
        const input = {
          id: Bun.randomUUIDv7(),
          name: body.name,
          role: body.role ?? "reader",
          userId: body.userId ?? principal.userId,
          partitionId: body.partitionId ?? null,
          expiresAt: body.expiresAt === undefined ? null : readTime("expiresAt", body.expiresAt),
          limits: {
            requestsPerMinute: body.requestsPerMinute ?? null,
            tokensPerDay: body.tokensPerDay ?? null,
            maxDocuments: body.maxDocuments ?? null,
            maxBytes: body.maxBytes ?? null,
          },
        };
        const { name, role, userId, partitionId, expiresAt, limits: asked } = input;
        const until = expiresAt === null ? null : isoTime(expiresAt);
        const details = { name, role, userId, partitionId, expiresAt: until, ...asked };
        const { record, limits, key } = await audited({ action: "key.created", targetId: input.id, details }, () =>
          createKey(store, principal, input),
        );
        return { ...keyJson(record, limits), key };
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/key",
      operationId: "listKeys",
      access: "admin",
      tag: "Keys",
      summary: "List keys",
      description: "Newest first, without secrets. `X-Total-Count` holds the number of all.",
      query: pagingQuery,
      responses: { 200: Type.Array(keySchema) },
      errors: [],
      example: { response: [keyExample] },
      handle: async ({ principal, query }) =>
        listResponse(await store.keys.list(principal, toPaging(query)), (key) =>
          keyJson(key, store.keyLimits.get(key.id)),
        ),
    }),
    endpoint({
      method: "DELETE",
      path: "/api/key/:id",
      operationId: "revokeKey",
      access: "admin",
      tag: "Keys",
      summary: "Revoke a key",
      description: "The next request with it is refused.",
      params: idParams,
      responses: { 200: deletedSchema },
      errors: ["key_not_found"],
      example: { response: { id: keyExample.id, deleted: true } },
      async handle({ principal, params, audited }) {
        const key = store.keys.getById(params.id);
        if (key?.organizationId !== principal.organizationId) throw notFound("key_not_found");
        const details = { name: key.name, role: key.role };
        await audited({ action: "key.revoked", targetId: key.id, details }, () =>
          revokeKey(store, principal, params.id),
        );
        return { id: params.id, deleted: true };
      },
    }),
  ] as Endpoint[];
