import { useId } from "preact/hooks";
import { Dialog } from "../../components/dialog.tsx";
import { SubmitActions } from "../../components/submit-actions.tsx";
import { type MetadataCondition, type MetadataOperator, metadataOperators, typedValue } from "./metadata-condition.ts";
import { documentsStrings as texts } from "./strings.ts";

interface MetadataDialogProps {
  onAdd(condition: MetadataCondition): void;
  onClose(): void;
}

const maxKeyCharacters = 255;
const maxValueCharacters = 1_000;

/** Asks for a condition on the metadata. */
export const MetadataDialog = ({ onAdd, onClose }: MetadataDialogProps) => {
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
            {metadataOperators.map((operator) => (
              <option key={operator} value={operator}>
                {texts.metadataOperators[operator]}
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
