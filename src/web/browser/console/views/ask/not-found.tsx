import { strings } from "../../strings.ts";
import type { DocumentNames } from "./components/document-names.ts";
import { SourceCards } from "./components/source-cards.tsx";
import type { Asked } from "./state/asked.ts";
import { isEverything } from "./state/scope.ts";

/** What is shown where the documents do not hold the answer: the server's words, what comes near, what to try. */
export const NotFound = ({ asked, names }: { asked: Asked; names: DocumentNames }) => {
  const { ask } = strings;
  return (
    <div class="not-found">
      <h3>{ask.notFound}</h3>
      <p dir="auto">{asked.text}</p>
      {asked.nearest !== null && asked.nearest.length > 0 && (
        <section aria-label={ask.nearest}>
          <h4>{ask.nearest}</h4>
          <SourceCards passages={asked.nearest} names={names} answer="" isNumbered={false} />
        </section>
      )}
      {asked.nearest !== null && (
        <section aria-label={ask.tryThis}>
          <h4>{ask.tryThis}</h4>
          <ul>
            <li>{ask.tryWords}</li>
            <li>{ask.tryQuotes}</li>
            <li>{isEverything(asked.scope) ? ask.tryNarrow : ask.tryScope}</li>
          </ul>
        </section>
      )}
    </div>
  );
};
