import type { Block, Content } from "../blocks/blocks.ts";
import type { ParseContext } from "../context.ts";
import { noText, unsupported } from "../failure.ts";
import { textBlocks } from "../ocr/text-blocks.ts";
import { uprightPicture } from "../ocr/upright-jpeg.ts";

/** The text on a picture, by OCR. @throws ApiError 415 where there is no OCR, 422 where there is no text */
export const readPicture = async (bytes: Uint8Array, mimeType: string, context: ParseContext): Promise<Content> => {
  if (!context.ocr) {
    throw unsupported(
      `Reading a picture (${mimeType}) needs OCR. Install the tesseract program, or set up Unstructured (parser.baseUrl).`,
    );
  }
  const blocks: Block[] = textBlocks(await context.ocr.read(await uprightPicture(bytes)));
  if (blocks.length === 0) throw noText("OCR found no text on the picture.");
  return { title: null, blocks, warnings: ["The text was read by OCR."] };
};
