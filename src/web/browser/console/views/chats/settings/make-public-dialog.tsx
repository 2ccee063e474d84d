import { useSignal } from "@preact/signals";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { FailureNote } from "../../../components/failure-note.tsx";
import { Loading } from "../../../components/loading.tsx";
import { usePartitions } from "../../../state/partitions.ts";
import { client } from "../../../state/session.ts";
import { useLoaded } from "../../../state/use-loaded.ts";
import { chatsStrings as words } from "../strings.ts";

interface MakePublicDialogProps {
  /** Sends settings of the chat. */
  onSave(settings: object): Promise<void>;
  onClose(): void;
}

/**
 * Asks before a chat over everything becomes public: how many documents strangers can then read, or those of one partition.
 */
export const MakePublicDialog = ({ onSave, onClose }: MakePublicDialogProps) => {
  const all = useLoaded(async (stop) => (await client.list("/api/document", { limit: 1 }, stop)).total ?? 0);
  const partitions = usePartitions();
  const partitionId = useSignal("");
  const chosen = partitions.find(({ id }) => id === partitionId.value);
  const documents = chosen?.documents ?? all.value;
  return (
    <ConfirmDialog
      title={words.makePublicTitle}
      action={words.makePublic}
      isReady={documents !== undefined}
      onClose={onClose}
      run={() => onSave({ public: true, ...(chosen === undefined ? {} : { partitionId: chosen.id }) })}
    >
      <div role="status">
        {documents === undefined ? (
          all.error === null && <Loading>{words.countingDocuments}</Loading>
        ) : (
          <p>
            <strong>{words.strangersRead(documents)}</strong>{" "}
            {chosen === undefined ? words.everythingLater : words.partitionLater}
          </p>
        )}
      </div>
      {documents === undefined && <FailureNote error={all.error} onRetry={all.reload} />}
      <label class="field">
        {words.publicOver}
        <select
          value={partitionId.value}
          onChange={({ currentTarget }) => {
            partitionId.value = currentTarget.value;
          }}
        >
          <option value="">{words.publicEverything}</option>
          {partitions.map(({ id, name, documents: held }) => (
            <option key={id} value={id} dir="auto">
              {words.publicPartition(name, held)}
            </option>
          ))}
        </select>
        <span class="hint">{partitions.length === 0 ? words.noPartitionYet : words.publicOverHint}</span>
      </label>
    </ConfirmDialog>
  );
};
