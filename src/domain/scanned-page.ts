import type { DocumentRecord, JsonObject } from "./records.ts";

/** The metadata that identifies the document of a scanned page. @param address as `pageAddress` returns it */
export const scannedMetadata = (address: string): JsonObject => ({
  externalId: address,
  site: new URL(address).origin,
});

/**
 * Whether a scan added the document: its page is then crawled, with respect for robots.txt and with pauses.
 */
export const isScanned = ({ originalUrl, metadata }: Pick<DocumentRecord, "originalUrl" | "metadata">): boolean =>
  originalUrl !== null &&
  metadata !== null &&
  metadata.externalId === originalUrl &&
  URL.canParse(originalUrl) &&
  metadata.site === new URL(originalUrl).origin;
