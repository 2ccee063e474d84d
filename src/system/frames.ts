/**
 * Messages between the server and its parsing process: a JSON head and bytes, each with its length before it
 * (two big-endian uint32). A frame over a limit is an error of the sender.
 */
export interface Frame {
  head: unknown;
  body: Uint8Array;
}

const maxHeadBytes = 64 * 1024 * 1024;

export const writeFrame = (head: unknown, body: Uint8Array = new Uint8Array()): Uint8Array => {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const frame = new Uint8Array(8 + json.length + body.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, json.length);
  view.setUint32(4, body.length);
  frame.set(json, 8);
  frame.set(body, 8 + json.length);
  return frame;
};

/**
 * The frames of a byte stream; ends where the stream ends between two frames.
 * @throws RangeError for a frame over the limit or cut off, SyntaxError for a head that is no JSON
 */
export async function* readFrames(stream: AsyncIterable<Uint8Array>, maxBodyBytes: number): AsyncGenerator<Frame> {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let needed = 8;
  let lengths: { head: number; body: number } | null = null;
  for await (const chunk of stream) {
    chunks.push(chunk);
    held += chunk.length;
    while (held >= needed) {
      const bytes: Uint8Array = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      if (lengths === null) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        lengths = { head: view.getUint32(0), body: view.getUint32(4) };
        if (lengths.head > maxHeadBytes || lengths.body > maxBodyBytes) throw new RangeError("The frame is too large.");
        needed = 8 + lengths.head + lengths.body;
        chunks = [bytes];
        continue;
      }
      const head: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + lengths.head)));
      // A copy, because readers take ownership of it, and no Buffer, because pdf.js refuses those.
      yield { head, body: new Uint8Array(bytes.subarray(8 + lengths.head, needed)) };
      const rest = bytes.subarray(needed);
      chunks = rest.length > 0 ? [rest] : [];
      held = rest.length;
      needed = 8;
      lengths = null;
    }
  }
  if (held > 0) throw new RangeError("The stream ended inside a frame.");
}
