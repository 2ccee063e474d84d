import { type Static, Type } from "@sinclair/typebox";
import { type AuditEntry, auditActions, auditActors, auditOutcomes } from "../domain/audit.ts";
import { isoTime, readTime } from "../domain/times.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import { choiceField, nullable, pagingFields, textField, timeField, toPaging } from "../http/schema/fields.ts";
import type { Store } from "../store/contract.ts";

const entrySchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the entry." }),
    createdAt: timeField("When the change began."),
    action: choiceField(auditActions, { description: "What was done." }),
    actor: Type.Object(
      {
        kind: choiceField(auditActors, {
          description:
            "`key`, `session` (a browser signed in with a key), `operator` (the command line on the server's machine), `start` (the server itself when it starts), `folder` or `site` (one that is followed), `nobody` (somebody without a valid key).",
        }),
        keyId: nullable(
          Type.String({ description: "The key it was done with; of `nobody`, the expired one that was sent." }),
        ),
        keyName: nullable(Type.String({ description: "The key's name at that time." })),
        userId: Type.String({ description: "User of the key; empty where nobody is known." }),
        address: Type.String({ description: "Address it came from; `local` for the operator." }),
      },
      { description: "Who did it." },
    ),
    targetId: nullable(Type.String({ description: "Identifier of what was changed." })),
    details: Type.Object(
      {},
      { additionalProperties: true, description: "Settings of the change. Never text, titles or names of documents." },
    ),
    outcome: choiceField(auditOutcomes, { description: "`failed`: it ended with an error, and may be done in part." }),
    requestId: nullable(Type.String({ description: "The request, as in the server's log." })),
  },
  { $id: "AuditEntry", description: "A change that somebody made." },
);

const entryExample: Static<typeof entrySchema> = {
  id: "0198c5a0-9d10-7aa1-8c52-90f3a1b4c5d6",
  createdAt: "2026-01-31T09:30:00.041Z",
  action: "key.revoked",
  actor: {
    kind: "session",
    keyId: "0198c5a0-7c1e-7d53-9f5b-2f1f6c0c9a10",
    keyName: "Anna's console",
    userId: "anna",
    address: "192.0.2.17",
  },
  targetId: "0198c59f-5b7e-7c3a-9d41-2f6e8b0c1d23",
  details: { name: "Website search", role: "reader" },
  outcome: "done",
  requestId: "0198c5a0-9d0f-7cc2-a1b3-3c4d5e6f7a8b",
};

const entryJson = (entry: AuditEntry): Static<typeof entrySchema> => ({
  id: entry.id,
  createdAt: isoTime(entry.createdAt),
  action: entry.action,
  actor: {
    kind: entry.actor,
    keyId: entry.keyId,
    keyName: entry.keyName,
    userId: entry.userId,
    address: entry.address,
  },
  targetId: entry.targetId,
  details: entry.details,
  outcome: entry.outcome,
  requestId: entry.requestId,
});

/** `/api/audit`: who changed what, for admins. */
export const auditEndpoints = ({ store }: { store: Store }): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/audit",
      operationId: "listAuditEntries",
      access: "admin",
      wholeOrganization: true,
      tag: "Audit",
      summary: "List who changed what",
      description:
        "Keys made and revoked, sign-ins, settings of chats, chats made public, deletions, backups, restores, exports, imports, settings of the server; newest first, kept for 90 days. `X-Total-Count` holds the number of all that match.",
      query: Type.Object({
        ...pagingFields,
        action: Type.Optional(choiceField(auditActions, { description: "Only this kind of change." })),
        since: Type.Optional(
          textField({
            description: "Only changes from then on: ISO 8601 with time zone.",
            format: "date-time",
            examples: ["2026-01-31T00:00:00.000Z"],
          }),
        ),
      }),
      responses: { 200: Type.Array(entrySchema) },
      errors: ["invalid_request", "key_limited"],
      example: { response: [entryExample] },
      async handle({ principal, query }) {
        const { action, since } = query;
        const filter = {
          ...(action === undefined ? {} : { action }),
          ...(since === undefined ? {} : { since: readTime("since", since) }),
        };
        return listResponse(await store.audit.list(principal.organizationId, filter, toPaging(query)), entryJson);
      },
    }),
  ] as Endpoint[];
