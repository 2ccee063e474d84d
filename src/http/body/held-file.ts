import type { UploadedFile } from "../../domain/uploaded-file.ts";
import type { BlobStore } from "../../store/contract.ts";

/** An uploaded file and who answers for it. */
export interface HeldFile extends UploadedFile {
  /** At the request's end, well or not: takes the file back out of the blob folder where nobody has taken it over. */
  settle(): Promise<void>;
}

/** A file that was just put into the blob folder and that no document names yet. */
export const holdFile = (
  blobs: Pick<BlobStore, "release">,
  file: Pick<UploadedFile, "name" | "mimeType" | "hash" | "bytes">,
): HeldFile => {
  let held = true;
  return {
    ...file,
    take() {
      held = false;
    },
    async settle() {
      if (!held) return;
      held = false;
      await blobs.release(file.hash);
    },
  };
};
