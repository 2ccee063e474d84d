import type { EmbeddedOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import type { EmbeddedAddon } from "./native-addon.ts";

/** What the compiled binary carries beside its modules; outside of it everything lies in node_modules. */
export interface EmbeddedParts {
  lancedb: EmbeddedAddon;
  /** Null where onnxruntime has no library for the platform. */
  onnxRuntime: EmbeddedOnnxRuntime | null;
  /** Path within the binary of the license texts: JSON of `LicensedPart`s, compressed with zstd. */
  licenses: string;
}
