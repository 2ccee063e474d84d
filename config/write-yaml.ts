import { Document } from "yaml";
import { type Shape, settingsOf } from "./shape.ts";

const header = `# Settings of Carrel. Each key has its default here: you may delete every key that you do not change.
#
# Every key can also be set by an environment variable, which takes precedence: CARREL_ and the path in capitals
# (server.port: CARREL_SERVER_PORT, models.answer.baseUrl: CARREL_MODELS_ANSWER_BASE_URL; lists with commas).
# "\${NAME}" in a value is replaced by that environment variable, so that this file needs no secrets. Write it in quotes;
# a plain \${ is written $\${.
`;

/**
 * The commented `carrel.yaml` with every key and its default, made from the schema.
 * @param unsupported paths of the keys for which this version accepts only the default
 */
export const writeYaml = (shape: Shape, unsupported: readonly string[]): string =>
  `${header}\n${sections(shape, [], unsupported)}`;

const sections = (shape: Shape, outer: readonly string[], unsupported: readonly string[]): string => {
  if (shape.kind !== "section") return "";
  const indent = "  ".repeat(outer.length);
  return [...shape.keys]
    .map(([name, inner]) => {
      const path = [...outer, name];
      const note = unsupported.includes(path.join(".")) ? " Not in this version yet." : "";
      const comment = inner.description === "" ? "" : `${indent}# ${inner.description}${note}\n`;
      if (inner.kind === "section") return `${comment}${indent}${name}:\n${sections(inner, path, unsupported)}`;
      return `${comment}${entryKeys(inner, indent)}${indent}${name}: ${scalar(inner.initial)}\n`;
    })
    .join(outer.length === 0 ? "\n" : "");
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
