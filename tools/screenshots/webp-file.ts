/**
 * The container of animated WebP (https://developers.google.com/speed/webp/docs/riff_container): still pictures that
 * Chromium wrote, each with its place and time.
 */

export interface AnimationFrame {
  /** A still WebP picture. */
  picture: Uint8Array;
  /** Place on the canvas, in pixels: even numbers. */
  x: number;
  y: number;
  width: number;
  height: number;
  durationMs: number;
}

const headerBytes = 12;
const chunkHeaderBytes = 8;
const animationFlag = 0x02;
/** The old canvas stays where the frame does not reach, and the frame replaces what lay there. */
const withoutBlending = 0x02;
const smallest = 1;

/** Chunks of a picture that a frame takes over. Others, such as `VP8X`, describe a file. */
const taken = new Set(["VP8 ", "VP8L", "ALPH"]);

const numbers = (...values: [value: number, bytes: number][]): Uint8Array =>
  Uint8Array.from(
    values.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256)),
  );

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

const chunk = (name: string, content: Uint8Array): Uint8Array =>
  joined([Buffer.from(name, "ascii"), numbers([content.length, 4]), content, new Uint8Array(content.length % 2)]);

/** The chunks of a still picture that hold its pixels, as they are. @throws Error where there are none */
const pixelsOf = (picture: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(picture);
  const found: Uint8Array[] = [];
  for (let at = headerBytes; at + chunkHeaderBytes <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + chunkHeaderBytes + length + (length % 2);
    if (taken.has(bytes.toString("ascii", at, at + 4))) found.push(bytes.subarray(at, end));
    at = end;
  }
  if (found.length === 0) throw new Error("this is no WebP picture");
  return joined(found);
};

/** One file that plays the frames for ever. */
export const animatedWebp = (width: number, height: number, frames: readonly AnimationFrame[]): Uint8Array => {
  const size = numbers([width - smallest, 3], [height - smallest, 3]);
  const chunks = frames.map(({ picture, x, y, durationMs, ...frame }) =>
    chunk(
      "ANMF",
      joined([
        numbers([x / 2, 3], [y / 2, 3], [frame.width - smallest, 3], [frame.height - smallest, 3]),
        numbers([Math.round(durationMs), 3], [withoutBlending, 1]),
        pixelsOf(picture),
      ]),
    ),
  );
  const content = joined([
    Buffer.from("WEBP", "ascii"),
    chunk("VP8X", joined([numbers([animationFlag, 4]), size])),
    // Background, which nothing shows; played without end.
    chunk("ANIM", numbers([0xffffffff, 4], [0, 2])),
    ...chunks,
  ]);
  return chunk("RIFF", content);
};
