import { type Signal, useSignal } from "@preact/signals";
import { Plus, X } from "lucide";
import { useEffect, useId } from "preact/hooks";
import type { Document, Partition } from "../../../shared/api.ts";
import { Icon, IconButton, Select, typeInto } from "../../../shared/controls.tsx";
import {
  conditionsOf,
  filterOf,
  type MetadataFilter,
  type MetadataOperator,
  typedValue,
} from "../../components/metadata-filter.ts";
import { SelectField } from "../../components/text-field.tsx";
import { useLoaded } from "../../state/loaded.ts";
import { client, session } from "../../state/session.ts";
import { isEverything, type Scope } from "./scope.ts";
import { answerStrings as words } from "./strings.ts";

interface ScopePickerProps {
  scope: Scope;
  onChange(scope: Scope): void;
  /** False where only a document or a partition can be chosen, as for a chat. */
  hasMetadata?: boolean;
}

type Kind = "everything" | "partition" | "document";

const maxPartitions = 100;

/** What a question or a chat is over: everything, a partition or a document, and conditions on metadata. */
export const ScopePicker = ({ scope, onChange, hasMetadata = true }: ScopePickerProps) => {
  const group = useId();
  const kind = useSignal<Kind>(
    scope.document !== null ? "document" : scope.partition !== null ? "partition" : "everything",
  );
  const partitions = useLoaded((signal) =>
    client.get<Partition[]>("/api/partition", { limit: maxPartitions }, signal),
  ).value;

  const choose = (chosen: Kind): void => {
    kind.value = chosen;
    onChange({ ...scope, document: null, partition: null });
  };
  const option = (value: Kind, label: string) => (
    <label class="scope-kind">
      <input type="radio" name={group} checked={kind.value === value} onChange={() => choose(value)} />
      {label}
    </label>
  );
  return (
    <div class="scope-picker">
      <fieldset>
        <legend class="unseen">{words.scope}</legend>
        <div class="scope-kinds">
          {option("everything", words.everything)}
          {option("partition", words.partition)}
          {option("document", words.document)}
        </div>
        {kind.value === "partition" && (
          <SelectField
            label={words.choosePartition}
            value={scope.partition?.id ?? ""}
            options={[["", words.chooseNone], ...(partitions ?? []).map(({ id, name }) => [id, name] as const)]}
            onChoose={(id) => {
              const chosen = partitions?.find((each) => each.id === id);
              onChange({ ...scope, partition: chosen === undefined ? null : { id: chosen.id, name: chosen.name } });
            }}
          />
        )}
        {kind.value === "document" && (
          <DocumentChoice chosen={scope.document} onChoose={(document) => onChange({ ...scope, document })} />
        )}
      </fieldset>
      {hasMetadata && (
        <MetadataConditions filter={scope.metadata} onChange={(metadata) => onChange({ ...scope, metadata })} />
      )}
    </div>
  );
};

const signs: Record<MetadataOperator, string> = {
  is: "=",
  isNot: "≠",
  above: ">",
  atLeast: "≥",
  below: "<",
  atMost: "≤",
};

/** A condition as it is typed: `2024`, `true`, `"2024"`, `handbook`. One without a key says nothing. */
interface ConditionRow {
  key: string;
  operator: MetadataOperator;
  text: string;
}

const rowsOf = (filter: MetadataFilter): ConditionRow[] =>
  conditionsOf(filter).map(({ key, operator, value }) => ({
    key,
    operator,
    text: typeof value === "string" ? value : JSON.stringify(value),
  }));

interface MetadataConditionsProps {
  filter: MetadataFilter;
  onChange(filter: MetadataFilter): void;
}

const maxConditions = 32;

