/**
 * A picture of 1, 3 or 4 samples a pixel as binary PNM (P5 or P6, netpbm), which every OCR program reads. The fourth
 * sample is transparency: it is laid over white.
 */
export function writePnm(samples: ArrayLike<number>, width: number, height: number, channels: number): Uint8Array {
  const pixels = width * height;
  const colors = channels === 1 ? 1 : 3;
  const head = new TextEncoder().encode(`P${colors === 1 ? 5 : 6}\n${width} ${height}\n255\n`);
  const out = new Uint8Array(head.length + pixels * colors);
  out.set(head);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const alpha = channels === 4 ? (samples[pixel * 4 + 3] ?? 255) / 255 : 1;
    for (let color = 0; color < colors; color++) {
      const sample = samples[pixel * channels + color] ?? 255;
      out[head.length + pixel * colors + color] = Math.round(sample * alpha + 255 * (1 - alpha));
    }
  }
  return out;
}

export interface Pixels {
  data: ArrayLike<number>;
  width: number;
  height: number;
  channels: number;
}

/** A picture turned clockwise by quarters (0 to 3). */
export function turnPixels({ data, width, height, channels }: Pixels, quarters: number): Pixels {
  if (quarters === 0) return { data, width, height, channels };
  const [newWidth, newHeight] = quarters % 2 === 0 ? [width, height] : [height, width];
  const turned = new Uint8Array(newWidth * newHeight * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const column = quarters === 1 ? height - 1 - y : quarters === 2 ? width - 1 - x : y;
      const row = quarters === 1 ? x : quarters === 2 ? height - 1 - y : width - 1 - x;
      for (let channel = 0; channel < channels; channel++) {
        turned[(row * newWidth + column) * channels + channel] = data[(y * width + x) * channels + channel] ?? 0;
      }
    }
  }
  return { data: turned, width: newWidth, height: newHeight, channels };
}
