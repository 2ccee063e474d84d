import type { KeyedQueue } from "../async/keyed-queue.ts";
import { isChatId, notFound } from "../domain/ids.ts";
import type { Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/**
 * Deletes a chat and its messages, never between the check and the write of a message that is being sent.
 * @throws ApiError chat_not_found
 */
export const deleteChat = async (
  deps: { store: Pick<Store, "chats">; chatLocks: KeyedQueue },
  tenant: Tenant,
  id: string,
  signal: AbortSignal,
): Promise<void> => {
  if (!isChatId(id)) throw notFound("chat_not_found");
  const lock = await deps.chatLocks.enter(id, signal);
  try {
    if (!(await deps.store.chats.remove(tenant, id))) throw notFound("chat_not_found");
  } finally {
    lock.release();
  }
};
