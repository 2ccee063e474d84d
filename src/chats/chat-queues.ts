import { createKeyedQueue, type KeyedQueue } from "../async/keyed-queue.ts";
import { ApiError } from "../domain/errors.ts";

export interface ChatQueues {
  /** The messages of one conversation are answered one after another. */
  threads: KeyedQueue;
  /** Held while a chat is written to or deleted. */
  chatLocks: KeyedQueue;
}

/** Far more than a person sends before the first answer arrives. */
const maxWaiting = 100;

export const createChatQueues = (): ChatQueues => ({
  threads: createKeyedQueue({ maxWaiting, tooManyWaiting }),
  chatLocks: createKeyedQueue({ maxWaiting, tooManyWaiting }),
});

const tooManyWaiting = (): ApiError =>
  new ApiError("overloaded", "Too many messages wait for an answer in this conversation: send it again later.", {
    headers: { "Retry-After": "5" },
  });
