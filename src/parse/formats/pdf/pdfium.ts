import wasmPath from "@embedpdf/pdfium/pdfium.wasm" with { type: "file" };
import { type GlyphTexts, readGlyphTexts } from "./glyph-names.ts";

/**
 * PDFium in WebAssembly: the PDF itself, its pages, characters, lines, pictures, annotations and files. The functions are
 * PDFium's own (fpdfview.h, fpdf_text.h, fpdf_annot.h …); a number is a pointer, a handle or a value. Its memory is its
 * own, so that a malicious file cannot reach ours.
 */
type NativeFunction = (...values: (number | string)[]) => number;
type Native = Record<`${"FPDF" | "PDFium"}${string}`, NativeFunction>;

interface Heap {
  HEAPU8: Uint8Array;
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
  HEAP32: Int32Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
}

/** Most pixels of a rendered page; a picture of more of them is read at a lower resolution. */
const maxPagePixels = 60_000_000;
const maxStringBytes = 1_000_000;

/** A box in points; y grows downwards. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** From one place to another, as on a page that is turned by quarters. */
export type Turn = (x: number, y: number) => readonly [number, number];

export const turnedBox = (turn: Turn, { x0, y0, x1, y1 }: Box): Box => {
  const [ax, ay] = turn(x0, y0);
  const [bx, by] = turn(x1, y1);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
};

/** The box around some others, of which there is one at least. */
export const boxAround = (boxes: readonly Box[]): Box =>
  boxes.reduce((all, { x0, y0, x1, y1 }) => ({
    x0: Math.min(all.x0, x0),
    y0: Math.min(all.y0, y0),
    x1: Math.max(all.x1, x1),
    y1: Math.max(all.y1, y1),
  }));

export interface Picture extends Box {
  object: number;
  pixels: { width: number; height: number };
}

/** What is drawn on a page besides text. */
export interface Drawing {
  /** Horizontal and vertical lines and thin bars. */
  rules: Box[];
  pictures: Picture[];
  /** Small disks, circles and squares, such as browsers draw before the items of a list. */
  dots: Box[];
  /** How many paths and pictures there are. */
  objects: number;
}

/** A digital signature of a PDF, as it is stored. */
export interface StoredSignature {
  /** The signature itself (PKCS #7, RFC 5652), in DER. */
  contents: Uint8Array;
  /** `D:20240301100000+01'00'`. */
  time: string;
  reason: string;
}

/** A character as it is drawn; positions in points from the page's upper left corner, as it is shown. */
export interface Character extends Box {
  text: string;
  /** Where it stands on its baseline. */
  x: number;
  y: number;
  /** PDFium adds blanks and line breaks where it sees gaps. */
  isAdded: boolean;
  style: CharacterStyle;
}

/** What the characters of one text object have in common. */
interface CharacterStyle {
  object: number;
  /** Height of the font. */
  size: number;
  font: string;
  /** Direction of writing, clockwise from left to right, in degrees. */
  angle: number;
  isInvisible: boolean;
  /** In a layer that can be hidden. */
  isOptional: boolean;
}

/** An annotation: a form's field, a typed or sticky note, a link. */
export interface Annotation {
  kind: "field" | "typed" | "note" | "link";
  box: Box;
  /** The value, the note or the address. */
  text: string;
  /** Of a field its name for readers, of a note its author. */
  label: string;
}

export type PdfPage = ReturnType<typeof openPage>;
export type PdfDocument = Awaited<ReturnType<typeof openPdfium>>;

const load = async () => {
  const { init } = await import("@embedpdf/pdfium");
  const options = { wasmBinary: await Bun.file(wasmPath).arrayBuffer(), print: () => {}, printErr: () => {} };
  const { pdfium, ...functions } = await init(options as unknown as Parameters<typeof init>[0]);
  const withStrings = functions as unknown as Native;
  withStrings.PDFiumExt_Init?.();
  const heap = pdfium as unknown as Heap;
  // The module's own functions take numbers alone: the package's look them up and convert at each call, for half the time.
  const native = heap.wasmExports as unknown as Native;
  return { native, withStrings, heap, scratch: heap.wasmExports.malloc(256) };
};

type Pdfium = Awaited<ReturnType<typeof load>>;
let loaded: Promise<Pdfium> | null = null;

/** PDFium's error code for a missing or wrong password. */
const passwordError = 4;

