import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { type Entry, emptySection, type Origin } from "./entry.ts";
import type { ConfigFault } from "./fault.ts";

/** In place of messages that quote the file, which may hold a secret, or that speak to programmers. */
const plainMessages: Record<string, string> = {
  BAD_COLLECTION_TYPE: "Unresolved tag",
  BAD_DIRECTIVE: "Unknown directive",
  BAD_DQ_ESCAPE: "Invalid escape sequence",
  NON_STRING_KEY: "All keys must be strings",
  MULTIPLE_DOCS: "Source contains multiple documents",
  TAG_RESOLVE_FAILED: "Unresolved tag",
};

const advice: Record<string, string> = {
  BAD_DQ_ESCAPE: "put the value in '…', or write each backslash twice",
  BAD_SCALAR_START: "put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a value that contains `: ` in quotes, and indent the keys of a section alike",
  MULTILINE_IMPLICIT_KEY: "write each line as `key: value`",
  MULTIPLE_DOCS: "remove the line `---`",
  TAB_AS_INDENT: "use spaces",
};

/** In `{ port: ${NAME} }` the brace after the `$` opens a map. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration's own syntax
const variableAdvice = 'put ${NAME} in quotes: "${NAME}"';

/**
 * A syntax error as a fault, in the parser's words, with line and column. What the parser quotes from the file is left
 * out.
 */
const yamlFault = (
  { code, message, pos: [offset] }: YAMLError,
  text: string,
  fileName: string,
  lines: LineCounter,
): ConfigFault => {
  const { line, col } = lines.linePos(offset);
  const own = message.replace(/(token|stream|document|characters): .*$/s, "$1").replace(/ (["'])quote$/, " $1 quote");
  const words = plainMessages[code] ?? own;
  const isVariable = text.slice(offset - 1, offset + 1) === "${";
  const hint = isVariable ? variableAdvice : advice[code];
  return {
    where: `${fileName}:${Math.max(1, line)}:${Math.max(1, col)}`,
    path: "",
    message: `is not YAML: ${words}${hint === undefined ? "" : `; ${hint}`}`,
  };
};

/** A text of the file after its variables were filled in. */
interface FilledText {
  text: string;
  /** It contained a variable. */
  isFilled: boolean;
  /** Why a `${…}` in it cannot be filled in. */
  problems: string[];
}

/** Puts environment variables in place of `${NAME}`; `$${` stands for a plain `${`. Values are not searched again. */
const fillInVariables = (text: string, env: Record<string, string | undefined>): FilledText => {
  let isFilled = false;
  const problems: string[] = [];
  const filled = text.replace(
    /\$\$\{|\$\{([^}]*)(\}?)/g,
    (whole, name: string | undefined, end: string | undefined) => {
      if (whole === "$${") return "${";
      if (end === "" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name ?? "")) {
        problems.push(`has \${ without the name of a variable and }; a plain \${ is written $\${`);
        return "";
      }
      const value = env[name ?? ""];
      if (value === undefined) problems.push(`refers to \${${name}}, and there is no such environment variable`);
      isFilled = true;
      return value ?? "";
    },
  );
  return { text: filled, isFilled, problems };
};

/** More settings than any real file has: aliases that multiply end here. */
const maxEntries = 10_000;
const maxDepth = 20;

const unknownAlias = "is an alias (*name) without an anchor (&name) before it";

interface YamlSource {
  root: Entry & { kind: "section" };
  faults: ConfigFault[];
  /** The file is not YAML: nothing of it was read, and the first error is the only fault. */
  isBroken: boolean;
}

/**
 * Reads YAML into entries that know their lines. Duplicate keys, broken syntax and `${NAME}` without such a variable
 * are faults; the rest of the file is still read, except after broken syntax.
 * @param fileName what faults call the file
 * @param env null leaves `${NAME}` as it is
 */
export const readYaml = (
  text: string,
  fileName: string,
  env: Record<string, string | undefined> | null,
): YamlSource => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    uniqueKeys: false,
    stringKeys: true,
  });
  // What the parser finds after the first error mostly follows from it.
  const [error] = [...document.errors, ...document.warnings];
  const empty = emptySection(fileName);
  if (error !== undefined) return { root: empty, faults: [yamlFault(error, text, fileName, lines)], isBroken: true };
  const { contents } = document;
  if (contents === null) return { root: empty, faults: [], isBroken: false };
  const originOf = (node: Node, outer: Origin): Origin =>
    node.range ? `${fileName}:${Math.max(1, lines.linePos(node.range[0]).line)}` : outer;
  const { root, faults } = readNodes(document, originOf, env, fileName);
  if (root.kind === "section") return { root, faults, isBroken: false };
  if (!(root.kind === "scalar" && root.value === null))
    faults.push({ where: originOf(contents, fileName), path: "", message: "holds no `key: value` at all" });
  return { root: empty, faults, isBroken: false };
};

