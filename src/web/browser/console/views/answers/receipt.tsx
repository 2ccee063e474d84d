import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { computedWords } from "../../../../../answers/computed-words.ts";
import type { JsonValue, KeptReceipt, Receipt } from "../../../shared/api.ts";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { RequestFailure } from "../../state/client.ts";
import { useLoaded } from "../../state/loaded.ts";
import { client, isOperator } from "../../state/session.ts";
import { documentLink } from "../documents/record/document-words.ts";
import type { DocumentNames } from "./document-names.ts";
import type { Passage } from "./passages.ts";
import type { Scope } from "./scope.ts";
import { scopeWords, useScopeNames } from "./scope-picker.tsx";
import { answerStrings as words } from "./strings.ts";

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

interface WhyAnswerProps {
  /** Of the receipt, or of the answer's message. */
  id: string;
  /** What came with the answer: shown where none is kept. */
  receipt: Receipt | null;
  /** The passages that the answer is made from: where each stands. */
  passages: readonly Passage[];
  names: DocumentNames;
}

const { why } = words;

/** How an answer came about, as its receipt tells: what was asked, found, kept and left out, and what was written of it. */
const WhyAnswer = ({ id, receipt, passages, names }: WhyAnswerProps) => {
  const { value: kept, error } = useLoaded(
    (signal) => client.get<KeptReceipt>(`/api/receipt/${encodeURIComponent(id)}`, {}, signal),
    [id],
  );
  useEffect(() => {
    if (kept === undefined) return;
    const hits = [...kept.kept, ...kept.legs.flatMap((leg) => leg.hits)];
    names.want([...hits.map(({ documentId }) => documentId), kept.computed?.documentId ?? null]);
  }, [kept]);
  const isGone = error instanceof RequestFailure && error.status === 404;
  const told = kept ?? receipt;
  return (
    <div class="why-answer">
      {isGone ? <p>{receipt === null ? why.notKept : why.notKeptInFull}</p> : <FailureNote error={error} />}
      {kept === undefined && error === null && <Loading />}
      {(kept !== undefined || error !== null) && told !== null && (
        <>
          <Asked told={told} kept={kept ?? null} />
          {kept !== undefined && <Found kept={kept} passages={passages} names={names} />}
          <LeftOut told={told} />
          <Certainty told={told} names={names} />
          <Written told={told} kept={kept ?? null} />
          {receipt === null && <Warnings warnings={told.warnings} />}
        </>
      )}
    </div>
  );
};

type Told = Receipt | KeptReceipt;

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

const Asked = ({ told, kept }: { told: Told; kept: KeptReceipt | null }) => {
  const { asked, understood, followUp, searched } = told;
  const scope = useSignal<Scope>({
    document: named(kept?.scope.documentId),
    partition: named(kept?.scope.partitionId),
    metadata: (kept?.scope.metadata as Record<string, JsonValue> | null) ?? {},
  });
  useScopeNames(scope);
  const wasSearched = asked.kind === "question" && searched.snippets > 0;
  return (
    <section>
      <h4>{why.asked}</h4>
      <dl class="facts">
        {kept !== null && <Fact name={why.question}>{kept.question}</Fact>}
        {kept?.question !== understood && <Fact name={why.understood}>{understood}</Fact>}
        {followUp !== null && <Fact name={why.followUpLabel}>{why.followUp[followUp.by]}</Fact>}
        <Fact name={why.readAs}>{why.kinds[asked.kind]}</Fact>
        {kept !== null && asked.kind !== "courtesy" && <Fact name={why.over}>{scopeWords(scope.value)}</Fact>}
        {wasSearched && <Fact name={why.searchedIn}>{why.searched(searched.documents, searched.snippets)}</Fact>}
      </dl>
    </section>
  );
};

const named = (id: string | null | undefined): { id: string; name: string } | null => (id ? { id, name: "" } : null);

interface FoundProps extends Pick<WhyAnswerProps, "passages" | "names"> {
  kept: KeptReceipt;
}

/** The order that the answer used, then what each search found by itself. */
const Found = ({ kept: { kept, legs, searched }, ...rest }: FoundProps) => {
  const marks = new Map(kept.map(({ snippetId, mark }) => [snippetId, mark]));
  /** The second search by vectors runs only where a model for them is configured. */
  const shown = legs.filter(({ leg, hits }) => leg !== "model_vectors" || hits.length > 0);
  if (kept.length === 0 && shown.length === 0) return null;
  return (
    <section>
      <h4>{why.found}</h4>
      {kept.length > 0 && (
        <>
          <p>{shown.length > 0 ? why.order : why.taken}</p>
          <ol class="why-hits">
            {kept.map((one) => (
              <li key={one.snippetId} value={one.mark}>
                <HitLink hit={one} {...rest} />{" "}
                {shown.length > 0 && <span class="quiet">{placesOf(one.snippetId, shown) || why.beside}</span>}
              </li>
            ))}
          </ol>
        </>
      )}
      {shown.map(({ leg, hits }) => (
        <details key={leg}>
          <summary>{why.legs[leg](hits.length, leg === "model_vectors" ? 0 : searched[leg])}</summary>
          {hits.length > 0 && (
            <>
              <p>{why.legHints[leg]}</p>
              <ol class="why-hits">
                {hits.map((hit) => {
                  const mark = marks.get(hit.snippetId);
                  return (
                    <li key={hit.snippetId}>
                      <HitLink hit={hit} {...rest} />{" "}
                      <span class="quiet">
                        {[
                          ...(hit.score === null ? [] : [why.score(hit.score)]),
                          mark === undefined ? why.notUsed : why.usedAs(mark),
                        ].join(" · ")}
                      </span>
                    </li>
                  );
                })}
              </ol>
            </>
          )}
        </details>
      ))}
    </section>
  );
};

