import type { PDFDocumentProxy } from "pdfjs-dist/build/pdf.min.mjs";
import { useEffect, useRef, useState } from "preact/hooks";
import { markPassage, unmarkPassage } from "../passage/mark-passage.ts";
import { documentStrings as texts } from "../strings.ts";
import { clearPage, drawPage, ratioOf } from "./draw-page.ts";

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
    const [surface, text, box] = [canvas.current, layer.current, place.current];
    if (surface === null || text === null || box === null) return;
    const stop = new AbortController();
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(number);
      if (stop.signal.aborted) return;
      setRatio(ratioOf(page));
      await drawPage(page, { surface, text, box, width }, stop.signal);
      if (!stop.signal.aborted) setRead(true);
    };
    // A page that is broken stays empty; the others are shown.
    draw().catch(() => {});
    return () => {
      stop.abort();
      setRead(false);
      clearPage({ surface, text });
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
