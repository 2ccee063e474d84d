import { Type } from "@sinclair/typebox";
import type { KeyLimits, KeyRecord } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import {
  choiceField,
  idField,
  nameField,
  nullable,
  scopeField,
  textField,
  timeField,
  userIdField,
} from "../http/schema/fields.ts";
import { noLimits } from "../limits/rates.ts";
import type { Store } from "../store/contract.ts";

const roles = ["reader", "writer", "admin"] as const;

const limitDescriptions = {
  requestsPerMinute: "Requests that the key may send in a minute. Null: the setting `limits.key.requestsPerMinute`.",
  tokensPerDay:
    "Tokens that the answering model may read and write for the key in a day. Null: the setting `limits.key.tokensPerDay`.",
  maxDocuments:
    "Maximum number of documents: the key adds nothing once it can see this many. Null: the setting `limits.key.maxDocuments`.",
  maxBytes:
    "Maximum bytes of texts and files: the key adds nothing once it can see this many. Null: the setting `limits.key.maxBytes`.",
};
const limitField = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }));

export const keyBody = Type.Object(
  {
    name: nameField("What the key is for.", ["Website search"]),
    role: Type.Optional(
      choiceField(roles, {
        default: "reader",
        description:
          "`reader` lists, gets, asks and sends messages; `writer` also ingests, changes and deletes; `admin` also manages keys.",
      }),
    ),
    userId: Type.Optional(userIdField("User that the key acts as. Without it, the user of the calling key.")),
    partitionId: Type.Optional(
      scopeField(
        idField(
          "Limits the key to one partition: records elsewhere do not exist for it. A limited key issues keys of its own partition.",
        ),
      ),
    ),
    expiresAt: Type.Optional(
      textField({
        description: "When the key stops working: ISO 8601 with time zone.",
        format: "date-time",
        examples: ["2036-01-31T00:00:00.000Z"],
      }),
    ),
    requestsPerMinute: Type.Optional(limitField(limitDescriptions.requestsPerMinute)),
    tokensPerDay: Type.Optional(limitField(limitDescriptions.tokensPerDay)),
    maxDocuments: Type.Optional(limitField(limitDescriptions.maxDocuments)),
    maxBytes: Type.Optional(limitField(limitDescriptions.maxBytes)),
  },
  { $id: "KeyRequest" },
);

const keyFields = {
  id: Type.String({ description: "Identifier of the key." }),
  name: Type.String({ description: "What the key is for." }),
  role: choiceField(roles, { description: "What the key may do." }),
  organizationId: Type.String({ description: "Organization whose records it reaches." }),
  userId: Type.String({ description: "User that the key acts as." }),
  partitionId: nullable(Type.String({ description: "The partition it is limited to." })),
  createdAt: timeField("When it was issued."),
  expiresAt: nullable(timeField("When it stops working.")),
  requestsPerMinute: limitField(limitDescriptions.requestsPerMinute),
  tokensPerDay: limitField(limitDescriptions.tokensPerDay),
  maxDocuments: limitField(limitDescriptions.maxDocuments),
  maxBytes: limitField(limitDescriptions.maxBytes),
};

export const keySchema = Type.Object(keyFields, {
  $id: "Key",
  description: "A key as it is listed: without its secret.",
});

export const issuedKeySchema = Type.Object(
  { ...keyFields, key: Type.String({ description: "The key itself. It is shown only this once and is not stored." }) },
  { $id: "IssuedKey", description: "The new key with its secret." },
);

export const keyExample = {
  id: "0198c5a0-7c1e-7d53-9f5b-2f1f6c0c9a10",
  name: "Website search",
  role: "reader",
  organizationId: "0198c59f-11aa-7b22-8a40-6f0e3f0f7a01",
  userId: "admin",
  partitionId: null,
  createdAt: "2026-01-31T09:30:00.000Z",
  expiresAt: null,
  requestsPerMinute: null,
  tokensPerDay: null,
  maxDocuments: null,
  maxBytes: null,
};

export const issuedKeyExample = { ...keyExample, key: `crl_${"0123456789".repeat(4)}abc` };

/**
 * A key as answers and `carrel key list --json` show it: never its hash.
 * @param limits its own; null for none
 */
export const keyJson = (record: KeyRecord, limits: KeyLimits | null) => ({
  id: record.id,
  name: record.name,
  role: record.role,
  organizationId: record.organizationId,
  userId: record.userId,
  partitionId: record.partitionId,
  createdAt: isoTime(record.createdAt),
  expiresAt: record.expiresAt === null ? null : isoTime(record.expiresAt),
  ...(limits ?? noLimits),
});

/** The record of the key that a request acts by; null where there is none. */
export const keyJsonOf = ({ keys, keyLimits }: Pick<Store, "keys" | "keyLimits">, keyId: string | null) => {
  const key = keyId === null ? null : keys.getById(keyId);
  return key === null ? null : keyJson(key, keyLimits.get(key.id));
};
