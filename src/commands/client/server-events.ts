/** One server-sent event whose data is JSON. */
interface ReceivedEvent {
  event: string;
  data: unknown;
}

/** The events of a `text/event-stream`, comments left out. */
export async function* readServerEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== null) yield event;
    }
  }
}

const parseBlock = (block: string): ReceivedEvent | null => {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length === 0 ? null : { event, data: JSON.parse(data.join("\n")) };
};
