import { CarrelError } from "./request.ts";

/** A server-sent event whose data is JSON. */
export interface ServerEvent {
  event: string;
  data: unknown;
}

/**
 * The events of a `text/event-stream` body (HTML Standard, 9.2.6), as they arrive; comments are left out. Who leaves early
 * closes the connection.
 */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  let event = "message";
  let data: string[] = [];
  for await (const line of lines(body)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    else if (line === "") {
      if (data.length > 0) yield { event, data: parseJson(data.join("\n")) };
      event = "message";
      data = [];
    }
  }
}

/** The values of an `application/x-ndjson` body, as they arrive. */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  for await (const line of lines(body)) if (line !== "") yield parseJson(line);
}

/** @throws CarrelError where it is none */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CarrelError("unexpected_answer", 200, "The answer is cut off, or no JSON.", { cause });
  }
};

/** Lines, without their LF or CRLF. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // Parts of a long line are joined once: adding to a text that is searched again takes quadratic time.
  let parts: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const found = decoder.decode(value, { stream: !done }).split("\n");
      for (const end of found.slice(0, -1)) {
        yield [...parts, end].join("").replace(/\r$/, "");
        parts = [];
      }
      parts.push(found.at(-1) ?? "");
      if (done) break;
    }
    const last = parts.join("");
    if (last !== "") yield last;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
