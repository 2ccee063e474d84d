import { makePdf, type PlacedText } from "../../../tools/samples/pdf-file.ts";

/** A part of a made-up document that begins on a page of its own; its paragraphs may run over several pages. */
export interface Section {
  heading: string;
  paragraphs: readonly (string | readonly (readonly string[])[])[];
}

export interface LaidOut {
  pdf: Uint8Array;
  pages: number;
  /** 1-based pages on which a passage stands, by the passage. */
  pagesOf(passage: string): number[];
}

const lineCharacters = 92;
const linesOnPage = 46;
const columnWidth = 110;

/** Lays sections out on pages of 600 × 800 points, with a running header and page numbers. The cover is page 1. */
export const layOut = (
  cover: readonly string[],
  header: string,
  sections: readonly Section[],
  info = "",
  headingSize = 16,
): LaidOut => {
  const pages: PlacedText[][] = [
    cover.map((text, index) => ({ text, x: 70, y: 620 - index * 46, size: index === 0 ? 30 : 18 })),
  ];
  const standsOn = new Map<string, number[]>();
  let page: PlacedText[] = [];
  let line = linesOnPage;
  const turn = (): void => {
    page = [
      { text: header, x: 50, y: 775, size: 8 },
      { text: String(pages.length + 1), x: 540, y: 25, size: 8 },
    ];
    pages.push(page);
    line = 0;
  };
  const room = (lines: number): void => {
    if (line + lines > linesOnPage) turn();
  };
  const y = (): number => 740 - line * 15;
  for (const { heading, paragraphs } of sections) {
    room(linesOnPage / 3);
    page.push({ text: heading, x: 50, y: y(), size: headingSize });
    line += 2;
    for (const paragraph of paragraphs) {
      if (typeof paragraph !== "string") {
        room(paragraph.length + 1);
        for (const row of paragraph) {
          for (const [at, cell] of row.entries()) {
            const x = at === 0 ? 50 : 250 + (at - 1) * columnWidth;
            page.push({ text: cell, x, y: y(), size: 9 });
          }
          line++;
        }
        standsOn.set(JSON.stringify(paragraph), [pages.length]);
        line++;
        continue;
      }
      const wrapped = wrap(paragraph);
      // No paragraph is broken over two pages: where its facts stand is one page.
      room(wrapped.length + 1);
      for (const text of wrapped) {
        page.push({ text, x: 50, y: y(), size: 10 });
        line++;
      }
      line++;
      standsOn.set(paragraph, [...(standsOn.get(paragraph) ?? []), pages.length]);
    }
  }
  return {
    pdf: makePdf(pages, info),
    pages: pages.length,
    pagesOf: (passage) => standsOn.get(passage) ?? [],
  };
};

const wrap = (text: string): string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > lineCharacters) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
};
