import { distance } from "fastest-levenshtein";

/** An error in the configuration. No message contains a value from it, which may be a secret. */
export interface ConfigFault {
  /** `carrel.yaml:12`, `carrel.yaml:12:5` or the name of an environment variable. */
  where: string;
  /** As in `models.answer.model`; empty for the file as a whole. */
  path: string;
  message: string;
}

export const faultInWords = ({ where, path, message }: ConfigFault): string =>
  `${where}: ${path === "" ? "" : `${path} `}${message}`;

/** Stops the start; its message has one line for each fault. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    const lines = faults.map((fault) => `  ${faultInWords(fault)}`).join("\n");
    super(`The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${lines}`);
    this.faults = faults;
  }
}

/** The name that was probably meant: the fewest edits, at most a third of its length (2 for short ones); else null. */
export const nearestName = (given: string, names: Iterable<string>): string | null => {
  let best: { name: string; edits: number } | null = null;
  for (const name of names) {
    const edits = distance(given.toLowerCase(), name.toLowerCase());
    if (edits <= Math.max(2, Math.floor(name.length / 3)) && edits < (best?.edits ?? Infinity)) best = { name, edits };
  }
  return best?.name ?? null;
};