/** What each alias refers to: the last node before it with its anchor. (The package looks through the document for each.) */
const aliasTargets = (document: Document.Parsed): Map<Node, Node> => {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  visit(document, {
    Node(_, node) {
      const target = isAlias(node) ? anchors.get(node.source) : undefined;
      if (target !== undefined) targets.set(node, target);
      if ("anchor" in node && typeof node.anchor === "string") anchors.set(node.anchor, node);
    },
  });
  return targets;
};

/** Turns the parsed document into entries. */
const readNodes = (
  document: Document.Parsed,
  originOf: (node: Node, outer: Origin) => Origin,
  env: Record<string, string | undefined> | null,
  fileName: string,
): { root: Entry; faults: ConfigFault[] } => {
  const faults: ConfigFault[] = [];
  const targets = aliasTargets(document);
  let entries = 0;

  const read = (node: Node | null, path: string, outer: Origin, depth: number): Entry => {
    if (entries > maxEntries) return { kind: "scalar", origin: fileName, value: null, untyped: false };
    entries += 1;
    if (node === null) return { kind: "scalar", origin: outer, value: null, untyped: false };
    const origin = originOf(node, outer);
    if (depth > maxDepth || entries > maxEntries) {
      entries = maxEntries + 1;
      faults.push({ where: origin, path: "", message: "has more settings, or deeper ones, than any configuration" });
      return { kind: "scalar", origin: fileName, value: null, untyped: false };
    }
    if (isAlias(node)) {
      const target = targets.get(node);
      if (target === undefined) faults.push({ where: origin, path, message: unknownAlias });
      return read(target ?? null, path, origin, depth + 1);
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => read(item as Node, `${path}[${index}]`, origin, depth + 1));
      return { kind: "list", origin, items };
    }
    if (isMap(node)) return readMap(node, path, origin, depth);
    return readScalar(isScalar(node) ? node.value : null, path, origin);
  };

  const readMap = (map: YAMLMap, path: string, origin: Origin, depth: number): Entry => {
    const section = emptySection(origin);
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : "";
      const keyOrigin = originOf(key as Node, origin);
      const inner = path === "" ? name : `${path}.${name}`;
      const earlier = section.entries.get(name);
      if (earlier === undefined) {
        const entry = read((value as Node | null) ?? null, inner, keyOrigin, depth + 1);
        section.entries.set(name, { keyOrigin, entry });
      } else faults.push({ where: keyOrigin, path: inner, message: `is set twice, first at ${earlier.keyOrigin}` });
    }
    return section;
  };

  const readScalar = (value: unknown, path: string, origin: Origin): Entry => {
    if (typeof value === "string" && env !== null) {
      const { text, isFilled, problems } = fillInVariables(value, env);
      for (const message of problems) faults.push({ where: origin, path, message });
      // A value with a problem is left out: it would only be reported a second time.
      if (problems.length > 0) return { kind: "scalar", origin, value: null, untyped: true };
      return { kind: "scalar", origin, value: text, untyped: isFilled };
    }
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return { kind: "scalar", origin, value, untyped: false };
    faults.push({ where: origin, path, message: "has a type that no setting has" });
    return { kind: "scalar", origin, value: null, untyped: true };
  };

  return { root: read(document.contents, "", fileName, 0), faults };
};
