import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { Dialog, maxNameCharacters, SubmitActions } from "../../components/dialog.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { SelectField, TextField } from "../../components/text-field.tsx";
import { useRun } from "../../state/loaded.ts";
import { offerUndo, toast } from "../../state/messages.ts";
import { usePartitions } from "../../state/partitions.ts";
import { client, session } from "../../state/session.ts";
import { noteChange } from "../documents/record/document-actions.ts";
import { fieldFaultsOf, metadataText, type ReadMetadata, readMetadataText } from "./details.ts";
import { documentStrings } from "./strings.ts";
import { documentPath } from "./use-document.ts";

const texts = documentStrings.editing;

/** Changes name, partition and metadata of a document. What was there before can be taken back for ten seconds. */
export const EditDialog = ({ document: shown, onClose }: { document: DocumentRecord; onClose(): void }) => {
  const id = useId();
  const partitions = usePartitions();
  const name = useSignal(shown.name);
  const partitionId = useSignal(shown.partitionId);
  const metadata = useSignal(metadataText(shown.metadata));
  const isChecked = useSignal(false);
  const { failure, isRunning, run } = useRun();
  const faults = fieldFaultsOf(failure.value);

  const submit = (event: Event): void => {
    event.preventDefault();
    isChecked.value = true;
    failure.value = null;
    const read = readMetadataText(metadata.value);
    const given = name.value.trim();
    if (read.fault !== null || given === "") {
      const form = event.currentTarget as HTMLFormElement;
      form.querySelector<HTMLElement>(given === "" ? "input" : "textarea")?.focus();
      return;
    }
    const change = changeOf(shown, { name: given, partitionId: partitionId.value, metadata: read.metadata });
    void run(async () => {
      await saveDetails(shown, change);
      onClose();
    });
  };
  const isLimited = session.value?.partitionId !== null;
  const actions = (
    <SubmitActions form={id} submit={documentStrings.save} isRunning={isRunning.value} onClose={onClose} />
  );
  return (
    <Dialog title={texts.title} onClose={onClose} actions={actions}>
      <form id={id} class="form" onSubmit={submit}>
        <TextField
          label={documentStrings.newName}
          fault={faults.fields.name}
          value={name}
          maxLength={maxNameCharacters}
          required
          autofocus
        />
        {!isLimited && (
          <SelectField
            label={documentStrings.fields.partition}
            fault={faults.fields.partitionId}
            value={partitionId.value ?? ""}
            options={[["", texts.noPartition], ...partitions.map((each) => [each.id, each.name] as const)]}
            onChoose={(chosen) => (partitionId.value = chosen || null)}
          />
        )}
        <MetadataField
          value={metadata.value}
          serverFault={faults.fields.metadata ?? null}
          isChecked={isChecked.value}
          onInput={(text) => {
            metadata.value = text;
            failure.value = null;
          }}
        />
        <FailureNote error={faults.other} />
      </form>
    </Dialog>
  );
};

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
const MetadataField = ({ value, onInput, serverFault, isChecked }: MetadataFieldProps) => {
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

type Details = Pick<DocumentRecord, "name" | "partitionId" | "metadata">;

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields that differ from what was shown: what somebody else changed meanwhile in the others stays. */
const changeOf = (before: Details, after: Details): Partial<Details> => ({
  ...(after.name === before.name ? {} : { name: after.name }),
  ...(after.partitionId === before.partitionId ? {} : { partitionId: after.partitionId }),
  ...(sameJson(after.metadata, before.metadata) ? {} : { metadata: after.metadata }),
});

/** Puts the fields of a change back as they were. */
const undoOf = (before: Details, change: Partial<Details>): Partial<Details> => ({
  ...("name" in change ? { name: before.name } : {}),
  ...("partitionId" in change ? { partitionId: before.partitionId } : {}),
  ...("metadata" in change ? { metadata: before.metadata } : {}),
});

/** Sends a change; for ten seconds "Undo" puts back what was there. @throws RequestFailure, Unreachable */
const saveDetails = async (document: DocumentRecord, change: Partial<Details>): Promise<void> => {
  if (Object.keys(change).length === 0) return;
  await client.send("PUT", documentPath(document.id), change);
  noteChange();
  offerUndo(documentStrings.editing.saved, async () => {
    await client.send("PUT", documentPath(document.id), undoOf(document, change));
    noteChange();
    toast(documentStrings.editing.takenBack);
  });
};
