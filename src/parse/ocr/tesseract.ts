import { ApiError } from "../../domain/errors.ts";
import { unreadable } from "../blocks/blocks.ts";

/** Optical character recognition. */
export interface Ocr {
  /**
   * Text of one picture (PNG, JPEG, TIFF, BMP, GIF, WebP or PNM), with its line breaks; empty if there is none.
   * @throws ApiError 422 `unreadable_file` where the program cannot read the picture or lacks a language,
   * 504 `parser_timeout`
   */
  read(picture: Uint8Array): Promise<string>;
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

/** Reads pictures with the `tesseract` program, one process a picture. */
export const createOcr = ({ program, languages, timeoutMs }: OcrOptions): Ocr => {
  return {
    async read(picture) {
      // Mode 1 also finds out how the page is turned, where the data for that (`osd`) is installed.
      const child = Bun.spawn([program, "-", "-", "--psm", "1", "-l", languages.join("+")], {
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
      return text;
    },
  };
};
