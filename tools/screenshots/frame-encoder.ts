import type { Browser } from "playwright-core";
import type { AnimationFrame } from "./webp-file.ts";

export interface Shot {
  /** PNG of the whole page. */
  png: Buffer;
  durationMs: number;
  /** Where the pointer is, in pixels of the page; null: there is none. */
  pointer: { x: number; y: number } | null;
  /** Name of a file that hangs at the pointer; null: none does. */
  carried: string | null;
}

type Encoded = Omit<AnimationFrame, "picture" | "durationMs"> & { base64: string };

/**
 * Runs in an empty page, which decodes and encodes: draws the shot and a pointer, finds what differs from the frame before,
 * and writes that rectangle as WebP. Null where nothing differs.
 */
const encoder = (width: number, height: number, quality: number): string => `
  const make = () => new OffscreenCanvas(${width}, ${height}).getContext("2d", { alpha: false, willReadFrequently: true });
  const now = make();
  let before = null;
  globalThis.encode = async (base64, pointer, carried) => {
    const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + base64)).blob());
    now.drawImage(picture, 0, 0, ${width}, ${height});
    if (pointer !== null && carried !== null) {
      now.font = "13px sans-serif";
      const wide = now.measureText(carried).width + 24;
      now.fillStyle = "#fff"; now.strokeStyle = "#8a8478"; now.lineWidth = 1;
      now.beginPath(); now.roundRect(pointer.x + 14.5, pointer.y + 10.5, wide, 28, 5); now.fill(); now.stroke();
      now.fillStyle = "#222"; now.fillText(carried, pointer.x + 26, pointer.y + 29);
    }
    if (pointer !== null) {
      const arrow = new Path2D("M0 0 L0 17 L4 13.5 L6.8 19.6 L9.4 18.4 L6.6 12.6 L12 12.2 Z");
      now.setTransform(1.3, 0, 0, 1.3, pointer.x, pointer.y);
      now.fillStyle = "#111"; now.strokeStyle = "#fff"; now.lineWidth = 1.4;
      now.fill(arrow); now.stroke(arrow);
      now.setTransform(1, 0, 0, 1, 0, 0);
    }
    const { data } = now.getImageData(0, 0, ${width}, ${height});
    const pixels = new Uint32Array(data.buffer);
    let left = 0, top = 0, right = ${width} - 1, bottom = ${height} - 1;
    if (before !== null) {
      left = ${width}; top = ${height}; right = -1; bottom = -1;
      for (let at = 0; at < pixels.length; at++)
        if (pixels[at] !== before[at]) {
          const x = at % ${width}, y = Math.floor(at / ${width});
          if (x < left) left = x;
          if (x > right) right = x;
          if (y < top) top = y;
          if (y > bottom) bottom = y;
        }
      if (right < 0) return null;
    }
    before = pixels.slice();
    // Places are even numbers.
    const x = left - left % 2, y = top - top % 2, w = right + 1 - x, h = bottom + 1 - y;
    const part = new OffscreenCanvas(w, h);
    part.getContext("2d", { alpha: false }).drawImage(now.canvas, x, y, w, h, 0, 0, w, h);
    const bytes = new Uint8Array(await (await part.convertToBlob({ type: "image/webp", quality: ${quality} })).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return { x, y, width: w, height: h, base64: btoa(text) };
  };
`;

/** Frames of an animation, each with no more than what changed; shots that change nothing lengthen the one before. */
export const encodeFrames = async (
  browser: Browser,
  { width, height, quality }: { width: number; height: number; quality: number },
  shots: readonly Shot[],
): Promise<AnimationFrame[]> => {
  const page = await browser.newPage();
  await page.evaluate(encoder(width, height, quality));
  const frames: AnimationFrame[] = [];
  for (const { png, durationMs, pointer, carried } of shots) {
    const call = `encode(${JSON.stringify(png.toString("base64"))}, ${JSON.stringify(pointer)}, ${JSON.stringify(carried)})`;
    const encoded = (await page.evaluate(call)) as Encoded | null;
    const last = frames.at(-1);
    if (encoded === null) {
      if (last !== undefined) last.durationMs += durationMs;
    } else {
      const { base64, ...place } = encoded;
      frames.push({ ...place, picture: Buffer.from(base64, "base64"), durationMs });
    }
  }
  await page.close();
  return frames;
};
