import { type Signal, useSignal } from "@preact/signals";
import { Plus, X } from "lucide";
import { useEffect, useId } from "preact/hooks";
import type { Document, Partition } from "../../../shared/api.ts";
import { Icon, Select } from "../../../shared/controls.tsx";
import { useLoaded } from "../../state/loaded.ts";
import { client, session } from "../../state/session.ts";
import {
  type Condition,
  isEverything,
  type Operator,
  operators,
  type Scope,
  toConditions,
  toMetadata,
} from "./scope.ts";
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
          <label class="field">
            {words.choosePartition}
            <Select
              value={scope.partition?.id ?? ""}
              options={[["", words.chooseNone], ...(partitions ?? []).map(({ id, name }) => [id, name] as const)]}
              onChoose={(id) => {
                const chosen = partitions?.find((each) => each.id === id);
                onChange({ ...scope, partition: chosen === undefined ? null : { id: chosen.id, name: chosen.name } });
              }}
            />
          </label>
        )}
        {kind.value === "document" && (
          <DocumentChoice chosen={scope.document} onChoose={(document) => onChange({ ...scope, document })} />
        )}
      </fieldset>
      {hasMetadata && (
        <MetadataConditions
          conditions={toConditions(scope.metadata)}
          onChange={(conditions) => onChange({ ...scope, metadata: toMetadata(conditions) })}
        />
      )}
    </div>
  );
};

interface MetadataConditionsProps {
  conditions: readonly Condition[];
  onChange(conditions: readonly Condition[]): void;
}

const maxConditions = 32;

/** Conditions on the metadata of documents, one a row; all must hold. */
const MetadataConditions = ({ conditions, onChange }: MetadataConditionsProps) => {
  // Incomplete rows stay in this component.
  const rows = useSignal<readonly Condition[]>(conditions);
  const change = (next: readonly Condition[]): void => {
    rows.value = next;
    onChange(next);
  };
  const put = (at: number, part: Partial<Condition>): void =>
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
            options={(Object.keys(operators) as Operator[]).map((sign) => [sign, sign])}
            onChoose={(operator) => put(at, { operator })}
          />
          <input
            aria-label={words.value}
            placeholder={words.value}
            dir="auto"
            value={row.value}
            onInput={({ currentTarget }) => put(at, { value: currentTarget.value })}
          />
          <button
            type="button"
            class="icon-only"
            aria-label={words.removeCondition}
            onClick={() => change(rows.value.filter((_, index) => index !== at))}
          >
            <Icon icon={X} />
          </button>
        </div>
      ))}
      {rows.value.length < maxConditions && (
        <button
          type="button"
          class="quiet"
          onClick={() => change([...rows.value, { key: "", operator: "=", value: "" }])}
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
    ...toConditions(scope.metadata).map(({ key, operator, value }) => `${key} ${operator} ${value}`),
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
        <input
          type="search"
          dir="auto"
          value={searched.value}
          onInput={({ currentTarget }) => {
            searched.value = currentTarget.value;
          }}
        />
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
