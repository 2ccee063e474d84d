import { useSignal } from "@preact/signals";
import { Settings, Trash2 } from "lucide";
import { useEffect, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { RequestFailure } from "../../client.ts";
import { BackLink } from "../../components/back-link.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { Icon } from "../../components/icon.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { client, mayWrite, session } from "../../state/session.ts";
import { scopeWords } from "../ask/components/scope-words.ts";
import { useScrollToEnd } from "../ask/components/use-scroll-to-end.ts";
import { everything, type Scope } from "../ask/state/scope.ts";
import { useScopeNames } from "../ask/state/use-scope-names.ts";
import { deleteChat } from "./delete-chat.ts";
import { MessageForm } from "./message-form.tsx";
import { PersonChoice, personName } from "./person-choice.tsx";
import { ChatSettingsSheet } from "./settings/chat-settings-sheet.tsx";
import { createThreadState, type ThreadState } from "./state/thread-state.ts";
import { chatsStrings as words } from "./strings.ts";
import { TurnView } from "./turn-view.tsx";

/** As many messages as the server gives of one chat. */
const maxMessages = 1_000;

/** One chat: what was said, what it is about, and where messages are written. */
export const Thread = ({ chatId, onChange }: { chatId: string; onChange(): void }) => {
  const state = useMemo(() => createThreadState(client, chatId, session.peek()?.userId ?? ""), [chatId]);
  useEffect(() => {
    void state.load();
    return state.close;
  }, [state]);
  const chat = state.chat.value;
  const isGone = state.failure.value instanceof RequestFailure && state.failure.value.status === 404;
  return (
    <section class="thread" aria-label={words.thread}>
      <BackLink class="thread-back" href="/chats">
        {words.back}
      </BackLink>
      {isGone ? <p class="quiet">{words.notHere}</p> : <FailureNote error={state.failure.value} />}
      {chat !== null && !isGone && <OpenThread key={chat.id} state={state} onChange={onChange} />}
    </section>
  );
};

const OpenThread = ({ state, onChange }: { state: ThreadState; onChange(): void }) => {
  const person = state.person.value;
  const turns = state.turns.value.filter(({ userId }) => userId === person);
  useScrollToEnd(turns);
  useEffect(() => {
    document.documentElement.scrollTop = document.documentElement.scrollHeight;
  }, [person]);
  const isOwn = person === state.ownId;
  const notice = { up: "", lost: words.lost, back: words.back2 }[state.connection.value];
  const send = (text: string): void => void state.send(text).then(onChange);
  const askAgain = (): void => send(turns.findLast(({ isAnswer }) => !isAnswer)?.text ?? "");
  return (
    <>
      <ThreadHeader state={state} onChange={onChange} />
      <PersonChoice state={state} />
      <div class="thread-turns" role="log" aria-label={words.thread}>
        {state.turns.value.length >= maxMessages && <p class="quiet">{words.newest}</p>}
        {turns.length === 0 && <p class="quiet">{words.start}</p>}
        {turns.map((turn, at) => (
          <TurnView
            key={turn.id}
            turn={turn}
            names={state.names}
            onRated={(feedback) => state.rated(turn.id, feedback)}
            onAskAgain={isOwn && at === turns.length - 1 && !state.isAnswering.value ? askAgain : null}
          />
        ))}
      </div>
      <div class="thread-foot">
        <p class="thread-notice" role="status">
          {notice}
        </p>
        {isOwn ? (
          <MessageForm isAnswering={state.isAnswering.value} onSend={send} onStop={state.stop} />
        ) : (
          <p class="thread-reading">{words.readOnly(personName(person))}</p>
        )}
      </div>
    </>
  );
};

const ThreadHeader = ({ state, onChange }: { state: ThreadState; onChange(): void }) => {
  const { route } = useLocation();
  const isShown = useSignal(false);
  const chat = state.chat.value;
  const scope = useSignal<Scope>({
    ...everything,
    document: chat?.documentId ? { id: chat.documentId, name: "" } : null,
    partition: chat?.partitionId ? { id: chat.partitionId, name: "" } : null,
  });
  useScopeNames(scope);
  if (chat === null) return null;
  return (
    <header class="thread-header">
      <h2 dir="auto">{chat.name}</h2>
      <span class="chip">
        <bdi>{scopeWords(scope.value)}</bdi>
      </span>
      <StateWord mood={chat.public ? "good" : "quiet"}>{chat.public ? words.isPublic : words.isPrivate}</StateWord>
      {mayWrite() && (
        <span class="thread-tools">
          <button
            type="button"
            class="icon-only"
            aria-label={words.settings}
            title={words.settings}
            onClick={() => {
              isShown.value = true;
            }}
          >
            <Icon icon={Settings} />
          </button>
          <button
            type="button"
            class="icon-only"
            aria-label={words.remove}
            title={words.remove}
            onClick={() => {
              deleteChat(chat);
              route("/chats");
            }}
          >
            <Icon icon={Trash2} />
          </button>
        </span>
      )}
      {isShown.value && (
        <ChatSettingsSheet
          chat={chat}
          onSave={async (settings) => {
            await state.change(settings);
            onChange();
          }}
          onClose={() => {
            isShown.value = false;
          }}
        />
      )}
    </header>
  );
};
