import { useId } from "preact/hooks";
import { documentStrings } from "../strings.ts";
import { type ReadMetadata, readMetadataText } from "./metadata-text.ts";

const texts = documentStrings.editing;

interface MetadataFieldProps {
  value: string;
  onInput(value: string): void;
  /** The server's words about what was sent; null: nothing. */
  serverFault: string | null;
  /** A fault is told while somebody still types only after they tried to save. */
  isChecked: boolean;
}

const kibibytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

const words = (read: ReadMetadata): string | null => (read.fault === null ? null : texts.faults[read.fault]);

/** Metadata as JSON text: what is wrong with it stands below it, and how large it is. */
export const MetadataField = ({ value, onInput, serverFault, isChecked }: MetadataFieldProps) => {
  const id = useId();
  const read = readMetadataText(value);
  const fault = serverFault ?? (isChecked || read.fault === "tooLarge" ? words(read) : null);
  return (
    <div class="field">
      <label for={id}>{documentStrings.metadata}</label>
      <textarea
        id={id}
        class="code"
        rows={10}
        dir="ltr"
        spellcheck={false}
        autocomplete="off"
        placeholder={texts.placeholder}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault ${id}-hint`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={`${id}-fault`} class="field-fault" role="alert" dir="auto">
        {fault}
      </p>
      <p id={`${id}-hint`} class="hint">
        {texts.hint(kibibytes.format(Math.ceil(read.bytes / 102.4) / 10))}
      </p>
    </div>
  );
};
