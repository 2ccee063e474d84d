import type { AnswerDelta, Problem, Snippet, SourceSnippet } from "./api.ts";

/** One server-sent event. */
export interface ServerEvent {
  event: string;
  data: string;
}

/**
 * The events of a `text/event-stream` body (HTML Standard, 9.2.6), as they arrive.
 * @throws TypeError if the connection fails, AbortError if the request is aborted
 */
export async function* serverEvents(body: ReadableStream<BufferSource>): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  try {
    for (;;) {
      const { done, value = "" } = await reader.read();
      pending = (pending + value).replaceAll("\r\n", "\n");
      const blocks = pending.split("\n\n");
      pending = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventIn(block);
        if (event !== null) yield event;
      }
      if (done) return;
    }
  } finally {
    // Who leaves early holds no connection: a browser has six to a server.
    await reader.cancel().catch(() => {});
  }
}

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
    const value: unknown = JSON.parse(data);
    if (event === "error") throw failure(value as Problem);
    yield { event, data: value } as AnswerEvent<Done>;
    if (event === "done") return;
  }
}

const eventIn = (block: string): ServerEvent | null => {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
};
