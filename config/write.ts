import { Document } from "yaml";
import { variableOf } from "./environment.ts";
import { configSchema } from "./schema.ts";
import { expectation, type Shape, settingsOf } from "./shape.ts";

const header = `# Settings of Carrel. Each key has its default here: you may delete every key that you do not change.
#
# Every key can also be set by an environment variable, which takes precedence: CARREL_ and the path in capitals
# (server.port: CARREL_SERVER_PORT, models.answer.baseUrl: CARREL_MODELS_ANSWER_BASE_URL; lists with commas).
# "\${NAME}" in a value is replaced by that environment variable, so that this file needs no secrets. Write it in quotes;
# a plain \${ is written $\${.
`;

/** The commented `carrel.yaml` with every key and its default, made from the schema. */
export const writeYaml = (shape: Shape): string => `${header}\n${sections(shape, "")}`;

const sections = (shape: Shape, indent: string): string => {
  if (shape.kind !== "section") return "";
  return [...shape.keys]
    .map(([name, inner]) => {
      const comment = inner.description === "" ? "" : `${indent}# ${inner.description}\n`;
      if (inner.kind === "section") return `${comment}${indent}${name}:\n${sections(inner, `${indent}  `)}`;
      return `${comment}${entryKeys(inner, indent)}${indent}${name}: ${scalar(inner.initial)}\n`;
    })
    .join(indent === "" ? "\n" : "");
};

const scalar = (value: unknown): string =>
  new Document(value, { flow: true }).toString({ flowCollectionPadding: false, lineWidth: 0 }).trimEnd();

/** The keys of an entry in a list of sections, as comments. */
const entryKeys = (shape: Shape, indent: string): string => {
  if (shape.kind !== "list" || shape.item.kind !== "section") return "";
  return settingsOf(shape.item)
    .map(({ path, shape: key }, index) => {
      const initial = key.initial === undefined ? "…" : scalar(key.initial);
      return `${indent}#   ${index === 0 ? "-" : " "} ${path.join(".")}: ${initial}  # ${key.description}\n`;
    })
    .join("");
};

/**
 * JSON Schema of `carrel.yaml` for editors. Keys with a default are not required; text is accepted in place of numbers
 * and booleans if it takes them from the environment (`"${NAME}"`).
 */
export const writeJsonSchema = (): string => {
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Carrel", ...relaxed(configSchema) };
  return `${JSON.stringify(schema, null, 2)}\n`;
};

type Schema = { [key: string]: unknown };

/** Marks of the schema that editors do not know. */
const withoutMarks = (key: string, value: unknown): unknown => (key === "secrecy" ? undefined : value);

const fromEnvironment = { type: "string", pattern: "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}" };

/** TypeBox's schema as JSON; `required` lists only keys without a default. */
const relaxed = (schema: object): Schema => {
  const { required, properties, items, ...rest } = JSON.parse(JSON.stringify(schema, withoutMarks)) as Schema & {
    required?: string[];
    properties?: Record<string, Schema>;
    items?: Schema;
  };
  if (properties !== undefined) {
    const needed = (required ?? []).filter((name) => {
      const property = properties[name];
      return property !== undefined && property.default === undefined && property.type !== "object";
    });
    const inner = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, relaxed(property)]));
    return { ...rest, properties: inner, ...(needed.length > 0 ? { required: needed } : {}) };
  }
  if (items !== undefined) return { ...rest, items: relaxed(items) };
  if (rest.type === "object" || (rest.type === "string" && rest.pattern === undefined)) return rest;
  const { description, default: initial, ...bare } = rest;
  return { description, default: initial, anyOf: [bare, fromEnvironment] };
};

/** Everything after this line of docs/configuration.md is generated from the schema. */
const settingsMark = "<!-- From here on made by `bun tools/config-files.ts`. -->";

/**
 * docs/configuration.md with its generated part, a table of every setting.
 * @param page the present content
 */
export const writeMarkdown = (page: string, shape: Shape): string => {
  const [written = ""] = page.split(settingsMark);
  const rows = settingsOf(shape).map(({ path, shape: setting }) => {
    const name = path.join(".");
    const note = reloadNote(setting);
    const initial = JSON.stringify(setting.initial);
    return `| \`${name}\`<br>\`${variableOf(path)}\` | \`${initial}\` | ${cell(expectation(setting))} | ${cell(setting.description)}${note} |`;
  });
  return `${written}${settingsMark}\n\n| setting and its variable | default | takes | why |\n|---|---|---|---|\n${rows.join("\n")}\n`;
};

/** Which settings `SIGHUP` changes: docs/operations.md. */
const reloadNote = ({ isLive }: Shape): string => (isLive ? " *Can change while Carrel runs.*" : "");

const cell = (text: string): string => text.replaceAll("|", "\\|");
