/** A digital signature of a PDF, as it is stored. */
export interface StoredSignature {
  /** The signature itself (PKCS #7, RFC 5652), in DER. */
  contents: Uint8Array;
  /** `D:20240301100000+01'00'`. */
  time: string;
  reason: string;
}

interface Element {
  tag: number;
  content: Uint8Array;
}

const maxElements = 200;
const [sequence, set, objectId, certificates] = [0x30, 0x31, 0x06, 0xa0];
const commonName = "550403";

/** The elements that follow one another in DER (X.690), as far as they are whole. */
const elementsIn = (bytes: Uint8Array | undefined, most = maxElements): Element[] => {
  const found: Element[] = [];
  for (let at = 0; bytes !== undefined && at + 2 <= bytes.length && found.length < most; ) {
    const [tag = 0, short = 0] = bytes.subarray(at, at + 2);
    const extra = short > 0x80 ? short & 0x7f : 0;
    if (short === 0x80 || extra > 4) break;
    const start = at + 2 + extra;
    const length = extra === 0 ? short : bytes.subarray(at + 2, start).reduce((value, byte) => value * 256 + byte, 0);
    if (start + length > bytes.length) break;
    found.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
};

const isSame = (a: Element | undefined, b: Element | undefined): boolean =>
  a !== undefined && b !== undefined && Buffer.compare(a.content, b.content) === 0;

/** The name in the certificate that a signature was made with; null where it cannot be found. */
const signerOf = (contents: Uint8Array): string | null => {
  const [, wrapped] = elementsIn(elementsIn(contents, 1)[0]?.content);
  const parts = elementsIn(elementsIn(wrapped?.content)[0]?.content);
  const [signer] = elementsIn(parts.findLast(({ tag }) => tag === set)?.content);
  const [issuer, serial] = elementsIn(elementsIn(signer?.content)[1]?.content);
  const held = elementsIn(parts.find(({ tag }) => tag === certificates)?.content).map(({ content }) => {
    const fields = elementsIn(elementsIn(content)[0]?.content).filter(({ tag }) => tag !== certificates);
    const [serialNumber, , issuedBy, , subject] = fields;
    return { serialNumber, issuedBy, subject };
  });
  const own = held.find(({ serialNumber, issuedBy }) => isSame(serialNumber, serial) && isSame(issuedBy, issuer));
  for (const names of elementsIn(own?.subject?.content)) {
    for (const { tag, content } of elementsIn(names.content)) {
      const [type, value] = elementsIn(content);
      const isName = tag === sequence && type?.tag === objectId;
      if (isName && Buffer.from(type.content).toString("hex") === commonName && value) return textOf(value);
    }
  }
  return null;
};

/** A BMPString is UTF-16, a T61String in practice Latin-1, any other UTF-8. */
const textOf = ({ tag, content }: Element): string =>
  new TextDecoder(tag === 0x1e ? "utf-16be" : tag === 0x14 ? "latin1" : "utf-8").decode(content);

/** Who signed, when and why, as a labelled line; null where the signature does not say who. */
export const signatureText = ({ contents, time, reason }: StoredSignature): string | null => {
  const name = signerOf(contents)?.trim() ?? "";
  if (name === "") return null;
  const [, year, month, day, hour, minute] = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(time) ?? [];
  const at = year === undefined ? "" : `, ${year}-${month}-${day} ${hour}:${minute}`;
  return `Signed by: ${name}${at}${reason.trim() === "" ? "" : `, reason: ${reason.trim()}`}`;
};
