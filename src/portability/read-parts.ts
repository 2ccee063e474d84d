import type { DocumentEntry, Member } from "./entry.ts";
import { refuse, type TakenEntry } from "./read-entries.ts";

type Entries = AsyncIterator<TakenEntry, void>;

const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The next part of a document. @throws ApiError where something else comes */
const nextPart = async (entries: Entries, of: Member, { at = "" }: DocumentEntry) => {
  const { value, done } = await entries.next();
  if (done === true || value.kind !== "part" || value.of !== of) throw refuse(at, `its ${of} is cut off`);
  return value;
};

/** @param take called with each piece and the bytes that its line holds */
export const readTextParts = async (
  entries: Entries,
  of: Member,
  document: DocumentEntry,
  take: (data: string, bytes: number) => void,
): Promise<void> => {
  for (;;) {
    const { data, last, bytes } = await nextPart(entries, of, document);
    take(data, bytes);
    if (last) return;
  }
};

/** The bytes of a file that follows in parts. @param drop called with the bytes of each line once it is read */
export const fileStream = (
  entries: Entries,
  document: DocumentEntry,
  drop: (bytes: number) => void,
): ReadableStream<Uint8Array> => {
  let isEnded = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (!isEnded) {
          const { data, last, bytes } = await nextPart(entries, "file", document);
          drop(bytes);
          if (!isBase64.test(data)) throw refuse(document.at ?? "", "its file is not in Base64");
          isEnded = last;
          if (data !== "") return controller.enqueue(new Uint8Array(Buffer.from(data, "base64")));
        }
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
};
