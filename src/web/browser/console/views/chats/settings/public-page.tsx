import { useSignal } from "@preact/signals";
import type { Chat } from "../../../../shared/api.ts";
import { serverAddress } from "../../../../shared/prefix.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { StateWord } from "../../../components/state-word.tsx";
import { chatsStrings as words } from "../strings.ts";
import { MakePublicDialog } from "./make-public-dialog.tsx";

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
