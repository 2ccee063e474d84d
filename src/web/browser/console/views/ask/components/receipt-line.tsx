import type { ComponentChildren } from "preact";
import type { Receipt } from "../../../../shared/api.ts";
import { strings } from "../../../strings.ts";

/** How an answer came about: one line in plain words, the rest on demand; warnings always. */
export const ReceiptLine = ({ receipt, scope }: { receipt: Receipt; scope: string }) => {
  const { searched, kept, confidence, timings, model } = receipt;
  const { ask } = strings;
  // Nothing was written where nothing was kept: the refusal is a fixed text.
  const writer = model === null || kept === 0 ? null : model.provider === "builtin" ? ask.quoted : model.name;
  const words = [
    ask.searched(searched.documents, searched.snippets),
    ask.kept(kept),
    ask.sure(confidence),
    ask.took(timings.retrievalMs, timings.answerMs, writer),
  ];
  return (
    <div class="receipt">
      {receipt.warnings.map((warning) => (
        <p key={warning} class="receipt-warning" dir="auto">
          {warning}
        </p>
      ))}
      <details>
        <summary>
          <span>{words.join(" · ")}</span> <span class="receipt-why">{ask.why}</span>
        </summary>
        <ReceiptDetails receipt={receipt} scope={scope} />
      </details>
    </div>
  );
};

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

const ReceiptDetails = ({ receipt, scope }: { receipt: Receipt; scope: string }) => {
  const { ask } = strings;
  const { searched, context, timings, model, dropped, followUp } = receipt;
  return (
    <dl class="facts">
      <Fact name={ask.understood}>
        {receipt.understood}
        {followUp !== null && ` (${ask.followUp[followUp.by]})`}
      </Fact>
      <Fact name={ask.over}>{scope}</Fact>
      <Fact name={ask.byText}>{ask.passages(searched.text)}</Fact>
      <Fact name={ask.byMeaning}>{ask.passages(searched.vectors)}</Fact>
      <Fact name={ask.keptLabel}>{ask.passages(receipt.kept)}</Fact>
      <Fact name={ask.dropped}>
        {dropped.length === 0
          ? ask.droppedNone
          : dropped.map(({ reason, count }) => `${ask.passages(count)}: ${ask.reasons[reason]}`).join("; ")}
      </Fact>
      <Fact name={ask.confidence}>
        {ask.confidenceHint(receipt.confidence)} {ask.refusal(receipt.refusedAbove)}
      </Fact>
      {context.limit !== null && <Fact name={ask.context}>{ask.contextUsed(context.used, context.limit)}</Fact>}
      {model !== null && (
        <Fact name={ask.model}>{model.provider === "builtin" ? ask.builtin : `${model.name} (${model.provider})`}</Fact>
      )}
      <Fact name={ask.times}>{ask.timesOf(timings.retrievalMs, timings.answerMs, timings.totalMs)}</Fact>
    </dl>
  );
};
