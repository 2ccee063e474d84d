import { useSignal } from "@preact/signals";
import { useLocation, useRoute } from "preact-iso";
import type { Chat } from "../../../shared/api.ts";
import { QuotingNote } from "../../components/quoting-note.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { useCommands } from "../../state/commands.ts";
import { client, mayWrite } from "../../state/session.ts";
import { usePages } from "../../state/use-pages.ts";
import { ChatList, chatSearch } from "./chat-list.tsx";
import { CreateChat } from "./create-chat.tsx";
import { deletedChats } from "./delete-chat.ts";
import { chatsStrings as words } from "./strings.ts";
import { Thread } from "./thread.tsx";

/** Chats: the list at the left, the one that is open at the right. */
export const ChatsView = () => {
  const { route } = useLocation();
  const { params } = useRoute();
  const openId = params.id === undefined ? null : params.id;
  const isCreating = useSignal(false);
  const pages = usePages<Chat>(
    (query, stop) => client.list("/api/chat", { ...query, searchValue: chatSearch.value.trim() }, stop),
    [chatSearch.value],
  );
  const create = () => {
    isCreating.value = true;
  };
  useCommands(
    () => (mayWrite() ? [{ id: "create-chat", title: words.create, keys: "n", run: create }] : []),
    [mayWrite()],
  );
  const isShown = openId !== null && !deletedChats.value.has(openId);
  return (
    <>
      <ViewHeader title={words.title} count={pages.total}>
        {mayWrite() && (
          <button type="button" class="primary" onClick={create}>
            {words.create}
          </button>
        )}
      </ViewHeader>
      <div class={isShown ? "chats with-thread" : "chats"}>
        <ChatList pages={pages} openId={openId} />
        {isShown ? (
          <Thread key={openId} chatId={openId} onChange={pages.reload} />
        ) : (
          (pages.items?.length ?? 0) > 0 && <p class="chats-choose quiet">{words.choose}</p>
        )}
      </div>
      {!isShown && <QuotingNote />}
      {isCreating.value && (
        <CreateChat
          onClose={() => {
            isCreating.value = false;
          }}
          onCreated={({ id }) => {
            pages.reload();
            route(`/chats/${encodeURIComponent(id)}`);
          }}
        />
      )}
    </>
  );
};
