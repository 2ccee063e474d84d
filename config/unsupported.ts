import type { Config } from "./schema.ts";

interface UnsupportedSetting {
  path: string;
  /** True if only the default is accepted: `carrel.yaml` says so at the key. */
  whole: boolean;
  isSet(config: Config): boolean;
  message: string;
}

/**
 * Settings that are in the schema but not supported by this version: refused at start, never silently ignored. Delete
 * the entry when support is added.
 */
export const unsupportedSettings: readonly UnsupportedSetting[] = [
  {
    path: "store.uri",
    whole: true,
    isSet: ({ store }) => store.uri !== null,
    message: "is not supported by this version: leave it null, everything is then kept in dataDir",
  },
];
