import type { Guide } from "../../shared/guides-partition.ts";
import { plainText, sectionsOf } from "../guides/sections.ts";
import { writtenText } from "../guides/written-text.ts";
import type { Api, Operation } from "../reference/api.ts";
import { resolved } from "../reference/api.ts";
import { codesIn } from "../reference/error-codes.ts";
import { fieldsOf } from "../reference/fields.ts";

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
