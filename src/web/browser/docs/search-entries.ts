import { type Api, codesIn, type Operation, resolved } from "./api.ts";
import { fieldsOf } from "./fields.ts";
import type { Guide } from "./guide-text.ts";
import { plainText, sectionsOf, writtenText } from "./guide-text.ts";

/** A place that the search may find. */
export interface Entry {
  /** Where it is: `/docs/guide/cli#carrel-serve`. */
  address: string;
  title: string;
  /** What it belongs to: the guide, the tag. */
  context: string;
  /** `POST` of an operation; empty for a guide. */
  method: string;
  /** Path and id of an operation. */
  names: string;
  text: string;
}

/** The sections of the guides. */
export const guideEntries = (guides: readonly Guide[]): Entry[] =>
  guides.flatMap((guide) =>
    sectionsOf(writtenText(guide)).map(({ id, heading, level, text }) => ({
      address: `/docs/guide/${guide.slug}${level === 1 ? "" : `#${id}`}`,
      title: level === 1 ? guide.title : heading,
      context: level === 1 ? guide.group : guide.title,
      method: "",
      names: "",
      text,
    })),
  );

/** The operations and records. */
export const apiEntries = (api: Api): Entry[] => [
  ...[...api.operations.values()].map((operation) => ({
    address: `/docs/reference/${operation.operationId}`,
    title: operation.summary,
    context: operation.path,
    method: operation.method,
    names: `${operation.path} ${operation.operationId}`,
    text: textOf(api, operation),
  })),
  ...api.records.map((name) => {
    const schema = resolved(api, { $ref: `#/components/schemas/${name}` });
    const fields = fieldsOf(schema, false).map((field) => `${field.name} ${field.description}`);
    return {
      address: `/docs/reference/records#${name}`,
      title: name,
      context: "Records",
      method: "",
      names: "",
      text: plainText([schema.description ?? "", ...fields].join(" ")),
    };
  }),
];

const textOf = (api: Api, { description = "", parameters = [], requestBody, responses }: Operation): string => {
  const body = requestBody?.content["application/json"]?.schema;
  return plainText(
    [
      description,
      ...parameters.map((each) => `${each.name} ${each.description ?? ""}`),
      ...(body === undefined
        ? []
        : fieldsOf(resolved(api, body), true).map((field) => `${field.name} ${field.description}`)),
      ...Object.values(responses).flatMap((answer) => codesIn(answer.description).map(({ code }) => code)),
    ].join(" "),
  );
};

/** A piece of a found text; the words that fit are marked. */
interface Piece {
  text: string;
  isMarked: boolean;
}

const before = 40;
const maxCharacters = 140;

/** What stands around the first word that fits. @param terms in lower case */
export const passageOf = (text: string, terms: readonly string[]): Piece[] => {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first <= before ? 0 : lower.indexOf(" ", first - before) + 1;
  const shown = text.slice(start, start + maxCharacters);
  const pieces: Piece[] = [{ text: `${start > 0 ? "… " : ""}`, isMarked: false }];
  for (let at = 0; at < shown.length; ) {
    const rest = shown.slice(at).toLowerCase();
    const next = terms
      .map((term) => ({ term, at: rest.indexOf(term) }))
      .filter((each) => each.at >= 0)
      .toSorted((a, b) => a.at - b.at || b.term.length - a.term.length)[0];
    if (next === undefined || next.term === "") {
      pieces.push({ text: shown.slice(at), isMarked: false });
      break;
    }
    pieces.push(
      { text: shown.slice(at, at + next.at), isMarked: false },
      { text: shown.slice(at + next.at, at + next.at + next.term.length), isMarked: true },
    );
    at += next.at + next.term.length;
  }
  if (start + maxCharacters < text.length) pieces.push({ text: " …", isMarked: false });
  return pieces.filter((piece) => piece.text !== "");
};
