import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ApiError, messageOf } from "../domain/errors.ts";
import type { KeptReceipt } from "../domain/records.ts";
import { frameOf } from "../http/frame.ts";
import { routeOptions } from "../http/path-lookup.ts";
import { problemResponse } from "../http/problem.ts";
import type { Extension } from "../http/router.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { senderFrom, senderHeader, senderMark } from "./send-on.ts";

const notesPath = "/internal/notes";

const nullableText = Type.Union([Type.String(), Type.Null()]);
const receiptSchema = Type.Object({
  id: Type.String(),
  organizationId: Type.String(),
  partitionId: nullableText,
  chatId: nullableText,
  messageId: nullableText,
  thread: nullableText,
  documentIds: Type.Array(Type.String()),
  question: Type.String(),
  trace: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Type.Number(),
});
const notesSchema = Type.Object({
  receipts: Type.Array(receiptSchema),
  sessions: Type.Array(Type.Object({ id: Type.String(), seenAt: Type.Number() })),
});

/** What a process that only reads the store has to keep: receipts of its answers, and which sessions are used. */
interface ReaderNotes {
  readonly receipts: { add(receipt: KeptReceipt): void };
  readonly sessions: { touch(id: string, seenAt: number): void };
  /** Resolves when what was noted before the call is at the process that writes, or cannot be. */
  sent(): Promise<void>;
}

/** Beyond that the oldest are lost, while no process writes. */
const maxWaiting = 1_000;
const maxReceiptsInCall = 50;
const callMs = 10_000;
const retryMs = 1_000;
/** A reader of receipts waits no longer for them. */
const maxWaitMs = 3_000;

interface ReaderNotesOptions {
  secret: Uint8Array;
  keeperAddress(): string | null;
  signal: AbortSignal;
  log: Logger;
}

/** Sends them to the process that writes, in order, as soon as one does. */
export const createReaderNotes = ({ secret, keeperAddress, signal, log }: ReaderNotesOptions): ReaderNotes => {
  let receipts: KeptReceipt[] = [];
  let sessions = new Map<string, number>();
  let sending: Promise<void> | null = null;
  let lost = 0;

  const send = async (): Promise<void> => {
    const batch = { receipts: receipts.slice(0, maxReceiptsInCall), sessions: [...sessions] };
    const address = keeperAddress();
    if (address === null) throw new Error("no process writes the shared store");
    const url = new URL(address + notesPath);
    const mark = senderMark(secret, "POST", url.pathname, { clientAddress: "local", operator: null });
    const body = JSON.stringify({
      receipts: batch.receipts,
      sessions: batch.sessions.map(([id, seenAt]) => ({ id, seenAt })),
    });
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", [senderHeader]: mark },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(callMs)]),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    receipts = receipts.slice(batch.receipts.length);
    for (const [id, seenAt] of batch.sessions) if (sessions.get(id) === seenAt) sessions.delete(id);
  };

  const sendAll = async (): Promise<void> => {
    while (receipts.length + sessions.size > 0 && !signal.aborted) {
      try {
        await send();
      } catch (error) {
        if (signal.aborted) return;
        log.debug({ error: messageOf(error) }, "receipts wait for the process that writes the shared store");
        await Bun.sleep(retryMs);
      }
    }
    if (lost > 0) log.warn({ receipts: lost }, "receipts were lost: no process wrote the shared store for too long");
    lost = 0;
  };
  const begin = (): void => {
    sending ??= sendAll().finally(() => {
      sending = null;
    });
  };

  return {
    receipts: {
      add(receipt) {
        receipts.push(receipt);
        if (receipts.length > maxWaiting) {
          receipts.shift();
          lost += 1;
        }
        begin();
      },
    },
    sessions: {
      touch(id, seenAt) {
        if (sessions.size >= maxWaiting) sessions = new Map();
        sessions.set(id, seenAt);
        begin();
      },
    },
    sent: () => Promise.race([sending ?? Promise.resolve(), Bun.sleep(maxWaitMs)]),
  };
};

/** Takes the notes of the other processes of a shared store; for anybody else there is no such path. */
export const createNotesRoute = (store: Pick<Store, "receipts" | "sessions" | "secret">): Extension => ({
  paths: [],
  posts: [notesPath],
  mount(app) {
    app.post(
      notesPath,
      async ({ request }) => {
        const frame = frameOf(request);
        const refuse = (code: "route_not_found" | "invalid_request", detail: string): Response =>
          problemResponse(new ApiError(code, detail), frame.requestId, frame);
        if (senderFrom(store.secret, request) === null)
          return refuse("route_not_found", "No operation has this path. /docs lists every path.");
        const notes: unknown = await request.json().catch(() => null);
        if (!Value.Check(notesSchema, notes)) return refuse("invalid_request", "These are no notes.");
        for (const receipt of notes.receipts) store.receipts.add(receipt);
        for (const { id, seenAt } of notes.sessions) store.sessions.touch(id, seenAt);
        return new Response(null, { status: 204 });
      },
      routeOptions,
    );
  },
});
