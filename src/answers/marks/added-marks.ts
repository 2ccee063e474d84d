import { endOfSentence, endsWithStop } from "../../text/sentences.ts";
import type { SourceCheck } from "./source-check.ts";

/**
 * Adds the mark of its source to a statement that has none and that one source clearly supports, while the answer is
 * streamed. Only the white space behind a full stop is held back: a mark of the model's own may follow it.
 */
export interface AddedMarks {
  /** @returns what is settled */
  push(text: string): string;
  /** @returns the rest */
  end(): string;
  /** Numbers of the sources that were marked. */
  readonly added: readonly number[];
}

/** Of a longer statement only the end is looked at. */
const maxStatementCharacters = 1_200;
const keptCharacters = 600;

const marksAtStart = /^\s*(?:\[\d{1,3}\])+/;
const hasMark = /\[\d{1,3}\]/;
/** A heading, a row of a table, a fence. */
const statesNothing = /^\s*(?:#{1,6}\s|\||```|~~~)/;
/** What introduces something else. */
const introduces = /[:：]["»”’)*_]*\s*$/;
/** JSON and the like: whoever asked for data has no use for marks in it. */
export const isData = (answer: string): boolean => /^\s*(?:[{<]|\[\s*[[{"])/.test(answer);
const denseStop = /[。！？｡।॥]["'”’»)]*$/;

export const createAddedMarks = (check: SourceCheck): AddedMarks => {
  /** The answer's beginning, until it is known whether it is data. */
  let beginning = "";
  let isOfData = false;
  /** The line as far as it is known, from its start; only its beginning and its backticks matter. */
  let lineHead = "";
  let backticks = 0;
  let isFenced = false;
  let statement = "";
  /** How much of the statement has been returned. */
  let sent = 0;
  const added: number[] = [];

  const markFor = (text: string): string => {
    if (isOfData || isFenced || backticks % 2 === 1 || statesNothing.test(lineHead)) return "";
    if (hasMark.test(text) || introduces.test(text)) return "";
    const source = check.supporterOf(text);
    if (source === null) return "";
    added.push(source + 1);
    return `${denseStop.test(text) ? "" : " "}[${source + 1}]`;
  };

  /** The statement ends at `end`. @returns its rest with its mark */
  const close = (end: number): string => {
    const text = statement.slice(0, end);
    const at = Math.max(sent, text.trimEnd().length);
    const settled = text.slice(sent, at) + markFor(text) + text.slice(at);
    statement = statement.slice(end);
    sent = 0;
    return settled;
  };

  const pushInline = (piece: string): string => {
    statement += piece;
    let out = "";
    for (;;) {
      let end = endOfSentence(statement, 0, statement.length);
      end += marksAtStart.exec(statement.slice(end, end + 80))?.[0].length ?? 0;
      if (statement.slice(end).trim() === "") break;
      out += close(end);
    }
    const trimmed = statement.trimEnd().length;
    const to = endsWithStop(statement, trimmed) ? Math.max(sent, trimmed) : statement.length;
    out += statement.slice(sent, to);
    sent = to;
    if (statement.length > maxStatementCharacters) {
      const cut = Math.min(sent, statement.length - keptCharacters);
      statement = statement.slice(cut);
      sent -= cut;
    }
    return out;
  };

  const pushLinePart = (part: string): string => {
    if (lineHead.length < 16) lineHead += part.slice(0, 16);
    backticks += part.match(/`/g)?.length ?? 0;
    return pushInline(part);
  };

  const endLine = (): string => {
    const settled = close(statement.length);
    if (/^\s*(?:```|~~~)/.test(lineHead)) isFenced = !isFenced;
    lineHead = "";
    backticks = 0;
    return settled;
  };

  return {
    push(text) {
      if (beginning.trim().length < 4) {
        beginning += text;
        isOfData = isData(beginning);
      }
      let out = "";
      const [first = "", ...others] = text.split("\n");
      out += pushLinePart(first);
      for (const next of others) out += `${endLine()}\n${pushLinePart(next)}`;
      return out;
    },
    end: () => endLine(),
    added,
  };
};
