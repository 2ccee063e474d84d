/**
 * Preloaded into a server that runs from source: notes which files' functions are called, and writes their names to a file
 * at each SIGUSR2.
 */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parse } from "@babel/parser";
import { plugin } from "bun";

const root = join(import.meta.dir, "../..");
const passed = new Set<string>();
Object.assign(globalThis, { notePassed: (path: string) => void passed.add(path) });

/** A node of Babel's syntax tree, as far as it is read here. */
interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  body?: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

/** Calls `visit` with each function of the tree. */
const visitFunctions = (value: unknown, visit: (body: SyntaxNode) => void): void => {
  if (Array.isArray(value)) for (const each of value) visitFunctions(each, visit);
  if (!isNode(value)) return;
  const isFunction = /^(?:Arrow)?Function(?:Declaration|Expression)$|^(?:Object|Class)Method$/.test(value.type);
  if (isFunction && isNode(value.body)) visit(value.body);
  for (const [key, child] of Object.entries(value))
    if (key !== "loc" && typeof child === "object") visitFunctions(child, visit);
};

const withNotes = (source: string, path: string): string => {
  const note = `notePassed(${JSON.stringify(relative(root, path))})`;
  const tree = parse(source, {
    sourceType: "module",
    plugins: ["typescript", ...(path.endsWith("x") ? ["jsx" as const] : [])],
  });
  const added: [at: number, text: string][] = [];
  visitFunctions(tree.program, ({ type, start, end }) => {
    if (type === "BlockStatement") added.push([start + 1, `${note};`]);
    else added.push([start, `(${note},`], [end, ")"]);
  });
  // From the end, so that places stay as they are.
  let text = source;
  for (const [at, insertion] of added.sort(([one], [other]) => other - one))
    text = text.slice(0, at) + insertion + text.slice(at);
  return text;
};

plugin({
  name: "passed files",
  setup(build) {
    build.onLoad({ filter: /\/(?:src|providers|config)\/(?!web\/browser\/).*\.tsx?$/ }, async ({ path }) => ({
      contents: withNotes(await Bun.file(path).text(), path),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
});

process.on("SIGUSR2", () => {
  writeFileSync(process.env.PASSED_FILES ?? "", [...passed].sort().join("\n"));
  passed.clear();
});
