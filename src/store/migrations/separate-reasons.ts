import type { LanceTable } from "../engine/lance.ts";

/**
 * Document errors that name a model or parser server: its message, with its address. Errors of fetches name the address
 * that the caller sent.
 */
const ofServers = "error LIKE '%://%' AND error NOT LIKE '%fetch%'";

/** Moves the messages of servers from `error`, which every reader sees, to `errorReason`. */
export const separateReasons = async (documents: LanceTable): Promise<void> => {
  // Two updates: LanceDB applies the assignments of one update in any order.
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
