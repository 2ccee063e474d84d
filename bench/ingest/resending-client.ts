import type { MixedFile } from "./mixed-files.ts";

export interface ResendingClient {
  url: string;
  key: string;
  /** Serves each file under its number. */
  fileServer: string;
}

const textEndings = /\.(txt|md|rst|org)$/;

/**
 * Sends files as lines of one batch, plain text as it is and everything else as an address, each as an upsert of its
 * own external id. @returns the numbers of those that were acknowledged; the connection may end anywhere
 */
export const sendBatch = async (
  { url, key, fileServer }: ResendingClient,
  numbers: readonly number[],
  fileOf: (number: number) => MixedFile,
): Promise<Set<number>> => {
  const acknowledged = new Set<number>();
  const lines = numbers.map((number) => {
    const { name } = fileOf(number);
    const text = batchText(fileOf(number));
    const source = text === null ? { url: `${fileServer}/${number}/${encodeURIComponent(name)}` } : { text };
    return JSON.stringify({
      name,
      ...source,
      upsert: true,
      partition: "Bulk",
      metadata: { externalId: `file ${number}` },
    });
  });
  try {
    const response = await fetch(`${url}/api/ingest/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
      body: lines.join("\n"),
    });
    let said = "";
    for await (const piece of (response.body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream())) {
      said += piece;
      const whole = said.split("\n");
      said = whole.pop() ?? "";
      for (const line of whole) {
        const answer = JSON.parse(line) as { line: number; id?: string; error?: unknown };
        const number = numbers[answer.line - 1];
        if (number === undefined || answer.id === undefined) throw new Error(`a line was refused: ${line}`);
        acknowledged.add(number);
      }
    }
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("a line was refused")) throw error;
    // The server was killed under it.
  }
  return acknowledged;
};

/** The text that a batch sends of a file as it is; null where it sends an address. */
export const batchText = ({ name, bytes }: MixedFile): string | null => {
  const text = Buffer.from(bytes).toString("utf8");
  return textEndings.test(name) && !text.includes("\ufffd") && text.trim() !== "" ? text : null;
};

/** Uploads one file, to be processed later. @returns its number where it was acknowledged */
export const sendUpload = async (
  { url, key }: ResendingClient,
  number: number,
  { name, bytes }: MixedFile,
): Promise<Set<number>> => {
  const form = new FormData();
  form.append("partition", "Bulk");
  form.append("async", "true");
  const isUpsert = number % 4 === 1;
  if (isUpsert) {
    form.append("upsert", "true");
    form.append("metadata", JSON.stringify({ externalId: `file ${number}` }));
  }
  form.append("file", new File([new Uint8Array(bytes)], name));
  const response = await fetch(`${url}/api/ingest`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...(isUpsert ? {} : { "idempotency-key": `file ${number}` }) },
    body: form,
  }).catch(() => null);
  const answer = await response?.text().catch(() => null);
  if (response === null || answer == null) return new Set();
  if (!response.ok) throw new Error(`${name} was refused: ${response.status} ${answer}`);
  return new Set([number]);
};