/** Where each search had a passage: "1st by words, 3rd by meaning"; empty where none had it. */
const placesOf = (snippetId: string, legs: KeptReceipt["legs"]): string =>
  legs
    .flatMap(({ leg, hits }) => {
      const at = hits.findIndex((hit) => hit.snippetId === snippetId);
      return at === -1 ? [] : [why.place[leg](at + 1)];
    })
    .join(", ");

interface HitLinkProps extends Omit<FoundProps, "kept"> {
  hit: { documentId: string; snippetId: string };
}

const HitLink = ({ hit, passages, names }: HitLinkProps) => {
  const name = names.of(hit.documentId);
  if (name === null) return <span>{words.gone}</span>;
  const { page = null, headings = [] } = passages.find(({ id }) => id === hit.snippetId) ?? {};
  const place = page === null ? headings.at(-1) : words.page(page);
  return (
    <a href={documentLink(hit.documentId, { snippet: hit.snippetId })}>
      <bdi>{name ?? words.unnamed}</bdi>
      {place !== undefined && place !== name && (
        <>
          , <bdi>{place}</bdi>
        </>
      )}
    </a>
  );
};

const LeftOut = ({ told: { asked, dropped } }: { told: Told }) =>
  asked.kind !== "question" ? null : (
    <section>
      <h4>{why.leftOut}</h4>
      {dropped.length === 0 ? (
        <p>{why.nothingLeftOut}</p>
      ) : (
        <ul>
          {dropped.map(({ reason, count }) => (
            <li key={reason}>{why.dropped[reason](count)}</li>
          ))}
        </ul>
      )}
    </section>
  );

const Certainty = ({ told, names }: { told: Told; names: DocumentNames }) => {
  const { asked, certainty, computed, confidence, refusedAbove, support } = told;
  if (asked.kind !== "question") return null;
  return (
    <section>
      <h4>{why.certaintyLabel}</h4>
      <p>{why.certainty[certainty]}</p>
      {computed !== null && <p dir="auto">{computedWords(computed, names.of(computed.documentId) ?? words.unnamed)}</p>}
      {support !== null && <p>{why.support[support]}</p>}
      {computed === null && <p>{why.confidence(confidence)}</p>}
      {certainty === "sure" && isOperator() && <p>{why.refusal(refusedAbove)}</p>}
    </section>
  );
};

const Written = ({ told, kept }: { told: Told; kept: KeptReceipt | null }) => {
  const { asked, certainty, context, model, timings } = told;
  const byModel = model !== null && model.provider !== "builtin" && (kept === null || kept.prompt !== null);
  const isFixed = certainty === "none" || asked.kind === "courtesy" || asked.kind === "inventory";
  const output = kept?.tokens.output ?? null;
  return (
    <section>
      <h4>{why.written}</h4>
      <dl class="facts">
        <Fact name={why.by}>
          {byModel ? why.byModel(model.name, model.provider) : isFixed ? why.byCarrel : why.quoted}
        </Fact>
        {byModel && context.limit !== null && (
          <Fact name={why.tokens}>
            {[why.read(context.used, context.limit), ...(output === null ? [] : [why.wrote(output)])].join(", ")}
          </Fact>
        )}
        <Fact name={why.time}>{why.times(timings.retrievalMs, timings.answerMs, timings.totalMs)}</Fact>
      </dl>
      {byModel && kept !== null && kept.prompt !== null && (
        <details>
          <summary>{why.prompt}</summary>
          <PromptTurns turns={kept.prompt} heading="h5" />
        </details>
      )}
    </section>
  );
};

interface PromptTurnsProps {
  turns: readonly { role: keyof typeof why.roles; content: string }[];
  heading: "h4" | "h5";
}

/** What a model is given, word for word. */
export const PromptTurns = ({ turns, heading: Heading }: PromptTurnsProps) => (
  <>
    {turns.map(({ role, content }, at) => (
      <div key={at} class="prompt-turn">
        <Heading>{why.roles[role]}</Heading>
        <pre dir="auto">{content}</pre>
      </div>
    ))}
  </>
);

const Warnings = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.length === 0 ? null : (
    <section>
      <h4>{why.warnings}</h4>
      {warnings.map((warning) => (
        <p key={warning} class="receipt-warning" dir="auto">
          {warning}
        </p>
      ))}
    </section>
  );
