import type { VisitorLimits } from "../access/visitor-limits.ts";
import { isChatId } from "../domain/ids.ts";
import type { Chat } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/**
 * Finds chats for pages that anybody may open: a private chat and an unknown one look the same. Guessing ids is slowed
 * down.
 */
export const createPublicChats =
  ({ chats }: Pick<Store, "chats">, limits: VisitorLimits) =>
  /** @throws ApiError rate_limited */
  async (id: string, clientAddress: string): Promise<Chat | null> => {
    await limits.admit(clientAddress);
    const chat = isChatId(id) ? await chats.find(id) : null;
    return chat?.public ? chat : null;
  };
