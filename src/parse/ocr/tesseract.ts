import { ApiError } from "../../domain/errors.ts";
import { unreadable } from "../blocks/blocks.ts";

/** Optical character recognition. */
export interface Ocr {
  /**
   * Text of one picture (PNG, JPEG, TIFF, BMP, GIF, WebP or PGM), with its line breaks; empty if there is none.
   * @param onDoubt called where the program was unsure of many words, with their number and that of all words
   * @throws ApiError 422 `unreadable_file` where the program cannot read the picture or lacks a language,
   * 504 `parser_timeout`
   */
  read(picture: Uint8Array, onDoubt?: (unsure: number, words: number) => void): Promise<string>;
}

interface OcrOptions {
  /** Path of the `tesseract` program. */
  program: string;
  /** Tesseract's names of languages, such as `eng`, `deu`. */
  languages: readonly string[];
  /** For one picture. */
  timeoutMs: number;
}

/** The `tesseract` program's path, or null where it is not installed. */
export const findTesseract = (): string | null => Bun.which("tesseract");

/** Somebody may install it while the server runs, after a scan was refused. */
const lookAgainMs = 5_000;

/**
 * The path of the program, as `findTesseract` gives it: remembered once it is found, and looked for again where it was
 * missing, at most every five seconds.
 * @param find looks for it @param now milliseconds, in place of the clock
 */
export const createTesseractLookup = (
  find: () => string | null = findTesseract,
  now: () => number = () => performance.now(),
): (() => string | null) => {
  let found: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (found !== null || now() - lookedAt < lookAgainMs) return found;
    lookedAt = now();
    found = find();
    return found;
  };
};

const maxMessageCharacters = 300;

/** Words that tesseract gives fewer points of a hundred are doubtful; a page with such a share of them is. */
const sureOfWord = 60;
const doubtfulShare = 0.1;
const fewestDoubtful = 3;

/** The text, and how many words of it are doubtful: rows of the table of words (TSV) stand before or between its lines. */
const textAndDoubts = (output: string): { text: string; words: number; unsure: number } => {
  const isRow = (line: string) => /^(?:[1-5]\t\d|level\t)/.test(line) && line.split("\t", 12).length >= 11;
  const lines = output.split("\n");
  const points = lines
    .filter((line) => isRow(line) && line.startsWith("5\t") && (line.split("\t")[11] ?? "").trim() !== "")
    .map((line) => Number(line.split("\t")[10]));
  const text = lines.filter((line) => !isRow(line)).join("\n");
  return { text, words: points.length, unsure: points.filter((one) => one < sureOfWord).length };
};

/** Reads pictures with the `tesseract` program, one process a picture. */
export const createOcr = ({ program, languages, timeoutMs }: OcrOptions): Ocr => {
  return {
    async read(picture, onDoubt) {
      // Mode 1 also finds out how the page is turned, where the data for that (`osd`) is installed.
      const child = Bun.spawn([program, "-", "-", "--psm", "1", "-l", languages.join("+"), ...outputs], {
        stdin: picture,
        stdout: "pipe",
        stderr: "pipe",
        // Several threads make it slower on small machines and take CPU time from the server.
        env: { ...process.env, OMP_THREAD_LIMIT: "1" },
        timeout: timeoutMs,
        killSignal: "SIGKILL",
      });
      const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      const code = await child.exited;
      if (child.signalCode === "SIGKILL") {
        throw new ApiError("parser_timeout", `Reading a picture took longer than ${timeoutMs} ms.`);
      }
      const [text, message] = await output;
      const lacking = [...message.matchAll(/Failed loading language '([^']+)'/g)].flatMap(([, name]) =>
        name === undefined || name === "osd" ? [] : [name],
      );
      // If it lacks one of several languages it continues without it, and misreads its letters.
      if (lacking.length > 0 || (code !== 0 && /language|traineddata/i.test(message))) {
        const named = (lacking.length > 0 ? lacking : languages).join(", ").slice(0, maxMessageCharacters);
        throw unreadable(`tesseract lacks a language of parser.ocrLanguages (${named}): install its data.`);
      }
      if (code !== 0) throw unreadable("The picture is broken: tesseract cannot read it.");
      const read = textAndDoubts(text);
      if (read.unsure >= Math.max(fewestDoubtful, doubtfulShare * read.words)) onDoubt?.(read.unsure, read.words);
      return read.text;
    },
  };
};

/** The text, and how sure the program is of each word. */
const outputs = ["-c", "tessedit_create_txt=1", "-c", "tessedit_create_tsv=1"];

/** A picture in gray, a byte a pixel, as binary PGM (P5, netpbm), which every OCR program reads. */
export const writePgm = ({ data, width, height }: { data: Uint8Array; width: number; height: number }): Uint8Array =>
  Buffer.concat([new TextEncoder().encode(`P5\n${width} ${height}\n255\n`), data]);
