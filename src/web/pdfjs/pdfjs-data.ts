import dingbatsPath from "pdfjs-dist/standard_fonts/FoxitDingbats.pfb" with { type: "file" };
import symbolPath from "pdfjs-dist/standard_fonts/FoxitSymbol.pfb" with { type: "file" };
import faxAndJbig2Path from "pdfjs-dist/wasm/jbig2.wasm" with { type: "file" };
import openJpegPath from "pdfjs-dist/wasm/openjpeg.wasm" with { type: "file" };

/**
 * The decoders that pdf.js has in WebAssembly: of CCITT and JBIG2 (PDFium's), and of JPEG 2000 (OpenJPEG). And the two
 * of the standard fonts that it draws with always, for which no font of the system can stand in.
 */
const paths: Readonly<Record<string, string>> = {
  "jbig2.wasm": faxAndJbig2Path,
  "openjpeg.wasm": openJpegPath,
  "FoxitDingbats.pfb": dingbatsPath,
  "FoxitSymbol.pfb": symbolPath,
};

const cMapEnding = ".bcmap";

/** Where a data file of pdf.js is: a decoder, a font or a predefined CMap. Undefined for any other name. */
export const pdfjsDataPath = async (filename: string): Promise<string | undefined> => {
  if (Object.hasOwn(paths, filename)) return paths[filename];
  if (!filename.endsWith(cMapEnding)) return undefined;
  const cMaps: Readonly<Record<string, string>> = await import("./cmap-paths.ts");
  const name = filename.slice(0, -cMapEnding.length);
  return Object.hasOwn(cMaps, name) ? cMaps[name] : undefined;
};
