import { useSignal } from "@preact/signals";
import { ListFilter, X } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import type { Partition } from "../../../shared/api.ts";
import { Icon } from "../../components/icon.tsx";
import { useCommands } from "../../state/commands.ts";
import { type ListQuery, statuses } from "./list-query.ts";
import { readMetadata, writeMetadata } from "./metadata-condition.ts";
import { MetadataDialog } from "./metadata-dialog.tsx";
import { OrderChoice } from "./order/order-choice.tsx";
import { documentsStrings as texts } from "./strings.ts";

interface FiltersProps {
  query: ListQuery;
  partitions: readonly Partition[];
  /** Whether the list can be ordered otherwise than by time. */
  isFree: boolean;
  /** A change goes back to the first page. */
  onChange(change: Partial<ListQuery>): void;
}

/** How long nobody types before the names are searched. */
const quietMs = 200;

/** What narrows the list: words of the name, partition, state, metadata. */
export const Filters = ({ query, partitions, isFree, onChange }: FiltersProps) => {
  const field = useRef<HTMLInputElement>(null);
  const isChoosing = useSignal(false);
  useCommands(() => [
    { id: "documents.search", title: texts.commands.search, keys: "/", run: () => field.current?.focus() },
  ]);
  useEffect(() => {
    if (field.current !== null && document.activeElement !== field.current) field.current.value = query.search;
  }, [query.search]);
  const timer = useRef(0);
  const search = (text: string, waitMs: number) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onChange({ search: text.trim() }), waitMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const conditions = readMetadata(query.metadata);
  return (
    <>
      <search class="filters">
        <input
          ref={field}
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          maxLength={255}
          defaultValue={query.search}
          onInput={(event) => search(event.currentTarget.value, quietMs)}
          onKeyDown={(event) => {
            if (event.key === "Enter") search(event.currentTarget.value, 0);
            if (event.key === "Escape" && event.currentTarget.value === "") event.currentTarget.blur();
          }}
        />
        {partitions.length > 0 && (
          <select
            aria-label={texts.partition}
            value={query.partitionId}
            onChange={(event) => onChange({ partitionId: event.currentTarget.value })}
          >
            <option value="">{texts.anyPartition}</option>
            {partitions.map(({ id, name }) => (
              <option key={id} value={id} dir="auto">
                {name}
              </option>
            ))}
          </select>
        )}
        <select
          aria-label={texts.status}
          value={query.status}
          onChange={(event) => onChange({ status: event.currentTarget.value as ListQuery["status"] })}
        >
          <option value="">{texts.anyStatus}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {texts.statuses[status]}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => (isChoosing.value = true)}>
          <Icon icon={ListFilter} />
          {texts.metadata}
        </button>
        <OrderChoice order={query.order} isFree={isFree} onOrder={(order) => onChange({ order })} />
        {conditions.map((condition, at) => {
          const words = `${condition.key} ${texts.metadataOperators[condition.operator]} ${String(condition.value)}`;
          return (
            <span key={words} class="chip">
              <span dir="auto">{words}</span>
              <button
                type="button"
                class="icon-only"
                aria-label={texts.removeCondition(words)}
                onClick={() => onChange({ metadata: writeMetadata(conditions.toSpliced(at, 1)) })}
              >
                <Icon icon={X} />
              </button>
            </span>
          );
        })}
      </search>
      {isChoosing.value && (
        <MetadataDialog
          onAdd={(condition) => onChange({ metadata: writeMetadata([...conditions, condition]) })}
          onClose={() => (isChoosing.value = false)}
        />
      )}
    </>
  );
};
