import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import type { Chat } from "../../../shared/api.ts";
import { writeTo } from "../../../shared/controls.tsx";
import { Dialog, maxNameCharacters, SubmitActions } from "../../components/dialog.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { QuotingNote } from "../../components/quoting-note.tsx";
import { TextField } from "../../components/text-field.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { useCommands } from "../../state/commands.ts";
import { usePages, useRun } from "../../state/loaded.ts";
import { client, mayWrite } from "../../state/session.ts";
import { everything, scopeFields } from "../answers/scope.ts";
import { ScopePicker } from "../answers/scope-picker.tsx";
import { ChatList, chatSearch, deletedChats } from "./chat-list.tsx";
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
          onClose={() => (isCreating.value = false)}
          onCreated={({ id }) => {
            pages.reload();
            route(`/chats/${encodeURIComponent(id)}`);
          }}
        />
      )}
    </>
  );
};

/** A new chat: its name, and what it is about. */
const CreateChat = ({ onClose, onCreated }: { onClose(): void; onCreated(chat: Chat): void }) => {
  const id = useId();
  const name = useSignal("");
  const scope = useSignal(everything);
  const { failure, isRunning, run } = useRun();
  const create = (event: Event): void => {
    event.preventDefault();
    void run(async () => {
      const named = name.value.trim() === "" ? {} : { name: name.value.trim() };
      onCreated(await client.send<Chat>("POST", "/api/chat", { ...named, ...scopeFields(scope.value) }));
      onClose();
    });
  };
  const actions = <SubmitActions form={id} submit={words.createSubmit} isRunning={isRunning.value} onClose={onClose} />;
  return (
    <Dialog title={words.createTitle} onClose={onClose} actions={actions}>
      <form id={id} class="form" onSubmit={create}>
        <TextField label={words.name} hint={words.nameHint} value={name} maxLength={maxNameCharacters} autofocus />
        <section class="chat-scope" aria-label={words.over}>
          <h3>{words.over}</h3>
          <ScopePicker scope={scope.value} hasMetadata={false} onChange={writeTo(scope)} />
        </section>
        <FailureNote error={failure.value} />
      </form>
    </Dialog>
  );
};