/** The PDF needs a password. */
export class PasswordNeeded extends Error {}

/**
 * Opens a PDF. Nothing is fetched, no script of it runs.
 * @throws PasswordNeeded, or Error where it is broken
 */
export const openPdfium = async (bytes: Uint8Array) => {
  loaded ??= load();
  const pdfium = await loaded;
  const { heap } = pdfium;
  const data = heap.wasmExports.malloc(bytes.length);
  heap.HEAPU8.set(bytes, data);
  nameAttachments(heap.HEAPU8.subarray(data, data + bytes.length));
  const document = call(pdfium, "FPDF_LoadMemDocument", data, bytes.length, "");
  if (document === 0) {
    const error = call(pdfium, "FPDF_GetLastError");
    heap.wasmExports.free(data);
    if (error === passwordError) throw new PasswordNeeded();
    throw new Error(`PDFium cannot open it (${error}).`);
  }
  const formInfo = call(pdfium, "PDFiumExt_OpenFormFillInfo");
  const form = call(pdfium, "PDFiumExt_InitFormFillEnvironment", document, formInfo);
  let texts: GlyphTexts | null = null;
  const glyphTexts: GlyphTexts = (font, code) => {
    texts ??= readGlyphTexts(bytes);
    return texts(font, code);
  };
  return {
    pageCount: call(pdfium, "FPDF_GetPageCount", document),
    /** @throws Error where the page is broken. Close it. */
    page: (number: number) => openPage(pdfium, document, form, number, glyphTexts),
    /** An entry of what the document states of itself, such as its title. */
    stated: (name: "Title" | "Author" | "Subject" | "Keywords" | "CreationDate" | "ModDate") =>
      wideString(pdfium, (at, size) => call(pdfium, "FPDF_GetMetaText", document, name, at, size)),
    /** Of its text, by the catalog. */
    language: () => wideString(pdfium, (at, size) => call(pdfium, "FPDFCatalog_GetLanguage", document, at, size)),
    outline: () => readOutline(pdfium, document),
    /** Files attached to the document as a whole. */
    attachments: () =>
      Array.from(
        { length: Math.min(call(pdfium, "FPDFDoc_GetAttachmentCount", document), maxAttachments) },
        (_, index) => attachmentOf(pdfium, call(pdfium, "FPDFDoc_GetAttachment", document, index)),
      ),
    /** Digital signatures, those left out that only state a time. */
    signatures: () =>
      Array.from({ length: Math.min(call(pdfium, "FPDF_GetSignatureCount", document), maxSignatures) }, (_, index) =>
        signatureOf(pdfium, call(pdfium, "FPDF_GetSignatureObject", document, index)),
      ).filter((signature) => signature !== null),
    /** A part of an XFA form as XML, or null. */
    xfaPart: (name: "template" | "datasets") => xfaPacket(pdfium, document, name),
    close(): void {
      call(pdfium, "PDFiumExt_ExitFormFillEnvironment", form);
      call(pdfium, "PDFiumExt_CloseFormFillInfo", formInfo);
      call(pdfium, "FPDF_CloseDocument", document);
      heap.wasmExports.free(data);
    },
  };
};

/** @throws Error where PDFium has no function of that name */
const functionNamed = ({ native, withStrings }: Pdfium, name: keyof Native, takesStrings = false): NativeFunction => {
  const run = (takesStrings ? withStrings : native)[name];
  if (run === undefined) throw new Error(`PDFium has no ${name}.`);
  return run;
};

const call = (pdfium: Pdfium, name: keyof Native, ...values: (number | string)[]): number =>
  Number(functionNamed(pdfium, name, values.some(isText))(...values));

const isText = (value: number | string): boolean => typeof value === "string";

/** Numbers that PDFium has written to the scratch memory. */
const floatsOf = ({ heap, scratch }: Pdfium, count: number): number[] => [
  ...heap.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + count),
];

/** Runs a function with memory of PDFium that is free again afterwards. */
const withMemory = <T>({ heap }: Pdfium, bytes: number, use: (at: number) => T): T => {
  const at = heap.wasmExports.malloc(bytes);
  try {
    return use(at);
  } finally {
    heap.wasmExports.free(at);
  }
};

