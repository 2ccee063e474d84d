import { useLocation } from "preact-iso";
import type { AuditEntry } from "../../../../shared/api.ts";
import { FailureNote } from "../../../components/failure-note.tsx";
import { Loading } from "../../../components/loading.tsx";
import { MoreButton } from "../../../components/more-button.tsx";
import { TurnButton } from "../../../components/turn-header.tsx";
import { client } from "../../../state/session.ts";
import { usePages } from "../../../state/use-pages.ts";
import { settingsStrings } from "../strings.ts";
import { AuditTable } from "./audit-table.tsx";

const words = settingsStrings.audit;
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
          <select
            aria-label={words.action}
            value={action}
            onChange={(event) => choose({ action: event.currentTarget.value })}
          >
            <option value="">{words.everyAction}</option>
            {actions.map((each) => (
              <option key={each} value={each}>
                {words.actions[each]}
              </option>
            ))}
          </select>
          <select
            aria-label={words.period}
            value={period}
            onChange={(event) => choose({ period: event.currentTarget.value })}
          >
            {periods.map((each) => (
              <option key={each} value={each}>
                {words.periods[each]}
              </option>
            ))}
          </select>
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
