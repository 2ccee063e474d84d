import { useSignal } from "@preact/signals";
import { ListFilter, X } from "lucide";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Partition } from "../../../shared/api.ts";
import { Icon, IconButton, Select } from "../../../shared/controls.tsx";
import { Dialog, SubmitActions } from "../../components/dialog.tsx";
import {
  conditionsOf,
  filterOf,
  type MetadataCondition,
  type MetadataOperator,
  readFilter,
  typedValue,
} from "../../components/metadata-filter.ts";
import { useCommands } from "../../state/commands.ts";
import { isByTime, type ListOrder, type ListQuery, orders, statuses } from "./list-query.ts";
import { documentsStrings as texts } from "./strings.ts";

interface FiltersProps {
  query: ListQuery;
  partitions: readonly Partition[];
  /** Whether the list can be ordered otherwise than by time. */
  isFree: boolean;
  /** A change goes back to the first page. */
  onChange(change: Partial<ListQuery>): void;
}

type OfferedCondition = MetadataCondition & { operator: keyof typeof texts.metadataOperators };

const isOffered = (condition: MetadataCondition): condition is OfferedCondition =>
  Object.hasOwn(texts.metadataOperators, condition.operator);

/** As the address and the API have it: empty without conditions. */
const metadataOf = (conditions: readonly MetadataCondition[]): string =>
  conditions.length === 0 ? "" : JSON.stringify(filterOf(conditions));

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
  const conditions = conditionsOf(readFilter(query.metadata)).filter(isOffered);
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
          <Select
            aria-label={texts.partition}
            value={query.partitionId}
            options={[["", texts.anyPartition], ...partitions.map(({ id, name }) => [id, name] as const)]}
            onChoose={(partitionId) => onChange({ partitionId })}
          />
        )}
        <Select
          aria-label={texts.status}
          value={query.status}
          options={[["", texts.anyStatus], ...statuses.map((status) => [status, texts.statuses[status]] as const)]}
          onChoose={(status) => onChange({ status })}
        />
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
              <IconButton
                icon={X}
                label={texts.removeCondition(words)}
                onClick={() => onChange({ metadata: metadataOf(conditions.toSpliced(at, 1)) })}
              />
            </span>
          );
        })}
      </search>
      {isChoosing.value && (
        <MetadataDialog
          onAdd={(condition) => onChange({ metadata: metadataOf([...conditions, condition]) })}
          onClose={() => (isChoosing.value = false)}
        />
      )}
    </>
  );
};

interface OrderChoiceProps {
  order: ListOrder;
  /** Whether the list can be ordered otherwise than by time. */
  isFree: boolean;
  onOrder(order: ListOrder): void;
}

/** The order of the list, where it has no heads of columns: on phones. */
const OrderChoice = ({ order, isFree, onOrder }: OrderChoiceProps) => (
  <Select
    class="order-choice"
    aria-label={texts.order}
    value={order}
    options={orders
      .filter((each) => isFree || isByTime(each) || each === order)
      .map((each) => [each, texts.orders[each]])}
    onChoose={onOrder}
  />
);

interface MetadataDialogProps {
  onAdd(condition: MetadataCondition): void;
  onClose(): void;
}

const maxKeyCharacters = 255;
const maxValueCharacters = 1_000;

/** Asks for a condition on the metadata. */
const MetadataDialog = ({ onAdd, onClose }: MetadataDialogProps) => {
  const form = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const key = String(given.get("key")).trim();
    if (key === "" || key.startsWith("$")) return;
    onAdd({ key, operator: given.get("operator") as MetadataOperator, value: typedValue(String(given.get("value"))) });
    onClose();
  };
  return (
    <Dialog
      title={texts.metadata}
      onClose={onClose}
      actions={<SubmitActions form={form} submit={texts.addCondition} onClose={onClose} />}
    >
      <p class="quiet">{texts.metadataHelp}</p>
      <form id={form} class="form" onSubmit={submit}>
        <label class="field">
          {texts.metadataKey}
          <input name="key" required autofocus maxLength={maxKeyCharacters} pattern="[^$].*" autocomplete="off" />
        </label>
        <label class="field">
          {texts.metadataOperator}
          <select name="operator">
            {Object.entries(texts.metadataOperators).map(([operator, words]) => (
              <option key={operator} value={operator}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {texts.metadataValue}
          <input name="value" required maxLength={maxValueCharacters} autocomplete="off" />
          <span class="hint">{texts.metadataHint}</span>
        </label>
      </form>
    </Dialog>
  );
};