/** A text of PDFium, which is asked twice: for its bytes with the zero at the end, and for itself. */
const stringOf = (
  pdfium: Pdfium,
  charset: "utf-8" | "utf-16le",
  read: (at: number, bytes: number) => number,
): string => {
  const zeroBytes = charset === "utf-8" ? 1 : 2;
  const bytes = read(0, 0);
  if (bytes <= zeroBytes || bytes > maxStringBytes) return "";
  return withMemory(pdfium, bytes, (at) => {
    read(at, bytes);
    return new TextDecoder(charset).decode(pdfium.heap.HEAPU8.slice(at, at + bytes - zeroBytes));
  });
};

const wideString = (pdfium: Pdfium, read: (at: number, bytes: number) => number): string =>
  stringOf(pdfium, "utf-16le", read).replace(/\0/g, "");

/** Bytes, where PDFium gives their number by a pointer. */
const bytesOf = (pdfium: Pdfium, read: (at: number, bytes: number, size: number) => number, maxBytes: number) => {
  const { heap, scratch } = pdfium;
  if (read(0, 0, scratch) === 0) return null;
  const bytes = heap.HEAP32[scratch >> 2] ?? 0;
  if (bytes <= 0 || bytes > maxBytes) return null;
  return withMemory(pdfium, bytes, (at) => (read(at, bytes, scratch) === 0 ? null : heap.HEAPU8.slice(at, at + bytes)));
};

const maxAttachments = 1_000;
const maxAttachedBytes = 256 * 1_048_576;

/** A file inside the PDF; without bytes where they cannot be read. */
export interface AttachedFile {
  name: string;
  bytes: Uint8Array | null;
}

const maxObjectBytes = 4_000;

/**
 * PDFium finds an attached file only under the key that also names it. Many programs name it by `/UF` alone and store it
 * under `/F`: there, the name gets that key too, in the bytes of the file.
 */
