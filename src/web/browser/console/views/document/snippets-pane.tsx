import type { DocumentSnippet } from "../../../shared/api.ts";
import { documentLink } from "../documents/record/document-words.ts";
import { documentStrings as texts } from "./strings.ts";
import type { WholeDocument } from "./use-document.ts";

/** More would be slow to lay out; the text itself shows where one is. */
const maxShown = 500;

interface SnippetProps {
  id: string;
  number: number;
  snippet: DocumentSnippet;
  onShow(): void;
}

const Snippet = ({ id, number, snippet, onShow }: SnippetProps) => (
  <li class="card">
    <p class="quiet">
      {texts.snippet(number)}
      {snippet.page !== null && <> · {texts.page(snippet.page)}</>}
      {snippet.headings.length > 0 && <span dir="auto"> · {snippet.headings.join(" › ")}</span>}
    </p>
    <p class="snippet-text" dir="auto">
      {snippet.content}
    </p>
    <a href={documentLink(id, snippet)} onClick={onShow}>
      {texts.showInText}
      <span class="unseen">: {texts.snippet(number)}</span>
    </a>
  </li>
);

/** How the text was cut for search. */
export const SnippetsPane = ({ whole, onShow }: { whole: WholeDocument; onShow(): void }) => {
  const { snippets, snippetCount, document: shown } = whole;
  return (
    <div class="snippets-pane">
      <p>{texts.snippetsNote(snippetCount)}</p>
      <ol>
        {snippets.slice(0, maxShown).map((snippet, at) => (
          <Snippet key={snippet.id} id={shown.id} number={at + 1} snippet={snippet} onShow={onShow} />
        ))}
      </ol>
      {snippetCount > maxShown && <p class="quiet">{texts.snippetsCut(maxShown)}</p>}
    </div>
  );
};
