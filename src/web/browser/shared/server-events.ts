import { type ServerEvent, serverEvents } from "../../../../clients/typescript/src/streams.ts";
import type { AnswerDelta, Problem, Snippet, SourceSnippet } from "./api.ts";

export { type ServerEvent, serverEvents };

/** What arrives while an answer is written. */
type AnswerEvent<Done> =
  | { event: "snippets"; data: (Snippet | SourceSnippet)[] }
  | { event: "delta"; data: AnswerDelta }
  | { event: "done"; data: Done };

/**
 * The events of a streamed answer, up to `done`; it ends without one where the connection does.
 * @param failure made of what the server reports in place of an answer, and thrown
 */
export async function* answerEvents<Done>(
  events: AsyncIterable<ServerEvent>,
  failure: (problem: Problem) => Error,
): AsyncGenerator<AnswerEvent<Done>, void, undefined> {
  for await (const { event, data } of events) {
    if (event === "error") throw failure(data as Problem);
    yield { event, data } as AnswerEvent<Done>;
    if (event === "done") return;
  }
}
