import { useSignal } from "@preact/signals";
import type { Chat } from "../../../../shared/api.ts";
import { serverAddress } from "../../../../shared/prefix.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { chatsStrings as words } from "../strings.ts";
import { embedCode } from "./embed-code.ts";
import { TextField } from "./text-field.tsx";

const maxLabelLength = 40;

/** The code that puts a public chat on pages of other sites. */
export const EmbedSection = ({ chat }: { chat: Chat }) => {
  const label = useSignal(words.embedLabelDefault);
  const side = useSignal<"left" | "right">("right");
  const code = embedCode({ server: serverAddress(), chatId: chat.id, label: label.value, side: side.value });
  return (
    <section class="embed-section" aria-label={words.embed}>
      <h3>{words.embed}</h3>
      <p class="quiet">{words.embedHint}</p>
      <div class="embed-choices">
        <TextField label={words.embedLabel} value={label} maxLength={maxLabelLength} />
        <label class="field">
          {words.embedSide}
          <select
            value={side.value}
            onChange={({ currentTarget }) => {
              side.value = currentTarget.value === "left" ? "left" : "right";
            }}
          >
            <option value="right">{words.right}</option>
            <option value="left">{words.left}</option>
          </select>
        </label>
      </div>
      <div class="code-box">
        <pre dir="ltr">{code}</pre>
        <CopyButton text={code} label={words.copyCode} />
      </div>
      <p class="quiet">{words.originsHint}</p>
    </section>
  );
};
