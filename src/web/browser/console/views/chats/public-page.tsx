import { useSignal } from "@preact/signals";
import type { Chat } from "../../../shared/api.ts";
import { serverAddress } from "../../../shared/prefix.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { StateWord } from "../../components/facts.tsx";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { useLoaded } from "../../state/loaded.ts";
import { usePartitions } from "../../state/partitions.ts";
import { client } from "../../state/session.ts";
import { chatsStrings as words } from "./strings.ts";

interface PublicPageProps {
  chat: Chat;
  /** Shows in the sheet what failed. */
  onPublic(isPublic: boolean): void;
  onSave(settings: object): Promise<void>;
}

/** Whether a chat is public, and its address. */
export const PublicPage = ({ chat, onPublic, onSave }: PublicPageProps) => {
  const isAsking = useSignal(false);
  const isOverEverything = chat.documentId === null && chat.partitionId === null;
  const address = `${serverAddress()}/chat/${encodeURIComponent(chat.id)}`;
  return (
    <section class="public-page" aria-label={words.publicTitle}>
      <h3>{words.publicTitle}</h3>
      <div class="actions">
        <StateWord mood={chat.public ? "good" : "quiet"}>{chat.public ? words.isPublic : words.isPrivate}</StateWord>
        <button
          type="button"
          onClick={() => {
            if (chat.public || !isOverEverything) onPublic(!chat.public);
            else isAsking.value = true;
          }}
        >
          {chat.public ? words.makePrivate : words.makePublic}
        </button>
      </div>
      {isAsking.value && (
        <MakePublicDialog
          onSave={onSave}
          onClose={() => {
            isAsking.value = false;
          }}
        />
      )}
      <p class="quiet">{chat.public ? words.isPublicNow : words.isPrivateNow}</p>
      {chat.public && (
        <div class="actions">
          <a class="button" href={address} target="_blank" rel="noopener">
            {words.openPage}
          </a>
          <CopyButton text={address} label={words.copyAddress} />
        </div>
      )}
    </section>
  );
};

interface MakePublicDialogProps {
  /** Sends settings of the chat. */
  onSave(settings: object): Promise<void>;
  onClose(): void;
}

/**
 * Asks before a chat over everything becomes public: how many documents strangers can then read, or those of one partition.
 */
const MakePublicDialog = ({ onSave, onClose }: MakePublicDialogProps) => {
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
