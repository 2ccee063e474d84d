import type { DocumentRecord, JsonObject } from "./records.ts";

/** What the document of a page that a scan found is known by. @param address as `pageAddress` gives it */
export const scannedMetadata = (address: string): JsonObject => ({
  externalId: address,
  site: new URL(address).origin,
});

/**
 * Whether a scan put the document in: its page is then fetched as a crawler fetches, by robots.txt and with pauses.
 */
export const isScanned = ({ originalUrl, metadata }: Pick<DocumentRecord, "originalUrl" | "metadata">): boolean =>
  originalUrl !== null &&
  metadata !== null &&
  metadata.externalId === originalUrl &&
  URL.canParse(originalUrl) &&
  metadata.site === new URL(originalUrl).origin;
