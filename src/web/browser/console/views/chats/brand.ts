import type { Chat, JsonValue } from "../../../shared/api.ts";

type BrandSettings = Chat["brandSettings"];

/** What the console edits of a chat's brand; empty: not set. */
interface Brand {
  color: string;
  placeholder: string;
}

/** The first of some names under which a text of the brand is kept: the chat page reads the same. */
const textOf = (settings: BrandSettings, ...names: string[]): string => {
  const found = names.map((name) => settings?.[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
};

export const brandOf = (settings: BrandSettings): Brand => ({
  color: textOf(settings, "color", "primaryColor", "accentColor"),
  placeholder: textOf(settings, "placeholder"),
});

/**
 * The settings with another brand, null where nothing is left. What else they hold belongs to other programs and stays.
 */
export const withBrand = (settings: BrandSettings, { color, placeholder }: Brand): Record<string, JsonValue> | null => {
  const {
    color: _color,
    primaryColor: _primary,
    accentColor: _accent,
    placeholder: _placeholder,
    ...kept
  } = settings ?? {};
  const changed: Record<string, JsonValue> = {
    ...(kept as Record<string, JsonValue>),
    ...(color.trim() === "" ? {} : { color: color.trim() }),
    ...(placeholder.trim() === "" ? {} : { placeholder: placeholder.trim() }),
  };
  return Object.keys(changed).length === 0 ? null : changed;
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface EmbedOptions {
  /** Of this server, as browsers reach it. */
  server: string;
  chatId: string;
  label: string;
  side: "left" | "right";
}

/** The one line of HTML that puts a chat on a page of another site. */
export const embedCode = ({ server, chatId, label, side }: EmbedOptions): string =>
  `<script src="${escaped(server)}/embed.js" data-chat="${escaped(chatId)}" data-label="${escaped(label)}" data-side="${side}" async></script>`;
