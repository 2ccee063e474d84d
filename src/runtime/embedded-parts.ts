import type { EmbeddedOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import type { PackedFile } from "../system/packed-file.ts";
import type { EmbeddedPageFile } from "../web/page-files.ts";

/** Parts of the compiled binary besides its modules; from source they are in node_modules. */
export interface EmbeddedParts {
  /** LanceDB's native part; its SHA-256 names the copy on the disk. */
  lancedb: PackedFile;
  /** Null where onnxruntime has no library for the platform. */
  onnxRuntime: EmbeddedOnnxRuntime | null;
  /** Path within the binary of the license texts: JSON of `LicensedPart`s, compressed with zstd. */
  licenses: string;
  /** Scripts and styles of the pages. */
  pages: readonly EmbeddedPageFile[];
}
