/** Text at a place on a page of 600 × 800 points, y from the lower edge. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  size?: number;
  /** It runs from below to above. */
  upwards?: boolean;
}

/** A link over a box of a page, in points from the lower left corner. */
export interface PlacedLink {
  box: readonly [number, number, number, number];
  /** The entries of the annotation that say where it leads. */
  action: string;
}

/** A PDF of Helvetica text at given places; on every page of it the same links. */
export const makePdf = (
  pages: readonly (readonly PlacedText[])[],
  info = "",
  { font = "Helvetica", links = [] as readonly PlacedLink[], page: pageEntries = "" } = {},
): Uint8Array => {
  const annotations = links
    .map(({ box, action }) => `<< /Type /Annot /Subtype /Link /Rect [${box.join(" ")}] ${action} >>`)
    .join(" ");
  const objects: string[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ")}] >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
  ];
  pages.forEach((texts, index) => {
    const content = texts
      .map(({ text, x, y, size = 10, upwards = false }) => {
        const place = upwards ? `0 1 -1 0 ${x} ${y} Tm` : `${x} ${y} Td`;
        return `BT /F1 ${size} Tf ${place} (${text.replace(/([()\\])/g, "\\$1")}) Tj ET`;
      })
      .join("\n");
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> /Annots [${annotations}] ${pageEntries} >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  });
  // A title, or entries.
  if (info !== "") objects.push(info.startsWith("/") ? `<< ${info} >>` : `<< /Title (${info}) >>`);
  return pdfOf(objects, info === "" ? "" : ` /Info ${objects.length} 0 R`);
};

/**
 * A PDF of given objects, bytes as Latin-1: the first is the catalog.
 * @param trailerEntries further entries of the trailer
 */
export const pdfOf = (objects: readonly string[], trailerEntries = ""): Uint8Array<ArrayBuffer> => {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  file += offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${trailerEntries} >>\nstartxref\n${start}\n%%EOF`;
  return new Uint8Array(Buffer.from(file, "latin1"));
};

/** A stream with more entries in its dictionary; bytes as Latin-1. */
export const stream = (entries: string, content: string): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** Lines one below the other. */
export const lines = (texts: readonly string[], x: number, y: number, size = 10): PlacedText[] =>
  texts.map((text, index) => ({ text, x, y: y - index * size * 1.2, size }));

/** A PDF of one page that is a picture; `entries` say of what kind, `data` are its bytes. */
export const makePicturePdf = (entries: string, data: Uint8Array): Uint8Array => {
  const content = "q 600 0 0 800 0 0 cm /I Do Q";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /XObject /Subtype /Image ${entries} /Length ${data.length} >>\nstream\n${Buffer.from(data).toString("latin1")}\nendstream`,
  ];
  return withoutTable(objects);
};

/** The file without a table of its objects: readers look for them themselves. */
const withoutTable = (objects: readonly string[]): Uint8Array => {
  const file = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF`;
  return new Uint8Array(Buffer.from(`%PDF-1.4\n${file}${trailer}`, "latin1"));
};

/** Text at a place of a page, in the codes of its font's encoding. */
export interface CodedText {
  codes: Uint8Array;
  /** The CMap that says what the codes mean. */
  encoding: string;
  /** The character collection of Adobe's that the font is of: `Japan1` and others. */
  collection: string;
  x: number;
  y: number;
  size?: number;
}

/** A PDF of one page of 600 × 800 points with composite fonts none of which is in the file. */
export const makeCidFontPdf = (texts: readonly CodedText[]): Uint8Array => {
  const fonts = texts.map(({ encoding, collection }) => {
    const descriptor =
      "<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 " +
      "/Descent -120 /CapHeight 700 /StemV 80 >>";
    const descendant =
      "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Any /DW 1000 " +
      `/CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 0 >> /FontDescriptor ${descriptor} >>`;
    return `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /${encoding} /DescendantFonts [${descendant}] >>`;
  });
  const content = texts
    .map(({ codes, x, y, size = 10 }, index) => `BT /F${index} ${size} Tf ${x} ${y} Td <${codes.toHex()}> Tj ET`)
    .join("\n");
  const named = fonts.map((_, index) => `/F${index} ${5 + index} 0 R`).join(" ");
  return withoutTable([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << ${named} >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...fonts,
  ]);
};