const nameAttachments = (data: Uint8Array): void => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (!bytes.includes("/EF")) return;
  for (let at = bytes.indexOf("/UF"); at >= 0; at = bytes.indexOf("/UF", at + 1)) {
    const start = Math.max(bytes.lastIndexOf(" obj", at), at - maxObjectBytes);
    const end = bytes.indexOf("endobj", at);
    const object = bytes.toString("latin1", start, end < 0 || end - at > maxObjectBytes ? at + maxObjectBytes : end);
    const isNamed = /\/F\s{0,5}(?:\(|<[^<])/.test(object);
    if (/\/EF\b/.test(object) && !isNamed && /^\/UF\s{0,5}(?:\(|<[^<])/.test(bytes.toString("latin1", at, at + 12)))
      bytes.write("/F ", at, "latin1");
  }
};

const attachmentOf = (pdfium: Pdfium, handle: number): AttachedFile => {
  const name = wideString(pdfium, (at, size) => call(pdfium, "FPDFAttachment_GetName", handle, at, size));
  const read = (at: number, size: number, length: number) =>
    call(pdfium, "FPDFAttachment_GetFile", handle, at, size, length);
  return { name, bytes: bytesOf(pdfium, read, maxAttachedBytes) };
};

const maxSignatures = 100;

const signatureOf = (pdfium: Pdfium, handle: number): StoredSignature | null => {
  if (handle === 0) return null;
  const ascii = (name: keyof Native) => stringOf(pdfium, "utf-8", (at, size) => call(pdfium, name, handle, at, size));
  if (ascii("FPDFSignatureObj_GetSubFilter") === "ETSI.RFC3161") return null;
  const bytes = call(pdfium, "FPDFSignatureObj_GetContents", handle, 0, 0);
  if (bytes <= 0 || bytes > maxStringBytes) return null;
  const contents = withMemory(pdfium, bytes, (at) => {
    call(pdfium, "FPDFSignatureObj_GetContents", handle, at, bytes);
    return pdfium.heap.HEAPU8.slice(at, at + bytes);
  });
  const reason = wideString(pdfium, (at, size) => call(pdfium, "FPDFSignatureObj_GetReason", handle, at, size));
  return { contents, time: ascii("FPDFSignatureObj_GetTime"), reason };
};

const xfaPacket = (pdfium: Pdfium, document: number, wanted: string): string | null => {
  const count = Math.min(call(pdfium, "FPDF_GetXFAPacketCount", document), 100);
  for (let index = 0; index < count; index++) {
    const name = call(pdfium, "FPDF_GetXFAPacketName", document, index, pdfium.scratch, 200);
    const at = pdfium.scratch;
    if (new TextDecoder().decode(pdfium.heap.HEAPU8.slice(at, at + Math.max(name - 1, 0))) !== wanted) continue;
    const read = (to: number, size: number, length: number) =>
      call(pdfium, "FPDF_GetXFAPacketContent", document, index, to, size, length);
    const bytes = bytesOf(pdfium, read, maxAttachedBytes);
    if (bytes !== null) return new TextDecoder().decode(bytes);
  }
  return null;
};

const maxOutlineEntries = 5_000;

/** Titles of the outline (bookmarks) with their depth from 0. */
const readOutline = (pdfium: Pdfium, document: number): { title: string; depth: number }[] => {
  const entries: { title: string; depth: number }[] = [];
  const seen = new Set<number>();
  const add = (first: number, depth: number) => {
    for (let at = first; at !== 0 && !seen.has(at) && entries.length < maxOutlineEntries; ) {
      seen.add(at);
      const bookmark = at;
      const title = wideString(pdfium, (to, size) => call(pdfium, "FPDFBookmark_GetTitle", bookmark, to, size));
      entries.push({ title, depth });
      if (depth < 5) add(call(pdfium, "FPDFBookmark_GetFirstChild", document, at), depth + 1);
      at = call(pdfium, "FPDFBookmark_GetNextSibling", document, at);
    }
  };
  add(call(pdfium, "FPDFBookmark_GetFirstChild", document, 0), 0);
  return entries;
};

/** What PDFium gives for a hyphen at the end of a line. */
const lineEndHyphen = 2;
const maxCharacters = 400_000;
const maxObjects = 100_000;
const maxAnnotations = 5_000;

/** PDFium's numbers of kinds. */
const pathObject = 2;
const imageObject = 3;
const formObject = 5;

const openPage = (pdfium: Pdfium, document: number, form: number, number: number, glyphTexts: GlyphTexts) => {
  const { heap, scratch } = pdfium;
  const page = call(pdfium, "FPDF_LoadPage", document, number - 1);
  if (page === 0) throw new Error(`Page ${number} is broken.`);
  const text = call(pdfium, "FPDFText_LoadPage", page);
  const [width, height] = [call(pdfium, "FPDF_GetPageWidthF", page), call(pdfium, "FPDF_GetPageHeightF", page)];
  const toShown = shownFrom(pdfium, page);
  /** The box that PDFium has written to the scratch memory. */
  const boxAsShown = (): Box => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = floatsOf(pdfium, 4);
    return turnedBox(toShown, { x0, y0, x1, y1 });
  };

  const styles = new Map<number, CharacterStyle>();
  const styleOf = (index: number, object: number): CharacterStyle => {
    const known = styles.get(object);
    if (known !== undefined) return known;
    const stated = call(pdfium, "FPDFText_GetFontSize", text, index);
    call(pdfium, "FPDFText_GetMatrix", text, index, scratch);
    const [a = 1, b = 0, c = 0, d = 1] = floatsOf(pdfium, 4);
    const [ox, oy] = toShown(0, 0);
    const [ax, ay] = toShown(a, b);
    const degrees = Math.round((Math.atan2(ay - oy, ax - ox) * 180) / Math.PI);
    const handle = call(pdfium, "FPDFTextObj_GetFont", object);
    const style = {
      object,
      size: Math.abs(stated) * Math.hypot(c, d),
      font: isFixedPitch(pdfium, handle) ? `${handle}${fixedPitch}` : `${handle}`,
      angle: ((degrees % 360) + 360) % 360,
      isInvisible: call(pdfium, "FPDFTextObj_GetTextRenderMode", object) === 3,
      isOptional: isOptional(pdfium, object),
    };
    styles.set(object, style);
    return style;
  };

  return {
    number,
    width,
    height,

    /** Characters in PDFium's order, those with a place only. */
    *characters(): Generator<Character> {
      const count = Math.min(call(pdfium, "FPDFText_CountChars", text), maxCharacters);
      const unicode = functionNamed(pdfium, "FPDFText_GetUnicode");
      const objectOf = functionNamed(pdfium, "FPDFText_GetTextObject");
      const origin = functionNamed(pdfium, "FPDFText_GetCharOrigin");
      const looseBox = functionNamed(pdfium, "FPDFText_GetLooseCharBox");
      const hasNoMeaning = functionNamed(pdfium, "FPDFText_HasUnicodeMapError");
      let before: CharacterStyle | null = null;
      for (let index = 0; index < count; index++) {
        const stated = unicode(text, index);
        const object = objectOf(text, index);
        const isAdded = object === 0;
        if (isAdded && before === null) continue;
        const style: CharacterStyle = isAdded ? (before as CharacterStyle) : styleOf(index, object);
        before = style;
        const isControl = stated < 32 && ![lineEndHyphen, 9, 10, 13].includes(stated);
        const isUnknown = !isAdded && (isControl || hasNoMeaning(text, index) === 1);
        const code = isUnknown ? 0 : stated;
        const named = isUnknown
          ? glyphTexts(fontName(pdfium, call(pdfium, "FPDFTextObj_GetFont", object)), stated)
          : null;
        origin(text, index, scratch, scratch + 8);
        const [x, y] = toShown(heap.HEAPF64[scratch >> 3] ?? 0, heap.HEAPF64[(scratch >> 3) + 1] ?? 0);
        looseBox(text, index, scratch);
        const character = named ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");
        yield { ...boxAsShown(), text: code === lineEndHyphen ? "-" : character, x, y, isAdded, style };
      }
    },

    /** Horizontal and vertical lines and thin bars that are drawn, and what pictures cover. */
    drawing(): Drawing {
      const rules: Box[] = [];
      const pictures: Picture[] = [];
      const dots: Box[] = [];
      const drawn = drawnObjects(pdfium, page);
      for (const { boxes, pixels, object, isDot } of drawn) {
        for (const stated of boxes) {
          const box = turnedBox(toShown, stated);
          if (pixels === null) (isDot ? dots : rules).push(box);
          else pictures.push({ ...box, pixels, object });
        }
      }
      return { rules, pictures, dots, objects: drawn.length };
    },

    /** Whether a picture cannot be decoded. */
    isBroken({ object }: Picture): boolean {
      const bitmap = call(pdfium, "FPDFImageObj_GetBitmap", object);
      if (bitmap !== 0) call(pdfium, "FPDFBitmap_Destroy", bitmap);
      return bitmap === 0;
    },

    annotations: (): Annotation[] => readAnnotations(pdfium, page, form, document, boxAsShown),

    /** Files attached to a place of the page. */
    attachments: () =>
      withAnnotations(pdfium, page, (annotation) => {
        const handle = call(pdfium, "FPDFAnnot_GetFileAttachment", annotation);
        return handle === 0 ? null : attachmentOf(pdfium, handle);
      }),

    /** The page as it is shown, in gray: a byte a pixel. */
    render(dotsPerInch: number): { data: Uint8Array; width: number; height: number } {
      const wanted = dotsPerInch / 72;
      const scale = Math.min(wanted, Math.sqrt(maxPagePixels / Math.max(width * height, 1)));
      const [across, down] = [Math.max(Math.round(width * scale), 1), Math.max(Math.round(height * scale), 1)];
      const bitmap = call(pdfium, "FPDFBitmap_CreateEx", across, down, 1, 0, 0);
      if (bitmap === 0) throw new Error("The page is too large.");
      try {
        call(pdfium, "FPDFBitmap_FillRect", bitmap, 0, 0, across, down, 0xffffffff);
        const [annotations, gray] = [1, 8];
        call(pdfium, "FPDF_RenderPageBitmap", bitmap, page, 0, 0, across, down, 0, annotations | gray);
        const [at, stride] = [
          call(pdfium, "FPDFBitmap_GetBuffer", bitmap),
          call(pdfium, "FPDFBitmap_GetStride", bitmap),
        ];
        const data = new Uint8Array(across * down);
        for (let row = 0; row < down; row++)
          data.set(heap.HEAPU8.subarray(at + row * stride, at + row * stride + across), row * across);
        return { data, width: across, height: down };
      } finally {
        call(pdfium, "FPDFBitmap_Destroy", bitmap);
      }
    },

    close(): void {
      call(pdfium, "FPDFText_ClosePage", text);
      call(pdfium, "FPDF_ClosePage", page);
    },
  };
};

