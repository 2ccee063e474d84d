import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Document } from "../../../shared/api.ts";
import { useLoaded } from "../../state/loaded.ts";
import { client } from "../../state/session.ts";
import { answerStrings as words } from "./strings.ts";

interface Named {
  id: string;
  name: string;
}

const maxShown = 8;
const typingMs = 200;

/** One document, found by a part of its name. */
export const DocumentChoice = ({ chosen, onChoose }: { chosen: Named | null; onChoose(document: Named): void }) => {
  const group = useId();
  const searched = useSignal("");
  const found = useLoaded(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, typingMs));
      signal.throwIfAborted();
      const query = { searchValue: searched.value, status: "processed", limit: maxShown };
      return await client.get<Document[]>("/api/document", query, signal);
    },
    [searched.value],
  ).value;
  const others = (found ?? []).filter(({ id }) => id !== chosen?.id);
  const shown: readonly Named[] = chosen === null ? others : [chosen, ...others];
  return (
    <div class="document-choice">
      <label class="field">
        {words.searchDocument}
        <input
          type="search"
          dir="auto"
          value={searched.value}
          onInput={({ currentTarget }) => {
            searched.value = currentTarget.value;
          }}
        />
      </label>
      <div role="radiogroup" aria-label={words.document}>
        {shown.map(({ id, name }) => (
          <label key={id} class="document-option">
            <input type="radio" name={group} checked={chosen?.id === id} onChange={() => onChoose({ id, name })} />
            <bdi>{name || words.unnamed}</bdi>
          </label>
        ))}
      </div>
      {found !== undefined && shown.length === 0 && <p class="quiet">{words.noSuchDocument}</p>}
    </div>
  );
};
