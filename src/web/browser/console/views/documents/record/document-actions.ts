import { signal } from "@preact/signals";
import { messageOf } from "../../../../../../domain/errors.ts";
import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { type Client, RequestFailure } from "../../../state/client.ts";
import { holdPage, offerUndo, sendUnlessUndone, startWork, toast } from "../../../state/messages.ts";
import { isReadable, type StatusChange } from "./document-words.ts";
import { recordStrings as texts } from "./strings.ts";

/** Grows with every change that was made here: lists load again. */
export const documentsChanged = signal(0);

export const noteChange = (): void => {
  documentsChanged.value += 1;
};

type Named = Pick<DocumentRecord, "id" | "name">;

/** Tells of what was not done. @returns whether all was */
const tellFaults = <T>({ failed, left }: Outcome<T>, all: number): boolean => {
  const [first] = failed;
  if (first !== undefined) toast(texts.notAll(failed.length, all, messageOf(first.error)), "failed");
  if (left.length > 0) toast(texts.stopped(all - left.length, all));
  return first === undefined && left.length === 0;
};

const tellOf = <T>(outcome: Outcome<T>, all: number, done: (number: number) => string): void => {
  noteChange();
  if (tellFaults(outcome, all)) toast(done(all));
};

const path = (id: string, action = ""): string => `/api/document/${encodeURIComponent(id)}${action}`;

/** Deletes after ten seconds, in which "Undo" brings them back. */
export const deleteDocuments = (client: Client, documents: readonly Named[]): void => {
  const ids = documents.map(({ id }) => id);
  const [first] = documents;
  if (first === undefined) return;
  hideDocuments(ids);
  const release = ids.length > maxKeptAlive ? holdPage() : () => {};
  sendUnlessUndone({
    text: documents.length === 1 ? texts.deletedOne(first.name) : texts.deleted(documents.length),
    async send() {
      const outcome = await runEach(texts.deleting, ids, async (id) => {
        await client.send("DELETE", path(id)).catch((error: unknown) => {
          // What is gone is what was wanted.
          if (!(error instanceof RequestFailure && error.status === 404)) throw error;
        });
      });
      release();
      noteChange();
      showDocuments([...outcome.failed.map(({ item }) => item), ...outcome.left]);
      tellFaults(outcome, ids.length);
    },
    takeBack() {
      release();
      showDocuments(ids);
    },
  });
};

/** Has the failed ones among these read again. */
export const retryDocuments = async (client: Client, documents: readonly DocumentRecord[]): Promise<void> => {
  const failed = documents.filter(({ status }) => status === "failed");
  if (failed.length === 0) return toast(texts.nothingToRetry);
  const retry = ({ id }: Named) => client.send("POST", path(id, "/retry"));
  tellOf(await runEach(texts.retrying, failed, retry), failed.length, texts.retried);
};

/** Has those read again that are not being read already. */
export const rereadDocuments = async (client: Client, documents: readonly DocumentRecord[]): Promise<void> => {
  const readable = documents.filter(isReadable);
  const reread = ({ id }: Named) => client.send("POST", path(id, "/reread"));
  tellOf(await runEach(texts.retrying, readable, reread), readable.length, texts.retried);
};

/** Puts each into another partition; for ten seconds "Undo" puts them back. @param partitionId null: out of its partition */
export const moveDocuments = async (
  client: Client,
  documents: readonly DocumentRecord[],
  partitionId: string | null,
): Promise<void> => {
  const put = (id: string, place: string | null) => client.send("PUT", path(id), { partitionId: place });
  const outcome = await runEach(texts.moving, documents, ({ id }) => put(id, partitionId));
  noteChange();
  tellFaults(outcome, documents.length);
  const undone = new Set([...outcome.failed.map(({ item }) => item), ...outcome.left]);
  const moved = documents.filter((document) => !undone.has(document));
  if (moved.length === 0) return;
  offerUndo(texts.moved(moved.length), async () => {
    const back = await runEach(texts.moving, moved, (document) => put(document.id, document.partitionId));
    noteChange();
    tellFaults(back, moved.length);
  });
};

/** Ends the waiting of a document that is not read yet. */
export const cancelDocument = async (client: Client, { id }: Named): Promise<void> => {
  try {
    await client.send("POST", path(id, "/cancel"));
  } catch (error) {
    toast(messageOf(error), "failed");
  }
  noteChange();
};

/** How many changes are under way at once; the browser opens six connections to a server. */
const maxAtOnce = 4;
/** A page that is being left sends so many more at most; browsers keep few requests alive that outlive their page. */
const maxKeptAlive = 100;
/** Fewer are done before anybody could read how far they are. */
const minShown = 20;

interface Failed<T> {
  item: T;
  error: unknown;
}

interface Outcome<T> {
  failed: readonly Failed<T>[];
  /** What was not begun, since somebody stopped it. */
  left: readonly T[];
}

/**
 * Does the same with each item, a few at a time. All are tried, unless somebody stops it: of many, the progress is shown.
 * @param title what is done, for that: "Deleting documents"
 */
const runEach = async <T>(
  title: string,
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
): Promise<Outcome<T>> => {
  const failed: Failed<T>[] = [];
  const waiting = [...items];
  const left: T[] = [];
  const work = items.length < minShown ? null : startWork(title, items.length, () => left.push(...waiting.splice(0)));
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await run(item);
      } catch (error) {
        failed.push({ item, error });
      }
      work?.advance();
    }
  };
  // A page that is being left gets no second turn: then many are sent at once.
  const lanes = Math.min(waiting.length, document.visibilityState === "hidden" ? maxKeptAlive : maxAtOnce);
  await Promise.all(Array.from({ length: lanes }, lane));
  work?.end();
  return { failed, left };
};

/** Documents that are deleted for the reader, though the deletion waits for its "Undo" to pass. */
export const hiddenDocuments = signal<ReadonlySet<string>>(new Set());

const hideDocuments = (ids: readonly string[]): void => {
  hiddenDocuments.value = new Set([...hiddenDocuments.peek(), ...ids]);
};

const showDocuments = (ids: readonly string[]): void => {
  hiddenDocuments.value = new Set([...hiddenDocuments.peek()].filter((id) => !ids.includes(id)));
};

/** How a document goes on that waits or is being read, as the server tells it; up to the end of the connection. */
export async function* statusChanges(
  client: Pick<Client, "events">,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<StatusChange, void, undefined> {
  for await (const { data } of client.events(path(id, "/events"), null, signal)) yield data as StatusChange;
}
