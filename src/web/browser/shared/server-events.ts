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

const eventIn = (block: string): ServerEvent | null => {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
};
