import type { Content } from "../blocks/blocks.ts";

/** Text, unchanged. */
export const readPlainText = (text: string): Content => ({
  title: null,
  blocks: [{ kind: "verbatim", text }],
  warnings: [],
});
