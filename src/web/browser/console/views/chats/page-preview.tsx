import { useSignal } from "@preact/signals";
import { brandColors } from "../../../shared/color.ts";
import { Tabs } from "../../components/tabs.tsx";
import { chatsStrings as words } from "./strings.ts";

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
        onSelect={(chosen) => {
          scheme.value = chosen;
        }}
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
