import type { Guide } from "../../shared/guides-partition.ts";

/** After this mark, docs/api.md is generated from what the reference shows (tools/write-docs.ts). */
const generatedMark = "<!-- From here on made by `bun tools/write-docs.ts`. -->";

/** A guide as this page shows it: without what its reference shows better. */
export const writtenText = ({ slug, text }: Guide): string =>
  slug === "api" ? (text.split(generatedMark)[0] ?? "").trimEnd() : text;
