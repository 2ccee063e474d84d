import { useSignal } from "@preact/signals";
import { Plus, X } from "lucide";
import { Icon } from "../../../components/icon.tsx";
import { type Condition, type Operator, operators } from "../state/scope.ts";
import { askStrings as words } from "../strings.ts";

interface MetadataConditionsProps {
  conditions: readonly Condition[];
  onChange(conditions: readonly Condition[]): void;
}

const maxConditions = 32;

/** Conditions on the metadata of documents, one a row; all must hold. */
export const MetadataConditions = ({ conditions, onChange }: MetadataConditionsProps) => {
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
          <select
            aria-label={words.operator}
            value={row.operator}
            onChange={({ currentTarget }) => put(at, { operator: currentTarget.value as Operator })}
          >
            {Object.keys(operators).map((sign) => (
              <option key={sign}>{sign}</option>
            ))}
          </select>
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
