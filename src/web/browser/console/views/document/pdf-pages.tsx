import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
} from "pdfjs-dist/build/pdf.min.mjs";
import workerFile from "pdfjs-dist/build/pdf.worker.min.mjs" with { type: "file" };
import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../../../shared/prefix.ts";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { markPassage, unmarkPassage } from "./mark-passage.ts";
import { documentStrings as texts } from "./strings.ts";

export interface PdfPagesProps {
  load(signal: AbortSignal): Promise<ArrayBuffer>;
  /** The page to mark a passage on. */
  passagePage: number | null;
  passage: string | null;
  /** The pages have their places: they can be scrolled to. */
  onReady(): void;
  onMarked(marks: readonly HTMLElement[]): void;
}

/** More would make the page slow; PDFs with more are not read either, by default. */
const maxPages = 10_000;
const a4Ratio = 210 / 297;

/** The pages of a PDF, one under the other. */
export const PdfPages = ({ load, passagePage, passage, onReady, onMarked }: PdfPagesProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<(OpenPdf & { ratio: number }) | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [width, setWidth] = useState(0);

  useEffect(() => {
    const stop = new AbortController();
    let open: OpenPdf | null = null;
    const start = async () => {
      open = await openPdf(await load(stop.signal));
      if (stop.signal.aborted) return open.close();
      const first = await open.pdf.getPage(1).catch(() => null);
      const { width: across, height } = first?.getViewport({ scale: 1 }) ?? { width: a4Ratio, height: 1 };
      if (!stop.signal.aborted) setOpened({ ...open, ratio: across / height });
    };
    start().catch((error: unknown) => {
      if (!stop.signal.aborted) setFailure(error);
    });
    return () => {
      stop.abort();
      open?.close();
    };
  }, [load]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (opened !== null && width > 0) onReady();
  }, [opened, width > 0]);

  return (
    <div ref={place} class="pdf-pages">
      {failure !== null && <FailureNote error={new Error(texts.broken)} />}
      {opened === null && failure === null && <Loading>{texts.loadingOriginal}</Loading>}
      {opened !== null &&
        Array.from({ length: Math.min(opened.pdf.numPages, maxPages) }, (_, at) => (
          <PdfPage
            key={at}
            pdf={opened.pdf}
            number={at + 1}
            width={width}
            expectedRatio={opened.ratio}
            passage={at + 1 === passagePage ? passage : null}
            onMarked={onMarked}
          />
        ))}
    </div>
  );
};

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
const PdfPage = ({ pdf, number, width, expectedRatio, passage, onMarked }: PdfPageProps) => {
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
const ratioOf = (page: PDFPageProxy): number => {
  const { width, height } = page.getViewport({ scale: 1 });
  return width / height;
};

/** Draws a page and lays its text over it. It stops when the signal fires. */
const drawPage = async (page: PDFPageProxy, on: PageSurface, signal: AbortSignal): Promise<void> => {
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
const clearPage = ({ surface, text }: Pick<PageSurface, "surface" | "text">): void => {
  surface.width = 0;
  delete surface.dataset.drawn;
  text.replaceChildren();
};

interface OpenPdf {
  pdf: PDFDocumentProxy;
  /** Ends its worker and lets its memory go. */
  close(): void;
}

/** Larger pictures are left out: they would take the memory of the tab. A0 at 300 dpi has 139 million pixels. */
const maxPicturePixels = 200_000_000;

/** Decoders, fonts for symbols and CMaps, from this server. */
const dataFolder = "/pages/pdfjs/";

/**
 * Opens a PDF with a worker of its own. No script of the file is run, no form is filled, no address is fetched.
 * @param bytes are taken over
 * @throws errors of pdf.js: PasswordException, InvalidPDFException
 */
const openPdf = async (bytes: ArrayBuffer): Promise<OpenPdf> => {
  const port = startPdfWorker();
  const worker = PDFWorker.create({ port } as unknown as Parameters<typeof PDFWorker.create>[0]);
  const folder = new URL(at(dataFolder), location.href).href;
  const task = getDocument({
    data: bytes,
    worker,
    cMapUrl: folder,
    standardFontDataUrl: folder,
    wasmUrl: folder,
    maxImageSize: maxPicturePixels,
    verbosity: 0,
  });
  const close = () => {
    void task.destroy().finally(() => {
      worker.destroy();
      port.terminate();
    });
  };
  try {
    return { pdf: await task.promise, close };
  } catch (error) {
    close();
    throw error;
  }
};

/** Beside this script. */
const workerPath = new URL(workerFile, import.meta.url).href;

/** As the page's policy names it (src/web/page-files.ts). */
const policyName = "carrel-worker";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): unknown };
}

let address: unknown = null;

/** The worker's file as the policy of the page wants it: this one address, whatever is asked for. */
const workerAddress = (): string => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  address ??= trustedTypes?.createPolicy(policyName, { createScriptURL: () => workerPath }).createScriptURL("");
  return (address ?? workerPath) as string;
};

/** A new worker that reads PDFs. End it with `terminate`. */
const startPdfWorker = (): Worker => new Worker(workerAddress(), { type: "module" });
