import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Chat } from "../../../shared/api.ts";
import { parseColor } from "../../../shared/color.ts";
import { typeInto, writeTo } from "../../../shared/controls.tsx";
import { serverAddress } from "../../../shared/prefix.ts";
import { maxNameCharacters, Sheet, SubmitActions } from "../../components/dialog.tsx";
import { CopyButton } from "../../components/facts.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { SelectField, TextField } from "../../components/text-field.tsx";
import { toast } from "../../state/messages.ts";
import { brandOf, embedCode, withBrand } from "./brand.ts";
import { PagePreview, PublicPage } from "./public-page.tsx";
import { chatsStrings as words } from "./strings.ts";

interface ChatSettingsSheetProps {
  chat: Chat;
  /** Sends settings that were changed. */
  onSave(settings: object): Promise<void>;
  onClose(): void;
}

/** Name, public page, brand with a preview, and the code that puts the chat on other pages. */
export const ChatSettingsSheet = ({ chat, onSave, onClose }: ChatSettingsSheetProps) => {
  const id = useId();
  const name = useSignal(chat.name ?? "");
  const title = useSignal(chat.title ?? "");
  const logoUrl = useSignal(chat.logoUrl ?? "");
  const brand = brandOf(chat.brandSettings);
  const color = useSignal(brand.color);
  const placeholder = useSignal(brand.placeholder);
  const failure = useSignal<unknown>(null);
  const isWrongColor = color.value.trim() !== "" && parseColor(color.value) === null;

  const send = async (settings: object): Promise<boolean> => {
    failure.value = null;
    try {
      await onSave(settings);
      return true;
    } catch (error) {
      failure.value = error;
      return false;
    }
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isWrongColor) return;
    const settings = {
      ...(name.value.trim() === "" ? {} : { name: name.value.trim() }),
      title: title.value.trim() === "" ? null : title.value.trim(),
      logoUrl: logoUrl.value.trim() === "" ? null : logoUrl.value.trim(),
      brandSettings: withBrand(chat.brandSettings, { color: color.value, placeholder: placeholder.value }),
    };
    if (!(await send(settings))) return;
    toast(words.saved);
    onClose();
  };
  const actions = <SubmitActions form={id} submit={words.save} onClose={onClose} />;
  return (
    <Sheet title={words.settingsTitle} onClose={onClose} actions={actions}>
      <FailureNote error={failure.value} />
      <PublicPage chat={chat} onPublic={(isPublic) => void send({ public: isPublic })} onSave={onSave} />
      <form id={id} class="form chat-settings" onSubmit={save}>
        <TextField label={words.name} value={name} maxLength={maxNameCharacters} />
        <h3>{words.brand}</h3>
        <TextField label={words.pageTitle} value={title} maxLength={maxNameCharacters} />
        <TextField label={words.logo} hint={words.logoHint} value={logoUrl} maxLength={2_048} />
        <div class="color-row">
          <TextField
            label={words.color}
            hint={isWrongColor ? words.notAColor : words.colorHint}
            value={color}
            maxLength={7}
            isWrong={isWrongColor}
          />
          <input
            type="color"
            aria-label={words.pickColor}
            value={parseColor(color.value) === null ? "#1f4f8a" : color.value.trim()}
            onInput={typeInto(color)}
          />
        </div>
        <TextField label={words.fieldPlaceholder} value={placeholder} maxLength={200} />
      </form>
      <PagePreview
        title={title.value}
        color={color.value}
        placeholder={placeholder.value}
        logo={chat.public && chat.logoUrl !== null ? `/chat/${encodeURIComponent(chat.id)}/logo` : null}
      />
      {chat.public && <EmbedSection chat={chat} />}
    </Sheet>
  );
};

const maxLabelLength = 40;

/** The code that puts a public chat on pages of other sites. */
const EmbedSection = ({ chat }: { chat: Chat }) => {
  const label = useSignal(words.embedLabelDefault);
  const side = useSignal<"left" | "right">("right");
  const code = embedCode({ server: serverAddress(), chatId: chat.id, label: label.value, side: side.value });
  return (
    <section class="embed-section" aria-label={words.embed}>
      <h3>{words.embed}</h3>
      <p class="quiet">{words.embedHint}</p>
      <div class="embed-choices">
        <TextField label={words.embedLabel} value={label} maxLength={maxLabelLength} />
        <SelectField
          label={words.embedSide}
          value={side.value}
          options={[
            ["right", words.right],
            ["left", words.left],
          ]}
          onChoose={writeTo(side)}
        />
      </div>
      <div class="code-box">
        <pre dir="ltr">{code}</pre>
        <CopyButton text={code} label={words.copyCode} />
      </div>
      <p class="quiet">{words.originsHint}</p>
    </section>
  );
};
