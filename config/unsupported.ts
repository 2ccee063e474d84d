import type { Config } from "./schema.ts";

export interface UnsupportedSetting {
  path: string;
  /** True where every value but the default is refused: `carrel.yaml` says so beside the key. */
  whole: boolean;
  isSet(config: Config): boolean;
  message: string;
}

/**
 * Settings that have their place in the schema and that this version cannot honour: refused at start, never accepted
 * and ignored. What learns to honour one deletes its line here.
 */
export const unsupportedSettings: readonly UnsupportedSetting[] = [
  {
    path: "store.uri",
    whole: true,
    isSet: ({ store }) => store.uri !== null,
    message: "is not supported by this version: leave it null, everything is then kept in dataDir",
  },
];
