import { useSignal } from "@preact/signals";
import type { Chat } from "../../../shared/api.ts";
import { brandColors } from "../../../shared/color.ts";
import { writeTo } from "../../../shared/controls.tsx";
import { serverAddress } from "../../../shared/prefix.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { CopyButton, StateWord } from "../../components/facts.tsx";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { SelectField } from "../../components/text-field.tsx";
import { Tabs } from "../../components/view-header.tsx";
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
      {isAsking.value && <MakePublicDialog onSave={onSave} onClose={() => (isAsking.value = false)} />}
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
      <SelectField
        label={words.publicOver}
        hint={partitions.length === 0 ? words.noPartitionYet : words.publicOverHint}
        value={partitionId.value}
        options={[
          ["", words.publicEverything],
          ...partitions.map((each) => [each.id, words.publicPartition(each.name, each.documents)] as const),
        ]}
        onChoose={writeTo(partitionId)}
      />
    </ConfirmDialog>
  );
};

interface PagePreviewProps {
  title: string;
  color: string;
  placeholder: string;
  /** Address on this server; null if there is none that is saved and public. */
  logo: string | null;
}

const schemes = ["light", "dark"] as const;

/**
 * The public page in small, with settings that are not saved yet. The page itself is not framed: it shows what is saved,
 * and only of a public chat.
 */
export const PagePreview = ({ title, color, placeholder, logo }: PagePreviewProps) => {
  const scheme = useSignal<(typeof schemes)[number]>(
    matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  );
  const colors = brandColors(color, scheme.value);
  const labels = { light: words.previewLight, dark: words.previewDark };
  return (
    <section class="chat-preview" aria-label={words.preview}>
      <h3>{words.preview}</h3>
      <Tabs
        label={words.preview}
        tabs={schemes.map((id) => ({ id, label: labels[id] }))}
        selected={scheme.value}
        onSelect={writeTo(scheme)}
      >
        <div
          class={`preview-page ${scheme.value}`}
          style={colors === null ? {} : { "--accent": colors.accent, "--on-accent": colors.onAccent }}
        >
          <p class="preview-head">
            {logo !== null && <img src={logo} alt="" />}
            <bdi>{title.trim() || words.usualTitle}</bdi>
          </p>
          <p class="preview-question">{words.previewQuestion}</p>
          <p class="preview-answer">
            {words.previewAnswer} <span class="mark">1</span>
          </p>
          <p class="preview-sources">{words.previewSources}</p>
          <p class="preview-composer">
            <bdi>{placeholder.trim() || words.placeholder}</bdi>
            <span>{words.send}</span>
          </p>
          <p class="preview-foot">{words.previewFoot}</p>
        </div>
      </Tabs>
    </section>
  );
};
