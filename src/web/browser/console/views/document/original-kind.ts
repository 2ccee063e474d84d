import type { Document as DocumentRecord } from "../../../shared/api.ts";

/**
 * How an original is shown. `file`: as a download only, since a browser could run it (HTML, SVG) or cannot show it.
 * `fetched`: it is at an address of its own. `none`: it came as text.
 */
type OriginalKind = "pdf" | "picture" | "file" | "fetched" | "none";

/** Pictures that browsers show and that hold no scripts. */
const pictures: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"];

type Original = Pick<DocumentRecord, "originalUrl" | "mimeType" | "id">;

export const originalKind = ({ originalUrl, mimeType, id }: Original): OriginalKind => {
  if (originalUrl === null) return "none";
  if (!originalUrl.endsWith(`/api/document/${id}/file`)) return "fetched";
  if (mimeType === "application/pdf") return "pdf";
  return mimeType !== null && pictures.includes(mimeType) ? "picture" : "file";
};
