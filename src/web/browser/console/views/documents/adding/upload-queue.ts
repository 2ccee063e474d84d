import { type Signal, signal } from "@preact/signals";
import { messageOf } from "../../../../../../domain/errors.ts";

/** A file that was not taken. */
export class SendFailure extends Error {
  override readonly name = "SendFailure";
  /** @param again when it can be tried again: after so many milliseconds, some time later, or never by itself */
  constructor(
    message: string,
    readonly again: number | "later" | null,
  ) {
    super(message);
  }
}

/** `sent`: the server has it and reads it. */
export type UploadState = "waiting" | "sending" | "sent" | "ready" | "failed";

export interface Upload<Item> {
  readonly id: number;
  readonly name: string;
  readonly item: Item;
  state: UploadState;
  /** 0 to 1 of its bytes. */
  share: number;
  documentId: string | null;
  error: string | null;
}

interface UploadQueue<Item> {
  /** All of them, in the order they were added. Read it after `changed`. */
  readonly uploads: readonly Upload<Item>[];
  /** Grows when something changed, at most ten times a second. */
  readonly changed: Signal<number>;
  /** Why nothing is sent at the moment, though there is something to send; null: it is. */
  readonly pausedBy: Signal<string | null>;
  add(items: readonly { name: string; item: Item }[]): void;
  /** Documents that the server took in another way; they are followed with the files. */
  addSent(documents: readonly { name: string; item: Item; documentId: string }[]): void;
  /** Sends a file that was not taken again. */
  resend(upload: Upload<Item>): void;
  /** Another state of a document that the server has. */
  settle(upload: Upload<Item>, state: "sent" | "ready" | "failed", error: string | null): void;
  /** Sends nothing more; what is not sent is dropped. @returns how many */
  stop(): number;
  remove(upload: Upload<Item>): void;
  /** Forgets what is ready, or failed. */
  clear(): void;
  /** Forgets all; nothing is stopped. */
  forgetAll(): void;
}

interface UploadQueueOptions<Item> {
  send(item: Item, options: { onProgress(share: number): void; signal: AbortSignal }): Promise<string>;
  /** How many are sent at once: the browser opens six connections, and the page needs some. */
  maxAtOnce?: number;
  /** The first pause where the server names none; it doubles up to `maxPauseMs`. */
  firstPauseMs?: number;
  maxPauseMs?: number;
}

/** Attempts at a file while the server is busy or away: some ten minutes with the longest pauses. */
const maxAttempts = 24;
const noticeMs = 100;

/** Sends files a few at a time; waits while the server is busy or away. */
export const createUploadQueue = <Item>({
  send,
  maxAtOnce = 4,
  firstPauseMs = 1_000,
  maxPauseMs = 30_000,
}: UploadQueueOptions<Item>): UploadQueue<Item> => {
  let uploads: Upload<Item>[] = [];
  let lastId = 0;
  let stopping = new AbortController();
  let running = 0;
  /** None before this one waits. */
  let from = 0;
  let noticing = false;
  const changed = signal(0);
  const pausedBy = signal<string | null>(null);

  const notice = (): void => {
    if (noticing) return;
    noticing = true;
    setTimeout(() => {
      noticing = false;
      changed.value += 1;
    }, noticeMs);
  };

  const trySend = async (upload: Upload<Item>, stop: AbortSignal): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const onProgress = (share: number) => {
          upload.share = share;
          notice();
        };
        upload.documentId = await send(upload.item, { onProgress, signal: stop });
        upload.state = "sent";
        pausedBy.value = null;
        return;
      } catch (error) {
        if (stop.aborted) return;
        const again = error instanceof SendFailure ? error.again : null;
        if (again === null || attempt >= maxAttempts) {
          upload.state = "failed";
          upload.error = messageOf(error);
          return;
        }
        pausedBy.value = messageOf(error);
        upload.share = 0;
        notice();
        await pause(again === "later" ? Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1)) : again, stop);
        if (stop.aborted) return;
      }
    }
  };

  const work = async (): Promise<void> => {
    running += 1;
    const stop = stopping.signal;
    for (let next = waiting(); next !== undefined && !stop.aborted; next = waiting()) {
      next.state = "sending";
      notice();
      await trySend(next, stop);
      notice();
    }
    // Those that were stopped count no more.
    if (stop.aborted) return;
    running -= 1;
    if (running === 0) pausedBy.value = null;
  };
  const waiting = (): Upload<Item> | undefined => {
    while (from < uploads.length && uploads[from]?.state !== "waiting") from += 1;
    return uploads[from];
  };
  const start = (): void => {
    while (running < maxAtOnce && waiting() !== undefined) void work();
  };
  const append = (made: Omit<Upload<Item>, "id">[]): void => {
    for (const upload of made) {
      lastId += 1;
      uploads.push({ id: lastId, ...upload });
    }
    notice();
    start();
  };
  const drop = (isDropped: (upload: Upload<Item>) => boolean): number => {
    const before = uploads.length;
    uploads = uploads.filter((upload) => !isDropped(upload));
    from = 0;
    notice();
    return before - uploads.length;
  };
  const fresh = { share: 0, documentId: null, error: null };

  return {
    get uploads() {
      return uploads;
    },
    changed,
    pausedBy,
    add: (items) => append(items.map(({ name, item }) => ({ name, item, state: "waiting", ...fresh }))),
    addSent: (documents) =>
      append(documents.map(({ documentId, ...rest }) => ({ ...rest, state: "sent", ...fresh, share: 1, documentId }))),
    resend(upload) {
      Object.assign(upload, { state: "waiting", ...fresh });
      from = 0;
      notice();
      start();
    },
    settle(upload, state, error) {
      upload.state = state;
      upload.error = error;
      notice();
    },
    stop() {
      stopping.abort();
      stopping = new AbortController();
      running = 0;
      pausedBy.value = null;
      return drop(({ state }) => state === "waiting" || state === "sending");
    },
    remove: (upload) => void drop((each) => each === upload),
    forgetAll: () => void drop(() => true),
    clear: () => void drop(({ state }) => state === "ready" || state === "failed"),
  };
};

const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
