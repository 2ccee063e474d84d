import type { AuditEntry } from "../../../../shared/api.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateWord } from "../../../components/state-word.tsx";
import { TurnHeader } from "../../../components/turn-header.tsx";
import { settingsStrings } from "../strings.ts";
import { detailWords } from "./detail-words.ts";

const words = settingsStrings.audit;
/** What can still be opened after the change. */
const chatActions: readonly AuditEntry["action"][] = ["chat.changed", "chat.published", "chat.unpublished"];

interface AuditTableProps {
  entries: readonly AuditEntry[];
  isOldestFirst: boolean;
  onTurn(): void;
}

/** Entries of the audit log: when, what, by whom. */
export const AuditTable = ({ entries, isOldestFirst, onTurn }: AuditTableProps) => (
  <div class="table-frame stacks audit">
    <table class="list" aria-label={words.list}>
      <thead>
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.who}</th>
          <TurnHeader name={words.when} isOldestFirst={isOldestFirst} onTurn={onTurn} />
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  </div>
);

const AuditRow = ({ entry }: { entry: AuditEntry }) => {
  const { action, actor, createdAt, details, outcome, requestId, targetId } = entry;
  const told = detailWords(details);
  const isOpenable = targetId !== null && chatActions.includes(action);
  return (
    <tr>
      <td class="name">
        {words.actions[action]}
        {outcome === "failed" && (
          <>
            {" "}
            <StateWord mood="bad">{words.failed}</StateWord>
          </>
        )}
        {told !== "" && (
          <p class="quiet" dir="auto">
            {told}
          </p>
        )}
        {targetId !== null && (
          <p class="quiet">
            {isOpenable ? (
              <a href={`/chats/${encodeURIComponent(targetId)}`}>
                <code>{targetId}</code>
              </a>
            ) : (
              <code>{targetId}</code>
            )}
          </p>
        )}
      </td>
      <td class="name">
        {actor.keyName === null ? words.actors[actor.kind] : <bdi>{actor.keyName}</bdi>}
        <p class="quiet">
          {actor.keyName !== null && `${words.actors[actor.kind]}, `}
          <bdi>{words.user(actor.userId)}</bdi>
          {actor.kind !== "start" && actor.address !== "local" && `, ${words.from(actor.address)}`}
        </p>
      </td>
      <td class="time quiet" title={requestId === null ? undefined : words.request(requestId)}>
        <RelativeTime at={createdAt} />
      </td>
    </tr>
  );
};
