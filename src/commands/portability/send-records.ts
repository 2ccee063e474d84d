import { join } from "node:path";
import { CommandFailure } from "../../domain/errors.ts";
import { documentEntries, maxPartBytes, type Part } from "../../portability/entry.ts";
import { type ExportedRecord, fileOfKind, type Kind, kinds } from "../../portability/format.ts";
import { addLeftOut, countedKinds, type Imported, noCounts } from "../../portability/import-run.ts";
import { type OperatorClient, problemOf } from "../client/client.ts";
import { readRecord } from "./check-folder.ts";
import { linesOfFile } from "./export-folder.ts";

/** One record as it is sent. */
interface Sent {
  kind: Kind;
  record: ExportedRecord[Kind];
  at: string;
}

/** What one request takes at most: it is repeated as a whole where the server was overloaded. */
const maxBatchRecords = 512;
const maxBatchCharacters = 4 * 1024 * 1024;
const maxAttempts = 6;
/** Before the server is asked again; its `Retry-After` counts, within a limit. */
const retryAfterMs = 1_000;
const maxRetryAfterMs = 30_000;

async function* fileParts(path: string): AsyncGenerator<Part> {
  const { size } = Bun.file(path);
  let start = 0;
  do {
    const bytes = await Bun.file(path)
      .slice(start, start + maxPartBytes)
      .arrayBuffer();
    start += maxPartBytes;
    yield { kind: "part", of: "file", data: Buffer.from(bytes).toString("base64"), last: start >= size };
  } while (start < size);
}

async function* entriesOf(source: string, { kind, record, at }: Sent): AsyncGenerator<object> {
  if (kind !== "document") {
    yield { kind, record, at };
    return;
  }
  const document = record as ExportedRecord["document"];
  const { file } = document;
  yield* documentEntries(document, file !== null, at);
  if (file !== null) yield* fileParts(join(source, "files", file));
}

/** The records as a body, each made when the server takes it. */
const bodyOf = (source: string, batch: readonly Sent[]): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  const all = (async function* () {
    for (const sent of batch) yield* entriesOf(source, sent);
  })();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await all.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      await all.return();
    },
  });
};

const sendBatch = async (client: OperatorClient, source: string, batch: readonly Sent[]): Promise<Imported> => {
  for (let attempt = 1; ; attempt += 1) {
    const init = { method: "POST", headers: { "content-type": "application/x-ndjson" }, duplex: "half" } as const;
    const response = await client.send("/api/import", { ...init, body: bodyOf(source, batch) } as RequestInit);
    if (response.ok) return (await response.json()) as Imported;
    const after = Number(response.headers.get("retry-after") ?? Number.NaN) * 1_000;
    const problem = await problemOf(response);
    if (response.status !== 503 || Number.isNaN(after) || attempt === maxAttempts) throw new CommandFailure(problem);
    await Bun.sleep(Math.min(Math.max(after, retryAfterMs), maxRetryAfterMs));
  }
};

const addUp = (sum: Imported, more: Imported): void => {
  for (const kind of countedKinds)
    for (const what of Object.keys(sum[kind]) as (keyof Imported["documents"])[]) sum[kind][what] += more[kind][what];
  for (const left of more.leftOut) addLeftOut(sum.leftOut, left);
};

/**
 * Sends the records of a folder in their order, a bounded number at a time.
 * @param onSent called with the number of records so far
 * @throws CommandFailure where the server refuses one: what came before it is stored
 */
export const sendRecords = async (
  client: OperatorClient,
  source: string,
  onSent: (kind: Kind, records: number) => void,
): Promise<Imported> => {
  const sum: Imported = { ...noCounts(), leftOut: [] };
  for (const kind of kinds) {
    let batch: Sent[] = [];
    let characters = 0;
    let records = 0;
    const send = async (): Promise<void> => {
      if (batch.length === 0) return;
      addUp(sum, await sendBatch(client, source, batch));
      records += batch.length;
      onSent(kind, records);
      batch = [];
      characters = 0;
    };
    const name = fileOfKind[kind];
    for await (const { line, text } of linesOfFile(join(source, name), () => undefined)) {
      const record = readRecord(kind, line, text);
      batch.push({ kind, record, at: `${name}:${line}` });
      characters += text?.length ?? 0;
      if (batch.length >= maxBatchRecords || characters >= maxBatchCharacters) await send();
    }
    await send();
  }
  return sum;
};
