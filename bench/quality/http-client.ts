import type { Collection, Found, QualityClient } from "./client.ts";

/** Requests under way at a time while documents are sent. */
const atOnce = 16;

/**
 * Asks a running server. Each set gets a partition of its own.
 * @param address such as http://127.0.0.1:7373
 * @param key a writer's key
 */
export const createHttpClient = (address: string, key: string): QualityClient => {
  const call = async (path: string, body: object): Promise<{ [key: string]: unknown }> => {
    const response = await fetch(`${address}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text.slice(0, 300)}`);
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== "object" || answer === null) throw new Error(`POST ${path}: the answer is not an object`);
    return { ...answer };
  };
  return {
    async ingest(name, documents) {
      const partition = `quality ${name} ${crypto.randomUUID()}`;
      const idOfDocument = new Map<string, string>();
      let partitionId = "";
      for (let start = 0; start < documents.length; start += atOnce) {
        await Promise.all(
          documents.slice(start, start + atOnce).map(async ({ id, title, text }) => {
            const record = await call("/api/ingest", { text, name: (title || id).slice(0, 255), partition });
            idOfDocument.set(String(record.id), id);
            partitionId = String(record.partitionId);
          }),
        );
      }
      const collection: Collection = {
        legs: ["fused"],
        async search(query, limit) {
          return found(
            await call("/api/search", { query, partitionId, numberOfDocumentsInContext: limit }),
            idOfDocument,
          );
        },
        async quote(query) {
          const { answer } = await call("/api/query", { query, partitionId });
          return typeof answer === "string" ? sentencesOf(answer) : [];
        },
      };
      return collection;
    },
    close: async () => {},
  };
};

const found = (answer: { [key: string]: unknown }, idOfDocument: ReadonlyMap<string, string>): Found => {
  const { relevantSnippets, receipt } = answer as {
    relevantSnippets: { metadata: { [key: string]: unknown } }[];
    receipt: { confidence: number };
  };
  return {
    pieces: relevantSnippets.map(({ metadata }) => ({
      document: idOfDocument.get(String(metadata.documentUploadId)) ?? String(metadata.documentUploadId),
      start: Number(metadata.start),
      end: Number(metadata.end),
    })),
    confidence: receipt.confidence,
  };
};

/** A quoted answer has a line for each quotation, with its mark at the end. */
const sentencesOf = (answer: string): string[] => answer.split("\n").map((line) => line.replace(/ \[\d+\]$/, ""));
