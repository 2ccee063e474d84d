import type { Fact } from "./facts.ts";
import type { Format } from "./readers.ts";

/** A file that is read, and what it is known to hold. */
export interface Sample {
  name: string;
  format: Format;
  bytes: Uint8Array;
  facts: readonly Fact[];
}
