import type { BatchLine } from "./batch-lines.ts";

/** Lines stored together: small ones take some 5 ms of analysis, which is how long others wait. */
const maxLines = 32;
const maxCharacters = 32_768;

/** Lines that are stored together and answered together. */
export interface BatchUnit {
  lines: BatchLine[];
  characters: number;
}

export const unitsOf = (lines: readonly BatchLine[]): BatchUnit[] => {
  const units: BatchUnit[] = [];
  for (const line of lines) {
    const characters = line.text?.length ?? 0;
    const last = units.at(-1);
    if (last === undefined || last.lines.length === maxLines || last.characters + characters > maxCharacters) {
      units.push({ lines: [line], characters });
    } else {
      last.lines.push(line);
      last.characters += characters;
    }
  }
  return units;
};
