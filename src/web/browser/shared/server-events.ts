import { type ServerEvent, serverEvents } from "../../../../clients/typescript/src/streams.ts";
import type { AnswerDelta, Problem, Snippet, SourceSnippet } from "./api.ts";

export { type ServerEvent, serverEvents };

/** What is done with an answer while it arrives. */
export interface AnswerParts {
  onSnippets(snippets: (Snippet | SourceSnippet)[]): void;
  /** @param text all that was written so far */
  onText(text: string): void;
}

/**
 * Reads a streamed answer.
 * @param failure made of what the server reports in place of an answer, and thrown
 * @returns the whole answer; null where the connection ended before it
 */
export const readAnswer = async <Done>(
  events: AsyncIterable<ServerEvent>,
  { onSnippets, onText }: AnswerParts,
  failure: (problem: Problem) => Error,
): Promise<Done | null> => {
  let text = "";
  for await (const { event, data } of events) {
    if (event === "error") throw failure(data as Problem);
    if (event === "done") return data as Done;
    if (event === "snippets") onSnippets(data as (Snippet | SourceSnippet)[]);
    else if (event === "delta") {
      text += (data as AnswerDelta).text;
      onText(text);
    }
  }
  return null;
};
