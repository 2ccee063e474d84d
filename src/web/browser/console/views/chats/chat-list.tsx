import { signal } from "@preact/signals";
import { Globe } from "lucide";
import type { Chat } from "../../../shared/api.ts";
import { Icon, typeInto } from "../../../shared/controls.tsx";
import { RelativeTime } from "../../components/facts.tsx";
import { MoreButton } from "../../components/lists.tsx";
import { EmptyNote, FailureNote, Loading } from "../../components/notes.tsx";
import type { Pages } from "../../state/loaded.ts";
import { sendUnlessUndone } from "../../state/messages.ts";
import { client } from "../../state/session.ts";
import { chatsStrings as words } from "./strings.ts";

/** What is searched in the names; kept while a chat is open. */
export const chatSearch = signal("");

/** The chats, newest first. @param openId the one that is shown beside the list */
export const ChatList = ({ pages, openId }: { pages: Pages<Chat>; openId: string | null }) => {
  const { items, error } = pages;
  const shown = items?.filter(({ id }) => !deletedChats.value.has(id));
  return (
    <nav class="chat-list" aria-label={words.list}>
      <input
        type="search"
        dir="auto"
        aria-label={words.search}
        placeholder={words.search}
        value={chatSearch.value}
        onInput={typeInto(chatSearch)}
      />
      <FailureNote error={error} onRetry={pages.reload} />
      {shown === undefined && error === null && <Loading />}
      {shown?.length === 0 &&
        (chatSearch.value.trim() === "" ? (
          <EmptyNote title={words.none}>
            <p>{words.noneHint}</p>
          </EmptyNote>
        ) : (
          <p class="quiet">{words.nothingFound}</p>
        ))}
      <ul>
        {shown?.map((chat) => (
          <li key={chat.id}>
            <a href={`/chats/${encodeURIComponent(chat.id)}`} aria-current={chat.id === openId ? "page" : undefined}>
              <bdi class="chat-name">{chat.name}</bdi>
              <span class="chat-facts quiet">
                <RelativeTime at={chat.createdAt} />
                {chat.public && (
                  <span class="chat-public">
                    <Icon icon={Globe} />
                    {words.isPublic}
                  </span>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <MoreButton pages={pages} />
    </nav>
  );
};

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
