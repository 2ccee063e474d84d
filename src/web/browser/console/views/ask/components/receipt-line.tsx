import { useSignal } from "@preact/signals";
import { computedWords } from "../../../../../../answers/computed-words.ts";
import type { Receipt } from "../../../../shared/api.ts";
import { askStrings as words } from "../strings.ts";
import type { DocumentNames } from "./document-names.ts";
import type { Passage } from "./passage.ts";
import { WhyAnswer } from "./why-answer.tsx";

interface ReceiptProps {
  /** Of an answer that came while the view was open; null: the kept one tells, once it is opened. */
  receipt: Receipt | null;
  /** What the kept one is found by: its own id, or that of the answer's message. */
  id: string;
  passages: readonly Passage[];
  names: DocumentNames;
}

/** How an answer came about: one line in plain words, the rest on demand; warnings always. */
export const ReceiptLine = ({ receipt, id, passages, names }: ReceiptProps) => {
  const wasOpened = useSignal(false);
  return (
    <div class="receipt">
      {receipt?.warnings.map((warning) => (
        <p key={warning} class="receipt-warning" dir="auto">
          {warning}
        </p>
      ))}
      {receipt !== null && receipt.computed !== null && (
        <p class="receipt-computed" dir="auto">
          {computedWords(receipt.computed, names.of(receipt.computed.documentId) ?? words.unnamed)}
        </p>
      )}
      <details
        onToggle={({ currentTarget }) => {
          wasOpened.value ||= currentTarget.open;
        }}
      >
        <summary>
          {receipt !== null && <span>{wordsOf(receipt).join(" · ")}</span>}{" "}
          <span class="receipt-why">{words.whyLabel}</span>
        </summary>
        {wasOpened.value && <WhyAnswer id={id} receipt={receipt} passages={passages} names={names} />}
      </details>
    </div>
  );
};

const wordsOf = (receipt: Receipt): string[] => {
  const { asked, timings, kept } = receipt;
  return [
    ...(asked.kind === "question" ? searchWords(receipt) : [words.madeFrom[asked.kind](kept)]),
    words.took(timings.retrievalMs, timings.answerMs, writerOf(receipt)),
  ];
};

const searchWords = ({ searched, kept, certainty }: Receipt): string[] => [
  words.searched(searched.documents, searched.snippets),
  words.kept(kept),
  words.certainty[certainty],
];

/** Nothing was written where nothing was kept: such an answer is a fixed text. */
const writerOf = ({ model, kept }: Receipt): string | null =>
  model === null || kept === 0 ? null : model.provider === "builtin" ? words.quoted : model.name;
