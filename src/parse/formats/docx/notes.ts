import type { Block } from "../../blocks/blocks.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import type { OfficePackage, Relation } from "../../containers/office-package.ts";
import { childrenNamed, descendant, descendants } from "../../markup/markup.ts";
import type { PartReader } from "./part-reader.ts";

/** The number a note is shown with. Footnotes and endnotes are counted together, in the order they are referred to. */
type NoteNumber = (kind: "footnote" | "endnote", id: string) => number;

export const createNoteNumber = (): NoteNumber => {
  const numbers = new Map<string, number>();
  return (kind, id) => {
    const key = `${kind} ${id}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
};

/** The texts of footnotes and endnotes as `[^1]: text`, in the order of their numbers. */
export const readNotes = (
  file: OfficePackage,
  relations: Iterable<Relation>,
  readerOf: (path: string) => PartReader,
  noteNumber: NoteNumber,
): Block[] => {
  const notes = [...relations].flatMap(({ type, target }) => {
    if (type !== "footnotes" && type !== "endnotes") return [];
    const kind = type === "footnotes" ? "footnote" : "endnote";
    const root = file.part(target);
    const { text: textOf } = readerOf(target);
    return childrenNamed(root ? descendant(root, `w:${type}`) : null, `w:${kind}`).flatMap((note) => {
      const { attributes } = note;
      // The others are separators.
      if (attributes["w:type"] !== undefined && attributes["w:type"] !== "normal") return [];
      const text = oneLine(descendants(note, "w:p").map(textOf).join(" "));
      return text === "" ? [] : [{ number: noteNumber(kind, attributes["w:id"] ?? ""), text }];
    });
  });
  return notes
    .sort((a, b) => a.number - b.number)
    .map(({ number, text }): Block => ({ kind: "paragraph", text: `[^${number}]: ${text}` }));
};
