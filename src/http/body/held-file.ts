import type { UploadedFile } from "../../domain/records.ts";
import type { BlobStore } from "../../store/contract.ts";

/** An uploaded file that is removed at the end of the request, unless taken. */
export interface HeldFile extends UploadedFile {
  /** At the end of the request, successful or not: removes the file from the blob folder unless it was taken. */
  settle(): Promise<void>;
}

/** A file that was just put into the blob folder and that no document refers to yet. */
export const holdFile = (
  blobs: Pick<BlobStore, "release">,
  file: Pick<UploadedFile, "name" | "mimeType" | "hash" | "bytes">,
): HeldFile => {
  let isHeld = true;
  return {
    ...file,
    take() {
      isHeld = false;
    },
    async settle() {
      if (!isHeld) return;
      isHeld = false;
      await blobs.release(file.hash);
    },
  };
};
