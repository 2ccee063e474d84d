import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from "pdfjs-dist/build/pdf.min.mjs";
import { useEffect, useRef, useState } from "preact/hooks";
import { markPassage, unmarkPassage } from "../passage/mark-passage.ts";
import { documentStrings as texts } from "../strings.ts";

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  number: number;
  /** In CSS pixels. */
  width: number;
  /** Width by height, until the page itself is known. */
  expectedRatio: number;
  /** What to mark on it; null: nothing. */
  passage: string | null;
  onMarked(marks: readonly HTMLElement[]): void;
}

/** Pages this far from what is seen are drawn; those further away let their canvas go. */
const margin = "100% 0px";
/** Larger canvases fail on phones. */
const maxCanvasPixels = 16_000_000;

/** A page of a PDF, drawn while it is near, with its text over it: it can be selected, read out and marked. */
export const PdfPage = ({ pdf, number, width, expectedRatio, passage, onMarked }: PdfPageProps) => {
  const place = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [ratio, setRatio] = useState(expectedRatio);
  const [isRead, setRead] = useState(false);

  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), {
      root: place.current?.closest(".pane") ?? null,
      rootMargin: margin,
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!isNear || width === 0) return;
    let task: RenderTask | null = null;
    let isOver = false;
    const draw = async (page: PDFPageProxy) => {
      const [surface, text, box] = [canvas.current, layer.current, place.current];
      if (isOver || surface === null || text === null || box === null) return;
      const natural = page.getViewport({ scale: 1 });
      setRatio(natural.width / natural.height);
      const scale = width / natural.width;
      const sharp = Math.min(devicePixelRatio, Math.sqrt(maxCanvasPixels / (width * (width / ratioOf(natural)))));
      const viewport = page.getViewport({ scale: scale * sharp });
      surface.width = Math.floor(viewport.width);
      surface.height = Math.floor(viewport.height);
      box.style.setProperty("--total-scale-factor", String(scale));
      task = page.render({ canvas: surface, viewport });
      await task.promise;
      surface.dataset.drawn = "true";
      text.replaceChildren();
      const textLayer = new TextLayer({
        textContentSource: page.streamTextContent(),
        container: text,
        viewport: page.getViewport({ scale }),
      });
      await textLayer.render();
      if (!isOver) setRead(true);
    };
    // A page that is broken stays empty; the others are shown.
    pdf
      .getPage(number)
      .then(draw)
      .catch(() => {});
    return () => {
      isOver = true;
      task?.cancel();
      setRead(false);
      if (canvas.current !== null) {
        canvas.current.width = 0;
        delete canvas.current.dataset.drawn;
      }
      layer.current?.replaceChildren();
    };
  }, [pdf, number, isNear, width]);

  useEffect(() => {
    if (!isRead || layer.current === null) return;
    unmarkPassage(layer.current);
    if (passage !== null) onMarked(markPassage(layer.current, passage, 0));
  }, [isRead, passage]);

  return (
    <section
      ref={place}
      class="pdf-page"
      data-page={number}
      aria-label={texts.pageOf(number, pdf.numPages)}
      style={{ width: `${width}px`, height: `${Math.round(width / ratio)}px` }}
    >
      <canvas ref={canvas} />
      <div ref={layer} class="text-layer" />
    </section>
  );
};

const ratioOf = ({ width, height }: { width: number; height: number }): number => width / height;
