import { type PDFPageProxy, TextLayer } from "pdfjs-dist/build/pdf.min.mjs";

/** Larger canvases fail on phones. */
const maxCanvasPixels = 16_000_000;

/** What a page is drawn on. */
interface PageSurface {
  surface: HTMLCanvasElement;
  /** Over the canvas: its text can be selected, read out and marked. */
  text: HTMLElement;
  /** Holds both. */
  box: HTMLElement;
  /** Of the box, in CSS pixels. */
  width: number;
}

/** Width by height. */
export const ratioOf = (page: PDFPageProxy): number => {
  const { width, height } = page.getViewport({ scale: 1 });
  return width / height;
};

/** Draws a page and lays its text over it. It stops when the signal fires. */
export const drawPage = async (page: PDFPageProxy, on: PageSurface, signal: AbortSignal): Promise<void> => {
  const { surface, text, box, width } = on;
  const scale = width / page.getViewport({ scale: 1 }).width;
  const sharp = Math.min(devicePixelRatio, Math.sqrt(maxCanvasPixels / (width * (width / ratioOf(page)))));
  const viewport = page.getViewport({ scale: scale * sharp });
  surface.width = Math.floor(viewport.width);
  surface.height = Math.floor(viewport.height);
  box.style.setProperty("--total-scale-factor", String(scale));
  const task = page.render({ canvas: surface, viewport });
  signal.addEventListener("abort", () => task.cancel(), { once: true });
  await task.promise;
  surface.dataset.drawn = "true";
  text.replaceChildren();
  const textLayer = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: text,
    viewport: page.getViewport({ scale }),
  });
  await textLayer.render();
};

/** Lets the canvas go: many of them take much memory. */
export const clearPage = ({ surface, text }: Pick<PageSurface, "surface" | "text">): void => {
  surface.width = 0;
  delete surface.dataset.drawn;
  text.replaceChildren();
};
