/** What of OpenAPI 3.1 this server's document uses, and this page shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  minItems?: number;
  maxItems?: number;
  contentMediaType?: string;
  contentSchema?: Schema;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema?: Schema;
  /** Of a parameter that is sent as JSON text. */
  content?: Record<string, Content>;
}

export interface Answer {
  description: string;
  content?: Record<string, Content>;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { description?: string; content: Record<string, Content> };
  responses: Record<string, Answer>;
  "x-access"?: string;
  "x-alias-of"?: string;
}

export interface OpenApiDocument {
  info: { version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation extends DescribedOperation {
  /** In capitals. */
  method: string;
  /** As in `/api/document/{id}`. */
  path: string;
}

/** The API as this page shows it. */
export interface Api {
  version: string;
  tags: { name: string; description: string; operations: Operation[] }[];
  /** By `operationId`. */
  operations: ReadonlyMap<string, Operation>;
  /** Every schema with a name. */
  schemas: Readonly<Record<string, Schema>>;
  /** Names of those that have a place in the list of records. */
  records: readonly string[];
}

/** The same body as a form: its fields are those of the JSON body. */
const isForm = /(?:Form|Multipart)$/;

/** An operation stands there once, under its first path. */
export const readApi = ({ info, tags, paths, components }: OpenApiDocument): Api => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
      .filter((operation) => operation["x-alias-of"] === undefined),
  );
  return {
    version: info.version,
    tags: tags.map((tag) => ({ ...tag, operations: operations.filter((each) => each.tags.includes(tag.name)) })),
    operations: new Map(operations.map((operation) => [operation.operationId, operation])),
    schemas: components.schemas,
    records: Object.keys(components.schemas).filter((name) => !isForm.test(name)),
  };
};

const refStart = "#/components/schemas/";

/** The name that a schema refers to; null where it stands there in full. */
export const nameOf = (schema: Schema): string | null =>
  schema.$ref?.startsWith(refStart) === true ? schema.$ref.slice(refStart.length) : null;

/** The schema itself, if it is a reference. */
export const resolved = (api: Api, schema: Schema): Schema => {
  const name = nameOf(schema);
  return name === null ? schema : (api.schemas[name] ?? {});
};

/** A code of an error with its title. */
interface ErrorCode {
  code: string;
  title: string;
}

/** The codes in the description of a problem: `` `no_source`: Nothing to ingest. `` */
export const codesIn = (description: string): ErrorCode[] =>
  [...description.matchAll(/`([a-z_]+)`: ([^`]*)/g)].map(([, code = "", title = ""]) => ({
    code,
    title: title.trim().replace(/\.$/, ""),
  }));

/** A text for the shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What stands for a value that only the reader has. */
const placeholder = ({ name }: Parameter): string => name.replaceAll(/[^a-z]/gi, "_").toUpperCase();

/** A value for a parameter: its example, else a word in capitals. */
const exampleOf = (parameter: Parameter): string => {
  const example = parameter.schema?.examples?.[0] ?? parameter.schema?.enum?.[0];
  if (example === undefined) return placeholder(parameter);
  return typeof example === "string" ? example : JSON.stringify(example);
};

/** The path with values in place of `{id}`, and the query with values for what must be sent. */
const addressOf = ({ path, parameters = [] }: Operation, value: (parameter: Parameter) => string): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((each) => each.in === "path" && each.name === name);
    return parameter === undefined ? whole : encodeURIComponent(value(parameter));
  });
  const query = new URLSearchParams();
  for (const parameter of parameters)
    if (parameter.in === "query" && value(parameter) !== "") query.set(parameter.name, value(parameter));
  return query.size === 0 ? filled : `${filled}?${query}`;
};

const jsonType = "application/json";
const linesType = "application/x-ndjson";

/** Whether a file can be sent with an operation, in a part named `file`. */
export const acceptsFile = (api: Api, { requestBody }: Operation): boolean => {
  const schema = requestBody?.content["multipart/form-data"]?.schema;
  return schema !== undefined && resolved(api, schema).properties?.file !== undefined;
};

/** The lines of a call of an operation with curl. */
const lines = (operation: Operation, server: string): string[] => {
  const { method, requestBody } = operation;
  const address = `${server}${addressOf(operation, (parameter) => (parameter.required ? exampleOf(parameter) : ""))}`;
  const isPlain = method === "GET" || (method === "POST" && requestBody !== undefined);
  return [
    `curl ${isPlain ? "" : `-X ${method} `}${/[?&]/.test(address) ? quoted(address) : address}`,
    ...(operation["x-access"] === "open" ? [] : ['-H "Authorization: Bearer $KEY"']),
  ];
};

/** A call of an operation with curl. @param server its address, as the browser reaches it */
export const curlExample = (operation: Operation, server: string): string => {
  const content = operation.requestBody?.content ?? {};
  const example = content[jsonType]?.example;
  const body =
    content[linesType] !== undefined
      ? [`-H "Content-Type: ${linesType}"`, "--data-binary @records.ndjson"]
      : example === undefined
        ? []
        : [`-H "Content-Type: ${jsonType}"`, `-d ${quoted(JSON.stringify(example, null, 2))}`];
  return [...lines(operation, server), ...body].join(" \\\n  ");
};

/** The same call with a file instead of a text. */
export const fileExample = (operation: Operation, server: string): string =>
  [...lines(operation, server), "-F file=@handbook.pdf"].join(" \\\n  ");
