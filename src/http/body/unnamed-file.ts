/**
 * The same multipart body, with the part `file` marked as a file where its file name is empty: some clients send bytes
 * without a name in this way (`new FormData().set("file", new Blob(…))` under Bun). The parser would treat such a part
 * as a text field, unless its type is `application/octet-stream`, and decode its bytes as UTF-8.
 * @param boundary of the body: the replaced text begins with it, so that the content of a part is never changed
 */
export async function* withUnnamedFiles(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; `;
  const sent = Buffer.from(`${head}filename=""\r\n`);
  // The parser removes the folder from a path: the name is empty again.
  const marked = Buffer.from(`${head}filename="/"\r\n`);
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let bytes = Buffer.concat([held, chunk]);
    for (let at = bytes.indexOf(sent); at !== -1; at = bytes.indexOf(sent)) {
      yield bytes.subarray(0, at);
      yield marked;
      bytes = bytes.subarray(at + sent.length);
    }
    const end = bytes.length - startedAtEnd(bytes, sent);
    if (end > 0) yield bytes.subarray(0, end);
    held = bytes.subarray(end);
  }
  if (held.length > 0) yield held;
}

/** How many of the last bytes may be the beginning of the sought text. */
const startedAtEnd = (bytes: Buffer, sought: Buffer): number => {
  for (let length = Math.min(sought.length - 1, bytes.length); length > 0; length -= 1) {
    const at = bytes.length - length;
    if (bytes[at] === sought[0] && bytes.subarray(at).equals(sought.subarray(0, length))) return length;
  }
  return 0;
};
