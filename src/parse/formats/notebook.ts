import type { Block, Content } from "../blocks/blocks.ts";
import { unreadable } from "../blocks/blocks.ts";
import { tidyTitle } from "../blocks/tidy-text.ts";

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value)
      ? value.filter((line) => typeof line === "string").join("")
      : "";

/** A Jupyter notebook: its text, its code, and what the code put out as text; pictures are told of. */
export const readNotebook = (text: string): Content => {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw unreadable("The notebook is no valid JSON.", cause);
  }
  if (!isRecord(notebook)) throw unreadable("The notebook has no cells.");
  const language = languageOf(notebook.metadata);
  const blocks: Block[] = [];
  let pictures = 0;
  const worksheets = Array.isArray(notebook.worksheets) ? notebook.worksheets : [];
  const cells = [notebook, ...worksheets].flatMap((sheet) =>
    isRecord(sheet) && Array.isArray(sheet.cells) ? sheet.cells : [],
  );
  for (const cell of cells) {
    if (!isRecord(cell)) continue;
    const source = textOf(cell.source ?? cell.input);
    if (cell.cell_type === "heading") blocks.push({ kind: "heading", level: Number(cell.level) || 1, text: source });
    else if (cell.cell_type !== "code") blocks.push({ kind: "verbatim", text: source });
    else {
      blocks.push({ kind: "code", language, text: source });
      for (const output of Array.isArray(cell.outputs) ? cell.outputs : []) {
        const { shown, isPicture } = outputOf(output);
        if (isPicture) pictures++;
        if (shown.trim() !== "") blocks.push({ kind: "code", language: "", text: shown });
      }
    }
  }
  const heading = blocks.find((block) => block.kind === "verbatim" && /^# \S/.test(block.text));
  const title = heading?.kind === "verbatim" ? (heading.text.split("\n")[0] ?? "").slice(2) : null;
  const what = pictures === 1 ? "1 picture" : `${pictures} pictures`;
  return {
    title: tidyTitle(title),
    blocks,
    warnings: pictures > 0 ? [`${what} of the notebook's output left out.`] : [],
  };
};

const languageOf = (metadata: unknown): string => {
  const info = isRecord(metadata) ? metadata.language_info : null;
  return isRecord(info) && typeof info.name === "string" && /^[\w+#-]{1,20}$/.test(info.name) ? info.name : "";
};

const outputOf = (output: unknown): { shown: string; isPicture: boolean } => {
  if (!isRecord(output)) return { shown: "", isPicture: false };
  const data = isRecord(output.data) ? output.data : {};
  const isPicture = Object.keys(data).some((type) => type.startsWith("image/"));
  if (output.output_type === "error")
    return { shown: `${textOf(output.ename)}: ${textOf(output.evalue)}`, isPicture: false };
  // Beside a picture the text only names its object.
  const plain = isPicture ? "" : textOf(data["text/plain"]);
  return { shown: textOf(output.text) || textOf(data["text/markdown"]) || plain, isPicture };
};
