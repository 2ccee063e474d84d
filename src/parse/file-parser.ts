import { type FileParser, ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";

/** Faults that another parser may not have: a type it does not know, a scan it cannot read, a file it breaks over. */
const anotherMayRead = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.code === "unsupported_file_type" || error.code === "no_text"
    : error instanceof ProviderError && error.kind === "bad_answer";

/** The parser cannot be asked now, and might have read the file. */
const isAway = (error: unknown): boolean => error instanceof ProviderError && error.kind !== "bad_answer";

/**
 * Two parsers as one: what the first cannot read goes to the second. Where the second cannot either, the built-in
 * parser's answer is given, for it says best what to do; a second that is down is told of, since the file might be fine.
 */
export const createFileParser = (first: FileParser, second: FileParser, builtin: FileParser): FileParser => ({
  async parse(file, signal) {
    try {
      return await first.parse(file, signal);
    } catch (error) {
      if (!anotherMayRead(error)) throw error;
      try {
        return await second.parse(file, signal);
      } catch (other) {
        if (isAway(other)) throw other;
        throw second === builtin ? other : error;
      }
    }
  },
});
