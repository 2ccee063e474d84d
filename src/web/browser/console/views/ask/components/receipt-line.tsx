import type { ComponentChildren } from "preact";
import { computedWords } from "../../../../../../answers/computed-words.ts";
import type { Receipt } from "../../../../shared/api.ts";
import { strings } from "../../../strings.ts";
import type { DocumentNames } from "./document-names.ts";

interface ReceiptProps {
  receipt: Receipt;
  scope: string;
  names: DocumentNames;
}

/** How an answer came about: one line in plain words, the rest on demand; warnings always. */
export const ReceiptLine = ({ receipt, scope, names }: ReceiptProps) => {
  const { asked, computed, timings } = receipt;
  const { ask } = strings;
  const words = [
    ...(asked.kind === "question" ? searchWords(receipt) : [ask.madeFrom[asked.kind](receipt.kept)]),
    ask.took(timings.retrievalMs, timings.answerMs, writerOf(receipt)),
  ];
  return (
    <div class="receipt">
      {receipt.warnings.map((warning) => (
        <p key={warning} class="receipt-warning" dir="auto">
          {warning}
        </p>
      ))}
      {computed !== null && (
        <p class="receipt-computed" dir="auto">
          {computedWords(computed, names.of(computed.documentId) ?? ask.unnamed)}
        </p>
      )}
      <details>
        <summary>
          <span>{words.join(" · ")}</span> <span class="receipt-why">{ask.why}</span>
        </summary>
        <ReceiptDetails receipt={receipt} scope={scope} />
      </details>
    </div>
  );
};

const searchWords = ({ searched, kept, certainty }: Receipt): string[] => [
  strings.ask.searched(searched.documents, searched.snippets),
  strings.ask.kept(kept),
  strings.ask.certainty[certainty],
];

/** Nothing was written where nothing was kept: such an answer is a fixed text. */
const writerOf = ({ model, kept }: Receipt): string | null =>
  model === null || kept === 0 ? null : model.provider === "builtin" ? strings.ask.quoted : model.name;

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

const ReceiptDetails = ({ receipt, scope }: Omit<ReceiptProps, "names">) => {
  const { ask } = strings;
  const { asked, searched, context, timings, model, dropped, followUp } = receipt;
  const isSearched = asked.kind === "question";
  return (
    <dl class="facts">
      <Fact name={ask.understood}>
        {receipt.understood}
        {followUp !== null && ` (${ask.followUp[followUp.by]})`}
      </Fact>
      <Fact name={ask.over}>{scope}</Fact>
      {isSearched && (
        <>
          <Fact name={ask.byText}>{ask.passages(searched.text)}</Fact>
          <Fact name={ask.byMeaning}>{ask.passages(searched.vectors)}</Fact>
        </>
      )}
      <Fact name={ask.keptLabel}>{ask.passages(receipt.kept)}</Fact>
      {isSearched && (
        <>
          <Fact name={ask.dropped}>
            {dropped.length === 0
              ? ask.droppedNone
              : dropped.map(({ reason, count }) => `${ask.passages(count)}: ${ask.reasons[reason]}`).join("; ")}
          </Fact>
          <Fact name={ask.confidence}>
            {ask.confidenceHint(receipt.confidence)} {ask.refusal(receipt.refusedAbove)}
          </Fact>
        </>
      )}
      {context.limit !== null && <Fact name={ask.context}>{ask.contextUsed(context.used, context.limit)}</Fact>}
      {model !== null && (
        <Fact name={ask.model}>{model.provider === "builtin" ? ask.builtin : `${model.name} (${model.provider})`}</Fact>
      )}
      <Fact name={ask.times}>{ask.timesOf(timings.retrievalMs, timings.answerMs, timings.totalMs)}</Fact>
    </dl>
  );
};
