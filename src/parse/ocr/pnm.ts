export interface Pixels {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
  /** Samples a pixel: 1, 3 or 4, the fourth being transparency. */
  channels: number;
  /** One bit a pixel, 1 is white: eight a byte, the highest bit first, each row from a byte of its own. */
  isPacked: boolean;
}

/** Bytes of one row. */
const rowBytes = ({ width, channels, isPacked }: Omit<Pixels, "data" | "height">): number =>
  isPacked ? Math.ceil(width / 8) : width * channels;

/**
 * A picture as binary PNM (P4, P5 or P6, netpbm), which every OCR program reads; packed bits stay bits, which takes a
 * quarter of the memory and time of bytes there. Transparency is laid over white, and so is what the data lack.
 */
export const writePnm = (pixels: Pixels): Uint8Array => {
  return pixels.isPacked ? writeBits(pixels) : writeSamples(pixels);
};

/** In P4 black is 1. */
const writeBits = (pixels: Pixels): Uint8Array => {
  const { data, width, height } = pixels;
  const { out, start } = pnm(`P4\n${width} ${height}\n`, rowBytes(pixels) * height);
  for (let at = start; at < out.length; at++) out[at] = ~(data[at - start] ?? 255);
  return out;
};

const writeSamples = ({ data, width, height, channels }: Pixels): Uint8Array => {
  const pixels = width * height;
  const colors = channels === 1 ? 1 : 3;
  const { out, start } = pnm(`P${colors === 1 ? 5 : 6}\n${width} ${height}\n255\n`, pixels * colors);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const alpha = channels === 4 ? (data[pixel * 4 + 3] ?? 255) / 255 : 1;
    for (let color = 0; color < colors; color++) {
      const sample = data[pixel * channels + color] ?? 255;
      out[start + pixel * colors + color] = Math.round(sample * alpha + 255 * (1 - alpha));
    }
  }
  return out;
};

const pnm = (head: string, bodyBytes: number): { out: Uint8Array; start: number } => {
  const start = head.length;
  const out = new Uint8Array(start + bodyBytes);
  out.set(new TextEncoder().encode(head));
  return { out, start };
};

/** A picture turned clockwise by quarters (0 to 3). */
export const turnPixels = (pixels: Pixels, quarters: number): Pixels => {
  if (quarters === 0) return pixels;
  const { data, width, height, channels, isPacked } = pixels;
  const [newWidth, newHeight] = quarters % 2 === 0 ? [width, height] : [height, width];
  const bytes = rowBytes(pixels);
  const newBytes = rowBytes({ width: newWidth, channels, isPacked });
  const turned = new Uint8Array(newBytes * newHeight);
  for (let y = 0; y < newHeight; y++) {
    for (let x = 0; x < newWidth; x++) {
      const column = quarters === 1 ? y : quarters === 2 ? width - 1 - x : width - 1 - y;
      const row = quarters === 1 ? height - 1 - x : quarters === 2 ? height - 1 - y : x;
      if (isPacked) {
        const bit = ((data[row * bytes + (column >> 3)] ?? 255) >> (7 - (column & 7))) & 1;
        if (bit === 1) turned[y * newBytes + (x >> 3)] = (turned[y * newBytes + (x >> 3)] ?? 0) | (128 >> (x & 7));
      } else {
        for (let channel = 0; channel < channels; channel++) {
          turned[y * newBytes + x * channels + channel] = data[row * bytes + column * channels + channel] ?? 255;
        }
      }
    }
  }
  return { data: turned, width: newWidth, height: newHeight, channels, isPacked };
};
