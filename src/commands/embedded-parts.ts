import type { EmbeddedOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import type { EmbeddedAddon } from "./native-addon.ts";

/** Native code that the compiled binary carries; outside of it everything lies in node_modules. */
export interface EmbeddedParts {
  lancedb: EmbeddedAddon;
  /** Null where onnxruntime has no library for the platform. */
  onnxRuntime: EmbeddedOnnxRuntime | null;
}
