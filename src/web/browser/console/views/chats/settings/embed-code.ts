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
