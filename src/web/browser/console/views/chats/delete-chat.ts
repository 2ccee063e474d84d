import { signal } from "@preact/signals";
import type { Chat } from "../../../shared/api.ts";
import { sendUnlessUndone } from "../../components/toasts.tsx";
import { client } from "../../state/session.ts";
import { chatsStrings as words } from "./strings.ts";

/** Chats that were deleted here: they are hidden while the deletion can be undone, and after it. */
export const deletedChats = signal<ReadonlySet<string>>(new Set());

/** Deletes a chat in ten seconds, unless that is undone. */
export const deleteChat = ({ id, name }: Pick<Chat, "id" | "name">): void => {
  deletedChats.value = new Set([...deletedChats.peek(), id]);
  sendUnlessUndone({
    text: words.removed(name ?? ""),
    send: () => client.send("DELETE", `/api/chat/${encodeURIComponent(id)}`),
    takeBack() {
      deletedChats.value = new Set([...deletedChats.peek()].filter((one) => one !== id));
    },
  });
};
