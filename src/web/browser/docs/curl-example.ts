import { type Api, type Operation, type Parameter, resolved } from "./api.ts";

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
