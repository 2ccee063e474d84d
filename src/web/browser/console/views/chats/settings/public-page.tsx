import type { Chat } from "../../../../shared/api.ts";
import { serverAddress } from "../../../../shared/prefix.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { StateWord } from "../../../components/state-word.tsx";
import { strings } from "../../../strings.ts";

const words = strings.chats;

/** Whether a chat is public, and its address. */
export const PublicPage = ({ chat, onPublic }: { chat: Chat; onPublic(isPublic: boolean): void }) => {
  const address = `${serverAddress()}/chat/${encodeURIComponent(chat.id)}`;
  return (
    <section class="public-page" aria-label={words.publicTitle}>
      <h3>{words.publicTitle}</h3>
      <div class="actions">
        <StateWord mood={chat.public ? "good" : "quiet"}>{chat.public ? words.isPublic : words.isPrivate}</StateWord>
        <button type="button" onClick={() => onPublic(!chat.public)}>
          {chat.public ? words.makePrivate : words.makePublic}
        </button>
      </div>
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
