import type { DocumentNames } from "./components/document-names.ts";
import { SourceCards } from "./components/source-cards.tsx";
import type { Asked } from "./state/asked.ts";
import { isEverything } from "./state/scope.ts";
import { askStrings as words } from "./strings.ts";

/** What is shown where the documents do not hold the answer: the server's words, what comes near, what to try. */
export const NotFound = ({ asked, names }: { asked: Asked; names: DocumentNames }) => {
  return (
    <div class="not-found">
      <h3>{words.notFound}</h3>
      <p dir="auto">{asked.text}</p>
      {asked.nearest !== null && asked.nearest.length > 0 && (
        <section aria-label={words.nearest}>
          <h4>{words.nearest}</h4>
          <SourceCards passages={asked.nearest} names={names} answer="" isNumbered={false} />
        </section>
      )}
      {asked.nearest !== null && (
        <section aria-label={words.tryThis}>
          <h4>{words.tryThis}</h4>
          <ul>
            <li>{words.tryWords}</li>
            <li>{words.tryQuotes}</li>
            <li>{isEverything(asked.scope) ? words.tryNarrow : words.tryScope}</li>
          </ul>
        </section>
      )}
    </div>
  );
};
