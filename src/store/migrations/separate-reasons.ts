import type { LanceTable } from "../engine/lance.ts";

/**
 * Errors of documents that name a server: what a model or parser server said, with its address. Fetches name the
 * address that the caller sent.
 */
const ofServers = "error LIKE '%://%' AND error NOT LIKE '%fetch%'";

/** Keeps what servers said of failed documents apart from what every reader is told. */
export const separateReasons = async (documents: LanceTable): Promise<void> => {
  // LanceDB applies the assignments of one update one after another, in any order: these two cannot be one.
  await documents.update({ where: `"errorReason" IS NULL AND ${ofServers}`, valuesSql: { errorReason: "error" } });
  await documents.update({
    where: `"errorReason" IS NOT NULL AND ${ofServers}`,
    values: { error: "The parser or a model failed." },
  });
  // An HTML page of a proxy says nothing of the document.
  await documents.update({
    where: `lower("errorReason") LIKE '%<html%' OR lower("errorReason") LIKE '%<!doctype%'`,
    values: { errorReason: "The server answered with an HTML page." },
  });
};
