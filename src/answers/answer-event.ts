import type { ChatTurn } from "../../providers/contract.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { Certainty, FoundSnippet, Retrieval } from "../retrieval/contract.ts";
import type { FollowUp } from "./follow-up/understand-follow-up.ts";
import type { Support } from "./marks/support.ts";
import type { AskKind } from "./reading/ask.ts";
import type { Question } from "./reading/question.ts";
import type { TableAnswer } from "./tables/table-answer.ts";

/** How an answer was made. Token counts are estimates if the model's server does not count. */
export interface Receipt {
  id: string;
  /** What the ask was read as, and the question without what only greets or pleads. */
  asked: { kind: AskKind; question: string };
  certainty: Certainty;
  /** How an answer was computed over the rows of a whole table; null for one that was not. */
  computed: Computed | null;
  searched: Retrieval["searched"];
  /** The question as understood: typing errors replaced by words of the documents, with what a follow-up adds from earlier turns. */
  understood: string;
  /** How a question with others before it was understood; null for one without. */
  followUp: FollowUp | null;
  /** How sure it is that the documents hold the answer, 0 to 1. */
  confidence: number;
  /** An answer is refused at an `answers.refusalThreshold` above this. */
  refusedAbove: number;
  /** Snippets used and returned. */
  kept: number;
  dropped: Retrieval["dropped"];
  /** `limit` is null if nothing was put into a context. */
  context: { limit: number | null; used: number };
  /** What wrote the answer; null if no answer was asked for. */
  model: { provider: string; name: string } | null;
  /** How far the snippets support what a model wrote; null where none wrote or the snippets cannot tell. */
  support: Support | null;
  timings: { retrievalMs: number; answerMs: number; totalMs: number };
  warnings: Warning[];
}

/** An answer that a table was counted, compared or filtered for. */
export interface Computed {
  operation: TableAnswer["operation"];
  documentId: string;
  /** The column that was compared or asked for; null where it is whole rows. */
  column: string | null;
  /** What the rows were chosen by: "status: closed". */
  conditions: string[];
  /** How many rows were found, of how many. */
  rows: number;
  total: number;
}

/** The whole answer. */
export interface Answer {
  /** Null if no answer was asked for. */
  answer: string | null;
  /** Best first; `[1]` in the answer is the first of them. */
  snippets: FoundSnippet[];
  /** Documents of the snippets, in the order of their best one. */
  documents: DocumentRecord[];
  receipt: Receipt;
  /** Tokens of the answer as a model's server counted them; null where none did. */
  outputTokens: number | null;
  /** It ends where the longest output was reached. */
  isCut: boolean;
}

/** An answer with all that its receipt is to tell. */
export interface AskedAnswer {
  question: Question;
  answer: Answer;
  retrieval: Retrieval;
  /** As it was sent; null where no model was asked. */
  prompt: readonly ChatTurn[] | null;
}

/** Keeps the receipt of an answer; it must not wait, or fail. */
export type KeepReceipt = (tenant: Tenant, asked: AskedAnswer) => void;

/**
 * In this order: `snippets` once, `delta` any number of times (none where no answer is asked for), `done` once. It
 * may have fewer snippets than `snippets`: the last ones are left out if the prompt is too long for the model's server.
 */
export type AnswerEvent =
  | { type: "snippets"; snippets: FoundSnippet[]; documents: DocumentRecord[] }
  | { type: "delta"; text: string }
  | { type: "done"; answer: Answer };
