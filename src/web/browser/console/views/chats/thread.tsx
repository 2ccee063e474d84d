import { useSignal } from "@preact/signals";
import { RotateCcw, Settings, Trash2 } from "lucide";
import { useEffect, useId, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { doubtOf } from "../../../../../answers/doubt.ts";
import { AnswerText, DoubtNote } from "../../../shared/answer-text.tsx";
import type { Feedback } from "../../../shared/api.ts";
import { Composer } from "../../../shared/composer.tsx";
import { Icon, IconButton, Select, writeTo } from "../../../shared/controls.tsx";
import { CopyButton, RelativeTime, StateWord } from "../../components/facts.tsx";
import { BackLink } from "../../components/lists.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { RequestFailure } from "../../state/client.ts";
import { client, mayWrite, session } from "../../state/session.ts";
import { useScrollToEnd } from "../answers/answer-stream.ts";
import type { DocumentNames } from "../answers/document-names.ts";
import { RateThis } from "../answers/rate-answer.tsx";
import { ReceiptLine } from "../answers/receipt.tsx";
import { everything, type Scope } from "../answers/scope.ts";
import { scopeWords, useScopeNames } from "../answers/scope-picker.tsx";
import { SourceCards, sourcesWords, useJoinedSources } from "../answers/source-cards.tsx";
import { deleteChat } from "./chat-list.tsx";
import { ChatSettingsSheet } from "./chat-settings-sheet.tsx";
import { chatsStrings as words } from "./strings.ts";
import { createThreadState, type ThreadState } from "./thread-state.ts";
import type { Turn } from "./turns.ts";

interface TurnViewProps {
  turn: Turn;
  names: DocumentNames;
  /** Keeps what was said of the answer. */
  onRated(feedback: Feedback | null): void;
  /** Sends the last question again; null for all turns but the last. */
  onAskAgain: (() => void) | null;
}

/** A question or an answer of a conversation. */
const TurnView = (props: TurnViewProps) => (props.turn.isAnswer ? <Answer {...props} /> : <Question {...props} />);

const AskAgain = ({ onAskAgain }: Pick<TurnViewProps, "onAskAgain">) =>
  onAskAgain !== null && (
    <button type="button" onClick={onAskAgain}>
      <Icon icon={RotateCcw} />
      {words.askAgain}
    </button>
  );

const Question = ({ turn, onAskAgain }: TurnViewProps) => (
  <article class="turn question">
    <h3 class="unseen">{words.you}</h3>
    <p class="text" dir="auto">
      {turn.text}
    </p>
    {turn.phase === "unanswered" && (
      <div class="actions">
        <span class="quiet">{words.unanswered}</span>
        <AskAgain onAskAgain={onAskAgain} />
      </div>
    )}
  </article>
);

const Answer = ({ turn, names, onRated, onAskAgain }: TurnViewProps) => {
  const { passages, text } = turn;
  const sources = useJoinedSources(passages, text);
  const isWritten = turn.phase === "writing";
  return (
    <article class="turn answer" aria-busy={isWritten}>
      <h3 class="unseen">{words.answer}</h3>
      {isWritten && text === "" && <p class="quiet">{words.searching}</p>}
      <AnswerText {...sources.answer} />
      {turn.receipt !== null && <DoubtNote doubt={doubtOf(turn.receipt)} />}
      {turn.phase === "stopped" && turn.failure === null && <p class="quiet">{words.stopped}</p>}
      <FailureNote error={turn.failure} />
      {!isWritten && passages.length > 0 && (
        <details class="turn-sources">
          <summary>{sourcesWords(passages, text)}</summary>
          <SourceCards {...sources.cards} names={names} />
        </details>
      )}
      {turn.messageId !== null && (
        <ReceiptLine id={turn.messageId} receipt={turn.receipt} passages={passages} names={names} />
      )}
      {!isWritten && (
        <div class="actions">
          {text !== "" && <CopyButton text={text} label={words.copyAnswer} />}
          {turn.phase === "stopped" && <AskAgain onAskAgain={onAskAgain} />}
          {turn.messageId !== null && (
            <RateThis answer={{ messageId: turn.messageId }} given={turn.feedback} onChange={onRated} names={names} />
          )}
          {turn.sentAt !== null && (
            <span class="quiet">
              <RelativeTime at={turn.sentAt} />
            </span>
          )}
        </div>
      )}
    </article>
  );
};

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
  const id = useId();
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
          <Composer
            id={id}
            words={words}
            isAnswering={state.isAnswering.value}
            takesFocus
            onSend={send}
            onStop={state.stop}
          />
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
          <IconButton icon={Settings} label={words.settings} isTitled onClick={() => (isShown.value = true)} />
          <IconButton
            icon={Trash2}
            label={words.remove}
            isTitled
            onClick={() => {
              deleteChat(chat);
              route("/chats");
            }}
          />
        </span>
      )}
      {isShown.value && (
        <ChatSettingsSheet
          chat={chat}
          onSave={async (settings) => {
            await state.change(settings);
            onChange();
          }}
          onClose={() => (isShown.value = false)}
        />
      )}
    </header>
  );
};

/** Ids that the server gives to visitors without a key: 128 random bits in base64url. */
const visitorId = /^[A-Za-z0-9_-]{22}$/;

/** A person by the name that the caller gave, a visitor by the beginning of the id. */
const personName = (userId: string): string => (visitorId.test(userId) ? words.visitor(userId) : userId);

/** Whose conversation is read: one's own, or that of a visitor or another user of the chat. */
const PersonChoice = ({ state }: { state: ThreadState }) => {
  const people = state.people.value;
  if (people.length < 2) return null;
  return (
    <label class="person-choice">
      <span class="quiet">{words.whose}</span>
      <Select
        value={state.person.value}
        options={people.map(({ userId, messages }) => [
          userId,
          words.person(userId === state.ownId ? words.own : personName(userId), messages),
        ])}
        onChoose={writeTo(state.person)}
      />
    </label>
  );
};
