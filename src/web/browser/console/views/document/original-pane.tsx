import type { FunctionComponent } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { Loading } from "../../components/notes.tsx";
import { sizeWords } from "../../components/words.ts";
import { client } from "../../state/session.ts";
import { originalKind } from "../documents/record/document-words.ts";
import type { PdfPagesProps } from "./pdf-pages.tsx";
import { documentStrings as texts } from "./strings.ts";
import { documentPath } from "./use-document.ts";

type OriginalPaneProps = Omit<PdfPagesProps, "load"> & { document: DocumentRecord };

/** Larger originals are loaded when that is asked for. */
const maxUnaskedBytes = 50_000_000;

const Download = ({ document: { id, name } }: { document: DocumentRecord }) => (
  <a class="button" href={documentPath(id, "/file")} download={name}>
    {texts.download}
  </a>
);

/** Only addresses of the web become links: a document could come from anywhere. */
const FetchedFrom = ({ address }: { address: string }) => (
  <p dir="auto">
    {texts.fetchedFrom}{" "}
    {/^https?:\/\//i.test(address) ? (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {address}
      </a>
    ) : (
      address
    )}
  </p>
);

/** The pages of a PDF. What draws them is loaded with the first. */
const Pdf = ({ document: shown, ...props }: OriginalPaneProps) => {
  const [Pages, setPages] = useState<FunctionComponent<PdfPagesProps> | null>(null);
  const [size, setSize] = useState<number | null>(null);
  const [isAskedFor, setAskedFor] = useState(false);
  const { id } = shown;
  useEffect(() => {
    void import("./pdf-pages.tsx").then(({ PdfPages }) => setPages(() => PdfPages));
  }, []);
  const load = useCallback(
    async (signal: AbortSignal): Promise<ArrayBuffer> => {
      const stop = new AbortController();
      const answer = await client.fetch(documentPath(id, "/file"), {
        signal: AbortSignal.any([signal, stop.signal]),
      });
      const bytes = Number(answer.headers.get("content-length"));
      if (bytes <= maxUnaskedBytes || isAskedFor) return await answer.arrayBuffer();
      stop.abort();
      setSize(bytes);
      throw new DOMException("It is large.", "AbortError");
    },
    [id, isAskedFor],
  );
  if (size !== null && !isAskedFor)
    return (
      <div class="no-preview">
        <p>{texts.large(sizeWords(size))}</p>
        <button type="button" onClick={() => setAskedFor(true)}>
          {texts.showIt}
        </button>
        <Download document={shown} />
      </div>
    );
  return Pages === null ? <Loading>{texts.loadingOriginal}</Loading> : <Pages load={load} {...props} />;
};

/** What a document was made from. HTML and SVG are never shown: they could run scripts and load what they name. */
export const OriginalPane = (props: OriginalPaneProps) => {
  const { document: shown } = props;
  switch (originalKind(shown)) {
    case "pdf":
      return <Pdf {...props} />;
    case "picture":
      return <img class="picture" src={documentPath(shown.id, "/file")} alt={shown.name} />;
    case "file":
      return (
        <div class="no-preview">
          <p>{texts.noPreview}</p>
          <Download document={shown} />
        </div>
      );
    case "fetched":
      return (
        <div class="no-preview">
          <FetchedFrom address={shown.originalUrl ?? ""} />
        </div>
      );
    case "none":
      return (
        <div class="no-preview">
          <p>{texts.noOriginal}</p>
        </div>
      );
  }
};
