import { signal } from "@preact/signals";
import { Globe } from "lucide";
import type { Chat } from "../../../shared/api.ts";
import { EmptyNote } from "../../components/empty-note.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loading } from "../../components/loading.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { frameStrings } from "../../frame/strings.ts";
import type { Pages } from "../../state/use-pages.ts";
import { deletedChats } from "./delete-chat.ts";
import { chatsStrings as words } from "./strings.ts";

/** What is searched in the names; kept while a chat is open. */
export const chatSearch = signal("");

/** The chats, newest first. @param openId the one that is shown beside the list */
export const ChatList = ({ pages, openId }: { pages: Pages<Chat>; openId: string | null }) => {
  const { items, total, error, more } = pages;
  const shown = items?.filter(({ id }) => !deletedChats.value.has(id));
  return (
    <nav class="chat-list" aria-label={words.list}>
      <input
        type="search"
        dir="auto"
        aria-label={words.search}
        placeholder={words.search}
        value={chatSearch.value}
        onInput={({ currentTarget }) => {
          chatSearch.value = currentTarget.value;
        }}
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
      {more !== null && (
        <button type="button" onClick={more}>
          {frameStrings.more(items?.length ?? 0, total ?? 0)}
        </button>
      )}
    </nav>
  );
};
