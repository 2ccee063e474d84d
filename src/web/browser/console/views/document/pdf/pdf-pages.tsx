import { useEffect, useRef, useState } from "preact/hooks";
import { FailureNote } from "../../../components/failure-note.tsx";
import { Loading } from "../../../components/loading.tsx";
import { documentStrings as texts } from "../strings.ts";
import { type OpenPdf, openPdf } from "./open-pdf.ts";
import { PdfPage } from "./pdf-page.tsx";

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
