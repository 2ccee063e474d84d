import type { JsonObject } from "./records.ts";

/** `metadata.externalId`, if it is a string. */
export const externalIdOf = (metadata: JsonObject | null): string | null =>
  metadata !== null && Object.hasOwn(metadata, "externalId") && typeof metadata.externalId === "string"
    ? metadata.externalId
    : null;
