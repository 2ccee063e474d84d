import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { FailureNote } from "../../../components/failure-note.tsx";
import { SubmitActions } from "../../../components/submit-actions.tsx";
import { usePartitions } from "../../../state/partitions.ts";
import { session } from "../../../state/session.ts";
import { useRun } from "../../../state/use-run.ts";
import { documentStrings } from "../strings.ts";
import { changeOf, saveDetails } from "./document-change.ts";
import { fieldFaultsOf } from "./field-faults.ts";
import { MetadataField } from "./metadata-field.tsx";
import { metadataText, readMetadataText } from "./metadata-text.ts";

const texts = documentStrings.editing;
const maxNameCharacters = 255;

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
        <div class="field">
          <label for={`${id}-name`}>{documentStrings.newName}</label>
          <input
            id={`${id}-name`}
            required
            autofocus
            dir="auto"
            autocomplete="off"
            maxLength={maxNameCharacters}
            value={name.value}
            aria-invalid={faults.fields.name !== undefined}
            aria-describedby={`${id}-name-fault`}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <p id={`${id}-name-fault`} class="field-fault" role="alert">
            {faults.fields.name}
          </p>
        </div>
        {!isLimited && (
          <div class="field">
            <label for={`${id}-partition`}>{documentStrings.fields.partition}</label>
            <select
              id={`${id}-partition`}
              value={partitionId.value ?? ""}
              aria-describedby={`${id}-partition-fault`}
              onChange={(event) => (partitionId.value = event.currentTarget.value || null)}
            >
              <option value="">{texts.noPartition}</option>
              {partitions.map((partition) => (
                <option key={partition.id} value={partition.id} dir="auto">
                  {partition.name}
                </option>
              ))}
            </select>
            <p id={`${id}-partition-fault`} class="field-fault" role="alert">
              {faults.fields.partitionId}
            </p>
          </div>
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
