import type { Json } from "./client.ts";
import { type AuditContext, reportUnknown, settle } from "./compare.ts";
import { type DocumentEntry, type DocumentState, known, type Lane } from "./ledger.ts";
import { startPatience } from "./patience.ts";
import { shorten } from "./report.ts";

/** What waits or is being processed after a start is to be done after this. */
const maxWaitMs = 90_000;
/** Documents and words of each lane that are searched for where the audit is not thorough. */
const searchedOfLane = 6;

const listAll = async ({ client }: AuditContext): Promise<Json[]> => {
  const documents: Json[] = [];
  for (;;) {
    const path = `/api/document?limit=100&skip=${documents.length}&include=originalText&sortOrder=asc`;
    const page = await client.expect("GET", path);
    documents.push(...page);
    if (page.length < 100) return documents;
  }
};

const isWaiting = ({ status }: Json): boolean => status === "pending" || status === "processing";

/** @returns all documents, none of which waits to be processed any more */
const listDone = async (context: AuditContext): Promise<Json[]> => {
  const patience = startPatience(maxWaitMs);
  try {
    for (;;) {
      const documents = await listAll(context);
      if (!documents.some(isWaiting)) return documents;
      if (patience.signal.aborted) {
        for (const { id, status } of documents.filter(isWaiting))
          context.report.lost.push(`${context.moment}: document ${id} stays ${status}`);
        return documents;
      }
      await Bun.sleep(50);
    }
  } finally {
    patience.stop();
  }
};

const isState = (found: Json, { name, text, metadata, partition }: DocumentState): boolean =>
  found.status === "processed" &&
  found.name === name &&
  found.originalText === text &&
  Bun.deepEquals(found.metadata, metadata) &&
  found.partitionId === (partition?.id ?? null);

/** A request with an Idempotency-Key that is repeated makes nothing new, whether or not it was answered. */
const repeatRequests = async (context: AuditContext, lane: Lane): Promise<void> => {
  const { client, report, moment } = context;
  for (const entry of lane.documents) {
    const { repeat, id, states } = entry;
    if (repeat === null) continue;
    entry.repeat = null;
    const isAcknowledged = states.length === 1 && states[0] !== null;
    if (!isAcknowledged && states.length === 1) continue; // it was refused
    const { status, body } = await client.call("POST", "/api/ingest", repeat.body, { "idempotency-key": repeat.key });
    if (status >= 300) report.answers.push(`${moment}: ${entry.serial} repeated answers ${status} ${shorten(body)}`);
    else if (isAcknowledged && body.id !== id)
      report.lost.push(`${moment}: ${entry.serial} repeated is another document`);
    else {
      entry.states = [states.at(-1) ?? null];
      entry.id = body.id;
    }
  }
};

/** The snippets that a search for a word answers with. */
const search = async ({ client, report }: AuditContext, word: string, scope: object): Promise<Json[]> => {
  report.searched += 1;
  const { relevantSnippets } = await client.expect("POST", "/api/search", { query: `Where is the ${word}?`, ...scope });
  return relevantSnippets;
};

const contentOf = (snippet: Json): string => snippet.metadata.content;

const auditSearch = async (context: AuditContext, entry: DocumentEntry, state: DocumentState): Promise<void> => {
  const { report, moment } = context;
  const found = await search(context, state.word, state.partition === null ? {} : { partitionId: state.partition.id });
  const holding = found.filter((snippet) => contentOf(snippet).includes(state.word));
  if (holding.length === 0) report.lost.push(`${moment}: ${entry.serial} is not found by its word ${state.word}`);
  if (holding.length > 1) report.half.push(`${moment}: ${entry.serial} is found ${holding.length} times`);
};

const auditFile = async (context: AuditContext, { id, serial }: DocumentEntry, file: string): Promise<void> => {
  const { status, body } = await context.client.call("GET", `/api/document/${id}/file`);
  if (status !== 200 || body !== file)
    context.report.lost.push(`${context.moment}: the file of ${serial} is ${status} ${shorten(body)}`);
};

/** Some of a list, the last ones always: they were written before the fault. */
const someOf = <T>(list: readonly T[], lane: Lane, isThorough: boolean): T[] =>
  isThorough || list.length <= searchedOfLane
    ? [...list]
    : [
        ...list.slice(-searchedOfLane / 2),
        ...Array.from({ length: searchedOfLane / 2 }, () => lane.random.pick(list.slice(0, -searchedOfLane / 2))),
      ];

/** Each document's text, metadata, name and partition; what is found and what is not; files; repeated requests. */
export const auditDocuments = async (context: AuditContext, isThorough: boolean): Promise<void> => {
  const { lanes } = context;
  await Promise.all(lanes.map((lane) => repeatRequests(context, lane)));
  const documents = await listDone(context);
  const bySerial = Map.groupBy(documents, ({ metadata }) => String(metadata?.externalId));
  const auditLane = async (lane: Lane): Promise<void> => {
    const inDoubt = lane.documents.filter(({ states }) => states.length > 1);
    for (const entry of lane.documents) {
      const [found = null, ...more] = bySerial.get(entry.serial) ?? [];
      const mayBe = entry.states.flatMap((state) => (state === null ? [] : [state]));
      settle(context, `document ${entry.serial}`, entry, found, (state) => isState(found, state));
      entry.id = found?.id ?? null;
      bySerial.delete(entry.serial);
      if (more.length > 0) reportUnknown(context, "document", [entry.serial]);
      if (!context.reported.has(entry.serial))
        for (const { word } of mayBe) if (word !== entry.states[0]?.word) lane.goneWords.push(word);
    }
    const settled = lane.documents.flatMap((entry) => {
      const state = known(entry);
      return state === null ? [] : [{ entry, state }];
    });
    const searched = settled.filter(({ entry }) => inDoubt.includes(entry));
    for (const { entry, state } of new Set([...searched, ...someOf(settled, lane, isThorough)])) {
      await auditSearch(context, entry, state);
      if (state.file !== null) await auditFile(context, entry, state.file);
    }
    for (const word of someOf(lane.goneWords, lane, isThorough)) {
      if ((await search(context, word, {})).some((snippet) => contentOf(snippet).includes(word)))
        context.report.lost.push(`${context.moment}: a text that was replaced or removed is found by ${word}`);
    }
  };
  await Promise.all(lanes.map(auditLane));
  reportUnknown(context, "document", [...bySerial.keys()]);
};
