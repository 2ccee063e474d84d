/**
 * The same multipart body, its part `file` marked as a file where it comes with an empty file name, as some clients
 * send bytes that have none (`new FormData().set("file", new Blob(…))` under Bun). The parser would take such a part
 * of any declared type but `application/octet-stream` for a text field, and read its bytes as UTF-8.
 * @param boundary of the body: what is looked for begins with it, so that no part's content is ever changed
 */
export async function* withUnnamedFiles(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; `;
  const sent = Buffer.from(`${head}filename=""\r\n`);
  // A folder's path: the parser leaves the empty name of it.
  const marked = Buffer.from(`${head}filename="/"\r\n`);
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let bytes = Buffer.concat([held, chunk]);
    for (let at = bytes.indexOf(sent); at !== -1; at = bytes.indexOf(sent)) {
      yield bytes.subarray(0, at);
      yield marked;
      bytes = bytes.subarray(at + sent.length);
    }
    const end = bytes.length - begunAtEnd(bytes, sent);
    if (end > 0) yield bytes.subarray(0, end);
    held = bytes.subarray(end);
  }
  if (held.length > 0) yield held;
}

/** How many of the last bytes may be the beginning of what is looked for. */
const begunAtEnd = (bytes: Buffer, sought: Buffer): number => {
  for (let length = Math.min(sought.length - 1, bytes.length); length > 0; length -= 1) {
    const at = bytes.length - length;
    if (bytes[at] === sought[0] && bytes.subarray(at).equals(sought.subarray(0, length))) return length;
  }
  return 0;
};
