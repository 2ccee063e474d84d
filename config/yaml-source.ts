import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from "yaml";
import { type Entry, emptySection } from "./entry.ts";
import type { ConfigFault } from "./fault.ts";

/** More settings than any real file has: aliases that multiply end here. */
const MOST_ENTRIES = 10_000;
const MOST_DEPTH = 20;

const unknownAlias = "is an alias (*name) without an anchor (&name) before it";

/** What the parser's codes mean. Its own messages quote the file, which may hold a secret. */
const syntaxMessages: Record<string, string> = {
  BAD_ALIAS: "an alias (*) lacks its name, or an anchor (&) before it",
  BAD_DQ_ESCAPE: "a backslash inside \"…\" is followed by the wrong letter; use '…' or double the backslash",
  BAD_INDENT: "the line is indented wrongly",
  BAD_SCALAR_START: "a value begins with a sign that must stand in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a line holds two keys; put a value that contains `: ` in quotes",
  MISSING_CHAR: "a closing quote, bracket, or the `:` after a key is missing",
  MULTILINE_IMPLICIT_KEY: "a line is no `key: value`",
  MULTIPLE_DOCS: "the file holds more than one document (`---`)",
  NON_STRING_KEY: "a key is no plain text",
  TAB_AS_INDENT: "the line is indented with a tab; use spaces",
  TAG_RESOLVE_FAILED: "a tag (!name) is not understood",
  UNEXPECTED_TOKEN: "something stands where it cannot",
};

export interface YamlSource {
  root: Entry & { kind: "section" };
  faults: ConfigFault[];
}

/**
 * Reads YAML into entries that know their lines. Duplicate keys, broken syntax and `${NAME}` without such a variable
 * are faults; the rest of the file is read on, except after broken syntax.
 * @param fileName how the file is called in faults
 * @param env null leaves `${NAME}` as it stands
 */
export const readYaml = (
  text: string,
  fileName: string,
  env: Record<string, string | undefined> | null,
): YamlSource => {
  const faults: ConfigFault[] = [];
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    uniqueKeys: false,
    stringKeys: true,
  });
  const originAt = (offset: number) => `${fileName}:${Math.max(1, lines.linePos(offset).line)}`;
  const originOf = (node: { range?: [number, number, number] | null }, outer: string) =>
    node.range ? originAt(node.range[0]) : outer;
  for (const { code, pos } of [...document.errors, ...document.warnings])
    faults.push({
      where: originAt(pos[0]),
      path: "",
      message: `is not YAML: ${syntaxMessages[code] ?? "broken syntax"}`,
    });
  if (faults.length > 0) return { root: emptySection(fileName), faults: faults.slice(0, 10) };

  let entries = 0;
  const tooMany = { kind: "scalar", origin: fileName, value: null, untyped: false } as const;
  const read = (node: Node | null, path: string, outer: string, depth: number): Entry => {
    if (entries > MOST_ENTRIES) return tooMany;
    entries += 1;
    if (node === null) return { kind: "scalar", origin: outer, value: null, untyped: false };
    const origin = originOf(node, outer);
    if (depth > MOST_DEPTH || entries > MOST_ENTRIES) {
      entries = MOST_ENTRIES + 1;
      faults.push({ where: origin, path: "", message: "holds far more, or far deeper, settings than there are" });
      return tooMany;
    }
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined) faults.push({ where: origin, path, message: unknownAlias });
      return read(target ?? null, path, origin, depth + 1);
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => read(item as ParsedNode, `${path}[${index}]`, origin, depth + 1));
      return { kind: "list", origin, items };
    }
    if (isMap(node)) {
      const section = emptySection(origin);
      for (const pair of node.items) {
        const key = pair.key as ParsedNode;
        const name = isScalar(key) ? String(key.value) : "";
        const keyOrigin = originOf(key, origin);
        const inner = path === "" ? name : `${path}.${name}`;
        const earlier = section.entries.get(name);
        if (earlier === undefined)
          section.entries.set(name, {
            keyOrigin,
            entry: read((pair.value as ParsedNode | null) ?? null, inner, keyOrigin, depth + 1),
          });
        else faults.push({ where: keyOrigin, path: inner, message: `is set twice, first at ${earlier.keyOrigin}` });
      }
      return section;
    }
    const value: unknown = isScalar(node) ? node.value : null;
    if (typeof value === "string") {
      const {
        text: filled,
        used,
        problems,
      } = env === null ? { text: value, used: false, problems: [] } : fillIn(value, env);
      for (const message of problems) faults.push({ where: origin, path, message });
      // A problem's value is left out: it would only be called wrong a second time.
      return {
        kind: "scalar",
        origin,
        value: problems.length > 0 ? null : filled,
        untyped: used || problems.length > 0,
      };
    }
    if (value === null || typeof value === "number" || typeof value === "boolean")
      return { kind: "scalar", origin, value, untyped: false };
    faults.push({ where: origin, path, message: "is of a kind that no setting has" });
    return { kind: "scalar", origin, value: null, untyped: true };
  };

  if (document.contents === null) return { root: emptySection(fileName), faults };
  const root = read(document.contents, "", fileName, 0);
  if (root.kind === "section") return { root, faults };
  if (!(root.kind === "scalar" && root.value === null))
    faults.push({ where: originOf(document.contents, fileName), path: "", message: "holds no `key: value` at all" });
  return { root: emptySection(fileName), faults };
};

/** Puts environment variables in place of `${NAME}`; `$${` stands for a plain `${`. What comes in is not read again. */
const fillIn = (
  text: string,
  env: Record<string, string | undefined>,
): { text: string; used: boolean; problems: string[] } => {
  let used = false;
  const problems: string[] = [];
  const filled = text.replace(
    /\$\$\{|\$\{([^}]*)(\}?)/g,
    (whole, name: string | undefined, end: string | undefined) => {
      if (whole === "$${") return "${";
      if (end === "" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name ?? "")) {
        problems.push(`holds \${ without the name of a variable and }; a plain \${ is written $\${`);
        return "";
      }
      const value = env[name ?? ""];
      if (value === undefined) problems.push(`takes \${${name}}, and there is no such environment variable`);
      used = true;
      return value ?? "";
    },
  );
  return { text: filled, used, problems };
};
