import { useLocation } from "preact-iso";
import type { AuditEntry } from "../../../shared/api.ts";
import { Select } from "../../../shared/controls.tsx";
import { RelativeTime, StateWord } from "../../components/facts.tsx";
import { ListTable, MoreButton, TurnButton, TurnHeader } from "../../components/lists.tsx";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { usePages } from "../../state/loaded.ts";
import { client } from "../../state/session.ts";
import { auditStrings as words } from "./strings.ts";

const hourMs = 3_600_000;
type Period = keyof typeof words.periods;
/** How far back; all that is kept where there is no length. */
const periodsMs: Record<Period, number | null> = {
  all: null,
  "30d": 30 * 24 * hourMs,
  "7d": 7 * 24 * hourMs,
  "24h": 24 * hourMs,
};
const periods = Object.keys(periodsMs) as Period[];
const actions = Object.keys(words.actions) as AuditEntry["action"][];

/** Who changed what, newest first or oldest first. Filters and order stand in the address. */
export const AuditTab = () => {
  const { query, route } = useLocation();
  const action = actions.find((each) => each === query.action) ?? "";
  const period = periods.find((each) => each === query.period) ?? "all";
  const isOldestFirst = query.order === "oldest";
  const pages = usePages<AuditEntry>(
    (page, stop) => {
      const lengthMs = periodsMs[period];
      const since = lengthMs === null ? null : new Date(Date.now() - lengthMs).toISOString();
      return client.list("/api/audit", { ...page, action, since, sortOrder: isOldestFirst ? "asc" : "" }, stop);
    },
    [action, period, isOldestFirst],
  );
  const { items, total, error, reload } = pages;
  const choose = (change: { action?: string; period?: string; order?: string }) => {
    const order = isOldestFirst ? "oldest" : "newest";
    route(`/settings?${new URLSearchParams({ tab: "audit", action, period, order, ...change })}`, true);
  };
  const turn = () => choose({ order: isOldestFirst ? "newest" : "oldest" });
  const isFiltered = action !== "" || period !== "all";
  return (
    <div class="settings-sections">
      <section>
        <div class="actions audit-filters">
          <h2>
            {words.title}
            {total !== null && <span class="quiet count"> {total.toLocaleString()}</span>}
          </h2>
          <Select
            aria-label={words.action}
            value={action}
            options={[["", words.everyAction], ...actions.map((each) => [each, words.actions[each]] as const)]}
            onChoose={(chosen) => choose({ action: chosen })}
          />
          <Select
            aria-label={words.period}
            value={period}
            options={periods.map((each) => [each, words.periods[each]])}
            onChoose={(chosen) => choose({ period: chosen })}
          />
          <TurnButton name={words.when} isOldestFirst={isOldestFirst} onTurn={turn} />
        </div>
        <p class="quiet">{words.lead}</p>
        <FailureNote error={error} onRetry={reload} />
        {items === undefined && error === null && <Loading />}
        {items?.length === 0 && (
          <p class="quiet" role="status">
            {isFiltered ? words.nothingFits : words.nothing}
          </p>
        )}
        {items !== undefined && items.length > 0 && (
          <AuditTable entries={items} isOldestFirst={isOldestFirst} onTurn={turn} />
        )}
        <MoreButton pages={pages} />
      </section>
    </div>
  );
};

/** What can still be opened after the change. */
const chatActions: readonly AuditEntry["action"][] = ["chat.changed", "chat.published", "chat.unpublished"];

interface AuditTableProps {
  entries: readonly AuditEntry[];
  isOldestFirst: boolean;
  onTurn(): void;
}

/** Entries of the audit log: when, what, by whom. */
const AuditTable = ({ entries, isOldestFirst, onTurn }: AuditTableProps) => (
  <ListTable
    stacks
    class="audit"
    label={words.list}
    columns={[
      words.what,
      words.who,
      <TurnHeader key="when" name={words.when} isOldestFirst={isOldestFirst} onTurn={onTurn} />,
    ]}
  >
    {entries.map((entry) => (
      <AuditRow key={entry.id} entry={entry} />
    ))}
  </ListTable>
);

const AuditRow = ({ entry }: { entry: AuditEntry }) => {
  const { action, actor, createdAt, details, outcome, requestId, targetId } = entry;
  const told = detailWords(details);
  const isOpenable = targetId !== null && chatActions.includes(action);
  const place = actor.kind !== "start" && actor.address !== "local" ? words.from(actor.address) : "";
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
          {actor.userId !== "" && <bdi>{words.user(actor.userId)}</bdi>}
          {actor.userId !== "" && place !== "" && ", "}
          {place}
        </p>
      </td>
      <td class="time quiet" title={requestId === null ? undefined : words.request(requestId)}>
        <RelativeTime at={createdAt} />
      </td>
    </tr>
  );
};

const detailNames = words.details;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
/** As the API writes times. */
const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Settings of a change in a line: "name: Website search · role: reader". What is not set is left out. */
const detailWords = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${nameWords(name)}: ${valueWords(value)}`)
    .join(" · ");

const nameWords = (name: string): string =>
  Object.hasOwn(detailNames, name) ? detailNames[name as keyof typeof detailNames] : name;

const valueWords = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  if (typeof value === "boolean") return words.truth[value ? "true" : "false"];
  if (typeof value === "string" && isTime.test(value)) return day.format(new Date(value));
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
