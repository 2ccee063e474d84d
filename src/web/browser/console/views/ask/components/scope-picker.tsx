import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Partition } from "../../../../shared/api.ts";
import { client } from "../../../state/session.ts";
import { useLoaded } from "../../../state/use-loaded.ts";
import { type Scope, toConditions, toMetadata } from "../state/scope.ts";
import { askStrings as words } from "../strings.ts";
import { DocumentChoice } from "./document-choice.tsx";
import { MetadataConditions } from "./metadata-conditions.tsx";

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
            <select
              value={scope.partition?.id ?? ""}
              onChange={({ currentTarget }) => {
                const chosen = partitions?.find(({ id }) => id === currentTarget.value);
                onChange({ ...scope, partition: chosen === undefined ? null : { id: chosen.id, name: chosen.name } });
              }}
            >
              <option value="">{words.chooseNone}</option>
              {partitions?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
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
