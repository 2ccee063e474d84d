import { createHash } from "node:crypto";
import { ApiError, type ErrorCode } from "./errors.ts";
import type { Tenant } from "./records.ts";

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const callerChosenChatId = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether this can be the id of a record other than a chat. */
export const isRecordId = (id: string): boolean => uuidV7.test(id);

/** Whether this can be the id of a chat: a UUIDv7, or an id that the caller chose. */
export const isChatId = (id: string): boolean => callerChosenChatId.test(id);

/**
 * The id that a record gets where its own is held by a record of somebody else: always the same for one scope, such as an
 * organization, so that whoever looks again finds what was made before. It has the form and the time of a UUIDv7.
 */
export const derivedId = (scope: string, id: string): string => {
  const hash = createHash("sha256").update(`${scope}\n${id}`).digest("hex");
  const time = isRecordId(id) ? id.slice(0, 13) : `${hash.slice(0, 8)}-${hash.slice(8, 12)}`;
  return `${time}-7${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
};

/** How the ids of all keys end that were issued on the word of this one: they end with it. */
export const grantedBy = (keyId: string): string =>
  `-${createHash("sha256").update(`granted by ${keyId}`).digest("hex").slice(0, 12)}`;

/** A new id of a key that is issued on the word of another one. It has the form and the time of a UUIDv7. */
export const grantedId = (keyId: string): string => Bun.randomUUIDv7().slice(0, 23) + grantedBy(keyId);

/**
 * The id, if a record can have it.
 * @param field see `notFound`
 * @throws ApiError the given 404: no record has an id of another form
 */
export const requireRecordId = (id: string, code: ErrorCode, field?: string): string => {
  if (!isRecordId(id)) throw notFound(code, field);
  return id;
};

const kinds: Partial<Record<ErrorCode, string>> = {
  document_not_found: "document",
  partition_not_found: "partition",
  chat_not_found: "chat",
  message_not_found: "message",
  receipt_not_found: "receipt",
  feedback_not_found: "feedback",
  key_not_found: "key",
  delivery_not_found: "webhook delivery",
};

/** The field that names a partition; none where it is the key's own, which nobody sent. */
export const partitionField = (tenant: Tenant, id: string): string | undefined =>
  id === tenant.partitionId ? undefined : "partitionId";

/**
 * The 404 for a record that does not exist, or that the caller may not see.
 * @param field the one that names it, where that is not the path
 */
export const notFound = (code: ErrorCode, field?: string): ApiError => {
  const kind = kinds[code] ?? "record";
  const errors =
    field === undefined ? {} : { errors: [{ path: field, message: `names no ${kind} that your key can see` }] };
  return new ApiError(code, `There is no ${kind} with this id that your key can see.`, errors);
};

/** The organization that the first start creates. What concerns the whole server is open to its admins alone. */
export const defaultOrganization = "default";
