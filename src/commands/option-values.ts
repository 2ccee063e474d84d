import { InvalidArgumentError } from "commander";
import { parseDuration } from "../../config/duration.ts";

/** A duration in milliseconds. */
export const durationMs = (text: string): number => {
  const parsed = parseDuration(text);
  if (parsed === null || parsed === 0) throw new InvalidArgumentError("It must be a duration such as 12h or 30d.");
  return parsed;
};

export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= minimum && number <= maximum))
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    return number;
  };