/** Conditions on the metadata of documents, one a row; all must hold. */
const MetadataConditions = ({ filter, onChange }: MetadataConditionsProps) => {
  // Incomplete rows stay in this component.
  const rows = useSignal<readonly ConditionRow[]>(rowsOf(filter));
  const change = (next: readonly ConditionRow[]): void => {
    rows.value = next;
    const given = next.map(({ key, operator, text }) => ({ key: key.trim(), operator, value: typedValue(text) }));
    onChange(filterOf(given.filter(({ key }) => key !== "")));
  };
  const put = (at: number, part: Partial<ConditionRow>): void =>
    change(rows.value.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <fieldset class="conditions">
      <legend>{words.metadata}</legend>
      {rows.value.map((row, at) => (
        <div key={at} class="condition">
          <input
            aria-label={words.key}
            placeholder={words.key}
            dir="auto"
            value={row.key}
            onInput={({ currentTarget }) => put(at, { key: currentTarget.value })}
          />
          <Select
            aria-label={words.operator}
            value={row.operator}
            options={Object.entries(signs) as [MetadataOperator, string][]}
            onChoose={(operator) => put(at, { operator })}
          />
          <input
            aria-label={words.value}
            placeholder={words.value}
            dir="auto"
            value={row.text}
            onInput={({ currentTarget }) => put(at, { text: currentTarget.value })}
          />
          <IconButton
            icon={X}
            label={words.removeCondition}
            onClick={() => change(rows.value.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      {rows.value.length < maxConditions && (
        <button
          type="button"
          class="quiet"
          onClick={() => change([...rows.value, { key: "", operator: "is", text: "" }])}
        >
          <Icon icon={Plus} />
          {words.addCondition}
        </button>
      )}
    </fieldset>
  );
};

/** A scope in a few words. */
export const scopeWords = (scope: Scope): string => {
  if (isEverything(scope)) return session.value?.partitionId ? words.ownPartition : words.everything;
  return [
    ...(scope.document === null ? [] : [words.inDocument(scope.document.name || words.unnamed)]),
    ...(scope.partition === null ? [] : [words.inPartition(scope.partition.name)]),
    ...rowsOf(scope.metadata).map(({ key, operator, text }) => `${key} ${signs[operator]} ${text}`),
  ].join(" · ");
};

/** Reads the names of a scope's document and partition, of which an address has the ids alone. */
export const useScopeNames = (scope: Signal<Scope>): void => {
  const documentId = scope.value.document?.name === "" ? scope.value.document.id : null;
  const partitionId = scope.value.partition?.name === "" ? scope.value.partition.id : null;
  useEffect(() => {
    const stop = new AbortController();
    if (documentId !== null)
      client.get<Document[]>("/api/document", { ids: documentId }, stop.signal).then(([document]) => {
        if (document === undefined || scope.peek().document?.id !== documentId) return;
        scope.value = { ...scope.peek(), document: { id: documentId, name: document.name } };
      }, ignore);
    if (partitionId !== null)
      client.get<Partition>(`/api/partition/${encodeURIComponent(partitionId)}`, {}, stop.signal).then(({ name }) => {
        if (scope.peek().partition?.id !== partitionId) return;
        scope.value = { ...scope.peek(), partition: { id: partitionId, name } };
      }, ignore);
    return () => stop.abort();
  }, [documentId, partitionId]);
};

/** Without its name the scope is what it was; the question itself tells what is wrong with it. */
const ignore = (): void => {};

interface Named {
  id: string;
  name: string;
}

const maxShown = 8;
const typingMs = 200;

/** One document, found by a part of its name. */
export const DocumentChoice = ({ chosen, onChoose }: { chosen: Named | null; onChoose(document: Named): void }) => {
  const group = useId();
  const searched = useSignal("");
  const found = useLoaded(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, typingMs));
      signal.throwIfAborted();
      const query = { searchValue: searched.value, status: "processed", limit: maxShown };
      return await client.get<Document[]>("/api/document", query, signal);
    },
    [searched.value],
  ).value;
  const others = (found ?? []).filter(({ id }) => id !== chosen?.id);
  const shown: readonly Named[] = chosen === null ? others : [chosen, ...others];
  return (
    <div class="document-choice">
      <label class="field">
        {words.searchDocument}
        <input type="search" dir="auto" value={searched.value} onInput={typeInto(searched)} />
      </label>
      <div role="radiogroup" aria-label={words.document}>
        {shown.map(({ id, name }) => (
          <label key={id} class="document-option">
            <input type="radio" name={group} checked={chosen?.id === id} onChange={() => onChoose({ id, name })} />
            <bdi>{name || words.unnamed}</bdi>
          </label>
        ))}
      </div>
      {found !== undefined && shown.length === 0 && <p class="quiet">{words.noSuchDocument}</p>}
    </div>
  );
};