/** From a place in the PDF's coordinates to one on the page as it is shown, which may be turned. */
const shownFrom = (pdfium: Pdfium, page: number): Turn => {
  call(pdfium, "FPDF_GetPageBoundingBox", page, pdfium.scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = floatsOf(pdfium, 4);
  switch (call(pdfium, "FPDFPage_GetRotation", page)) {
    case 1:
      return (x, y) => [y - bottom, x - left];
    case 2:
      return (x, y) => [right - x, y - bottom];
    case 3:
      return (x, y) => [top - y, right - x];
    default:
      return (x, y) => [x - left, top - y];
  }
};

/** Ends the name of a font whose letters are equally wide, as code is printed in. */
export const fixedPitch = " fixed";

const isFixedPitch = (pdfium: Pdfium, font: number): boolean => {
  if (font === 0) return false;
  if ((call(pdfium, "FPDFFont_GetFlags", font) & 1) !== 0) return true;
  return /mono|courier|consol|menlo|typewriter/i.test(fontName(pdfium, font));
};

const fontName = (pdfium: Pdfium, font: number): string => {
  const { heap, scratch } = pdfium;
  const bytes = Math.min(call(pdfium, "FPDFFont_GetBaseFontName", font, scratch, 128), 128);
  return new TextDecoder("latin1").decode(heap.HEAPU8.slice(scratch, scratch + Math.max(bytes - 1, 0)));
};

/** Whether an object belongs to a layer (`/OC`), which the reader may have hidden. */
const isOptional = (pdfium: Pdfium, object: number): boolean => {
  const { heap, scratch } = pdfium;
  const marks = Math.min(call(pdfium, "FPDFPageObj_CountMarks", object), 50);
  for (let index = 0; index < marks; index++) {
    const mark = call(pdfium, "FPDFPageObj_GetMark", object, index);
    call(pdfium, "FPDFPageObjMark_GetName", mark, scratch, 16, scratch + 16);
    const [first, , second] = heap.HEAPU8.subarray(scratch, scratch + 3);
    if (first === 0x4f && second === 0x43 && heap.HEAP32[(scratch + 16) >> 2] === 6) return true;
  }
  return false;
};

interface Drawn {
  object: number;
  /** In the PDF's own coordinates. */
  boxes: Box[];
  /** Of a picture. */
  pixels: { width: number; height: number } | null;
  isDot?: boolean;
}

/** An affine transform (PDF 32000-1, 8.3.4). */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
const unmoved: Matrix = [1, 0, 0, 1, 0, 0];

/** The transform that applies `n` first, then `m`. */
const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

/** A line of a table is at most this thick, in points. */
export const maxRuleWidth = 2.5;
const maxFormDepth = 8;

const drawnObjects = (pdfium: Pdfium, page: number): Drawn[] => {
  const { heap, scratch } = pdfium;
  const found: Drawn[] = [];
  let left = maxObjects;
  const matrixOf = (object: number): Matrix => {
    if (call(pdfium, "FPDFPageObj_GetMatrix", object, scratch) === 0) return unmoved;
    return floatsOf(pdfium, 6) as unknown as Matrix;
  };
  const add = (object: number, outer: Matrix, depth: number): void => {
    if (left-- <= 0) return;
    const kind = call(pdfium, "FPDFPageObj_GetType", object);
    if (kind === pathObject) {
      const matrix = multiply(outer, matrixOf(object));
      const dot = dotOf(pdfium, object, outer);
      const boxes = dot === null ? rulesOf(pdfium, object, matrix) : [dot];
      found.push({ object, boxes, pixels: null, isDot: dot !== null });
    } else if (kind === imageObject) {
      const [a, b, c, d, e, f] = multiply(outer, matrixOf(object));
      const corners: Point[] = [
        [e, f],
        [e + a, f + b],
        [e + c, f + d],
        [e + a + c, f + b + d],
      ];
      call(pdfium, "FPDFImageObj_GetImagePixelSize", object, scratch, scratch + 4);
      const [pixelsAcross = 0, pixelsDown = 0] = heap.HEAP32.slice(scratch >> 2, (scratch >> 2) + 2);
      found.push({
        object,
        boxes: [boxOf(corners)],
        pixels: { width: pixelsAcross, height: pixelsDown },
      });
    } else if (kind === formObject && depth < maxFormDepth) {
      const inner = multiply(outer, matrixOf(object));
      const count = call(pdfium, "FPDFFormObj_CountObjects", object);
      for (let index = 0; index < count && left > 0; index++)
        add(call(pdfium, "FPDFFormObj_GetObject", object, index), inner, depth + 1);
    }
  };
  const count = call(pdfium, "FPDFPage_CountObjects", page);
  for (let index = 0; index < count && left > 0; index++)
    add(call(pdfium, "FPDFPage_GetObject", page, index), unmoved, 0);
  return found;
};

type Point = readonly [x: number, y: number];

/** The box around some points. */
const boxOf = (points: readonly Point[]): Box => {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
};

const maxSegments = 4_000;
/** Sides of a dot, in points, and the segments that draw one at most. */
const [leastDot, mostDot, mostDotSegments] = [2, 8, 60];

/** The box of a path that is small and as wide as high; null for others. */
const dotOf = (pdfium: Pdfium, path: number, outer: Matrix): Box | null => {
  const { scratch } = pdfium;
  const segments = call(pdfium, "FPDFPath_CountSegments", path);
  if (segments < 4 || segments > mostDotSegments) return null;
  if (call(pdfium, "FPDFPageObj_GetBounds", path, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return null;
  const [left = 0, bottom = 0, right = 0, top = 0] = floatsOf(pdfium, 4);
  const [a, b, c, d, e, f] = outer;
  const box = boxOf([
    [a * left + c * bottom + e, b * left + d * bottom + f],
    [a * right + c * top + e, b * right + d * top + f],
  ]);
  const [width, height] = [box.x1 - box.x0, box.y1 - box.y0];
  const isSquare = Math.abs(width - height) < 0.15 * Math.max(width, height);
  return isSquare && width >= leastDot && width <= mostDot ? box : null;
};

/** The straight lines of a path, and its thin bars, that run across or down the page. */
const rulesOf = (pdfium: Pdfium, path: number, matrix: Matrix): Box[] => {
  const { heap, scratch } = pdfium;
  call(pdfium, "FPDFPath_GetDrawMode", path, scratch, scratch + 4);
  const isFilled = (heap.HEAP32[scratch >> 2] ?? 0) !== 0;
  const isStroked = (heap.HEAP32[(scratch + 4) >> 2] ?? 0) !== 0;
  if (!isFilled && !isStroked) return [];
  const count = Math.min(call(pdfium, "FPDFPath_CountSegments", path), maxSegments);
  const [a, b, c, d, e, f] = matrix;
  const rules: Box[] = [];
  let outline: Point[] = [];
  const finish = () => {
    const box = boxOf(outline);
    const isThin = box.x1 - box.x0 <= maxRuleWidth || box.y1 - box.y0 <= maxRuleWidth;
    if (outline.length > 1 && isThin) rules.push(box);
    else if (isStroked) {
      outline.slice(1).forEach((to, index) => {
        const line = boxOf([outline[index] as Point, to]);
        if (line.x1 - line.x0 <= 0.5 || line.y1 - line.y0 <= 0.5) rules.push(line);
      });
    }
    outline = [];
  };
  for (let index = 0; index < count; index++) {
    const segment = call(pdfium, "FPDFPath_GetPathSegment", path, index);
    call(pdfium, "FPDFPathSegment_GetPoint", segment, scratch, scratch + 4);
    const at = scratch >> 2;
    const [px, py] = [heap.HEAPF32[at] ?? 0, heap.HEAPF32[at + 1] ?? 0];
    const point = [a * px + c * py + e, b * px + d * py + f] as const;
    const kind = call(pdfium, "FPDFPathSegment_GetType", segment);
    // A curve is no line of a table.
    if (kind === 1) return rules;
    if (kind === 2) finish();
    outline.push(point);
    const [first] = outline;
    if (call(pdfium, "FPDFPathSegment_GetClose", segment) !== 0 && first) outline.push(first);
  }
  finish();
  return rules;
};

/** Runs a function over a page's annotations; what it gives null for is left out. */
const withAnnotations = <T>(pdfium: Pdfium, page: number, read: (annotation: number) => T | null): T[] => {
  const count = Math.min(call(pdfium, "FPDFPage_GetAnnotCount", page), maxAnnotations);
  const found: T[] = [];
  for (let index = 0; index < count; index++) {
    const annotation = call(pdfium, "FPDFPage_GetAnnot", page, index);
    if (annotation === 0) continue;
    const one = read(annotation);
    if (one !== null) found.push(one);
    call(pdfium, "FPDFPage_CloseAnnot", annotation);
  }
  return found;
};

const annotationString = (pdfium: Pdfium, annotation: number, key: string): string =>
  wideString(pdfium, (at, size) => call(pdfium, "FPDFAnnot_GetStringValue", annotation, key, at, size));

const [linkAnnotation, typedAnnotation, popup, widgetAnnotation] = [2, 3, 16, 20];
const hiddenFlags = 2 | 32;

const readAnnotations = (
  pdfium: Pdfium,
  page: number,
  form: number,
  document: number,
  boxAsShown: () => Box,
): Annotation[] =>
  withAnnotations(pdfium, page, (annotation): Annotation | null => {
    const kind = call(pdfium, "FPDFAnnot_GetSubtype", annotation);
    if ((call(pdfium, "FPDFAnnot_GetFlags", annotation) & hiddenFlags) !== 0) return null;
    call(pdfium, "FPDFAnnot_GetRect", annotation, pdfium.scratch);
    const box = boxAsShown();
    if (kind === linkAnnotation) {
      const link = call(pdfium, "FPDFAnnot_GetLink", annotation);
      const action = link === 0 ? 0 : call(pdfium, "FPDFLink_GetAction", link);
      const text = action === 0 ? "" : addressOf(pdfium, document, action);
      return text === "" ? null : { kind: "link", box, text, label: "" };
    }
    if (kind === widgetAnnotation) return readField(pdfium, form, annotation, box);
    // Sticky notes, and marks and shapes that may carry a note. A window shows that of another one.
    if (kind === popup || kind > widgetAnnotation) return null;
    const plain = annotationString(pdfium, annotation, "Contents");
    const text = plain.trim() === "" ? withoutTags(annotationString(pdfium, annotation, "RC")) : plain;
    if (text === "") return null;
    if (kind === typedAnnotation) return { kind: "typed", box, text, label: "" };
    return { kind: "note", box, text, label: annotationString(pdfium, annotation, "T") };
  });

/** The text of a note that is stated as XHTML alone. */
const withoutTags = (rich: string): string => {
  const characters: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  const text = rich.replace(/<\/?(?:p|br|div)\b[^<>]*>/g, " ").replace(/<[^<>]*>/g, "");
  return text.replace(/&(?:lt|gt|amp);/g, (name) => characters[name] ?? name).trim();
};

const addressOf = (pdfium: Pdfium, document: number, action: number): string =>
  stringOf(pdfium, "utf-8", (at, size) => call(pdfium, "FPDFAction_GetURIPath", document, action, at, size));

const [checkBox, radioButton, comboBox, listBox, textField, signatureField] = [2, 3, 4, 5, 6, 7];

/** A field of a form with its value; null for buttons and empty fields. */
const readField = (pdfium: Pdfium, form: number, annotation: number, box: Box): Annotation | null => {
  const type = call(pdfium, "FPDFAnnot_GetFormFieldType", form, annotation);
  const field = (name: keyof Native) =>
    wideString(pdfium, (at, size) => call(pdfium, name, form, annotation, at, size));
  const label = field("FPDFAnnot_GetFormFieldAlternateName") || field("FPDFAnnot_GetFormFieldName");
  const stated = (text: string): Annotation | null => (text.trim() === "" ? null : { kind: "field", box, text, label });
  if (type === checkBox || type === radioButton) {
    const state = annotationString(pdfium, annotation, "AS");
    const isChecked = state !== "" && state !== "Off";
    return stated(isChecked ? "☒" : "☐");
  }
  if (type === comboBox || type === listBox) {
    const count = Math.min(call(pdfium, "FPDFAnnot_GetOptionCount", form, annotation), 1_000);
    const chosen = Array.from({ length: count }, (_, index) => index)
      .filter((index) => call(pdfium, "FPDFAnnot_IsOptionSelected", form, annotation, index) !== 0)
      .map((index) =>
        wideString(pdfium, (at, size) => call(pdfium, "FPDFAnnot_GetOptionLabel", form, annotation, index, at, size)),
      );
    return stated(chosen.join(", ") || field("FPDFAnnot_GetFormFieldValue"));
  }
  return type === textField || type === signatureField ? stated(field("FPDFAnnot_GetFormFieldValue")) : null;
};
