import type { Answer } from "./client.ts";
import type { Random } from "./random.ts";

/**
 * What the server may hold of one record after a fault. One state: it was acknowledged. Several: a write of it was
 * under way, and either outcome is right, but no mixture. `null` stands for no such record.
 */
export interface Entry<State> {
  /** As the server names it; null while that is not known. */
  id: string | null;
  states: (State | null)[];
}

export interface DocumentState {
  name: string;
  text: string;
  /** Occurs in this text and in no other. */
  word: string;
  metadata: Record<string, unknown>;
  partition: PartitionEntry | null;
  /** Content of the uploaded file, which is to come back byte for byte. */
  file: string | null;
}

export interface DocumentEntry extends Entry<DocumentState> {
  /** In its metadata under all circumstances: by this it is known again. */
  serial: string;
  /** The request that made it, to be repeated after the fault; until then nothing else is done to the document. */
  repeat: { key: string; body: object } | null;
}

type PartitionEntry = Entry<{ name: string }>;

export interface ChatState {
  title: string;
  /** What was sent, with the id and text of the answer where that was acknowledged. */
  messages: { sent: string; answer: { id: string; message: string } | null }[];
}
type ChatEntry = Entry<ChatState>;

interface KeyEntry extends Entry<{ name: string }> {
  /** Null where its making was never answered. */
  secret: string | null;
}

/** The records of one writer: nobody else touches them, so that their order is known. */
export interface Lane {
  name: string;
  random: Random;
  made: number;
  /** The kind of write it is at: names say by which kind their record was written. */
  doing: string;
  documents: DocumentEntry[];
  partitions: PartitionEntry[];
  chats: ChatEntry[];
  keys: KeyEntry[];
  /** Words of texts that were replaced or removed since the last audit. */
  goneWords: string[];
}

export const createLanes = (count: number, random: Random): Lane[] =>
  Array.from({ length: count }, (_, number) => ({
    name: `lane${number}`,
    random: random.fork(),
    made: 0,
    doing: "",
    documents: [],
    partitions: [],
    chats: [],
    keys: [],
    goneWords: [],
  }));

/** The state where it is known and not "none". */
export const known = <State>({ states }: Entry<State>): State | null =>
  states.length === 1 ? (states[0] ?? null) : null;

/** Refusals that leave everything as it was: of a request that comes at a bad moment, or when the disk is full. */
const refusals = ["document_busy", "overloaded", "draining", "storage_unavailable", "partition_not_empty"];

/** The server refused what it should have done. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
}

/**
 * Carries a write out and keeps the book of it: in doubt until it is answered.
 * @param isManySteps where it is refused midway, what is done stays done: all of it stays in doubt
 * @returns the answer; null where it was refused, and nothing is to have changed
 * @throws ConnectionLost; UnexpectedAnswer
 */
export const attempt = async (
  changes: readonly (() => { done(): void; refused(): void })[],
  send: () => Promise<Answer>,
  isManySteps = false,
): Promise<Answer | null> => {
  const begun = changes.map((begin) => begin());
  const answer = await send();
  if (answer.status < 300) {
    for (const { done } of begun) done();
    return answer;
  }
  if (!isManySteps) for (const { refused } of begun) refused();
  if (refusals.includes(answer.body?.code)) return null;
  throw new UnexpectedAnswer(`${answer.status}: ${JSON.stringify(answer.body)}`);
};

/** One record's part in a write: from what it is to `to`. */
export const change =
  <State>(entry: Entry<State>, to: State | null) =>
  (): { done(): void; refused(): void } => {
    const before = entry.states;
    entry.states = [...before, to];
    return {
      done() {
        entry.states = [to];
      },
      refused() {
        entry.states = before;
      },
    };
  };
