/**
 * Checks every regular expression of the program with recheck: none may take longer than linear time on what a stranger
 * supplies. `node tools/regexes/check-regexes.mjs`; part of `bun run check` and `npm test`. Needs no network and no Java.
 *
 * Expressions that this version of recheck has judged before are in judged-regexes.json and not judged again, which takes
 * a minute; `--write` puts new ones there that are linear.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { parse } from "@babel/parser";
import { reviewedFiles, reviewedRegexes } from "./reviewed-regexes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["src", "providers", "config", "clients/typescript/src"];
/**
 * An expression that is not judged within the time is to be reviewed. Large repeats are worked out rather than tried
 * with random texts, and those texts are the same each time.
 */
const limits = { timeout: 120_000, randomSeed: 1, maxRepeatCount: 1_000, maxPatternSize: 20_000 };

/** @typedef {{ file: string, line: number, code: string, source: string | null, flags: string }} Found */

/**
 * Regular expressions of a module: literals, and calls of `RegExp`, which are counted and whose `source` is null.
 * @param {string} file @param {string} code @returns {Found[]}
 */
export const regexesOf = (file, code) => {
  const found = [];
  let calls = 0;
  const visit = (node) => {
    if (Array.isArray(node)) for (const part of node) visit(part);
    if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
    const place = { file, line: node.loc?.start.line ?? 0, code: code.slice(node.start, node.end) };
    if (node.type === "RegExpLiteral") found.push({ ...place, source: node.pattern, flags: node.flags });
    else if (/^(New|Call)Expression$/.test(node.type) && node.callee.name === "RegExp")
      found.push({ ...place, code: `RegExp call ${++calls}`, source: null, flags: "" });
    for (const [key, value] of Object.entries(node)) {
      if (key !== "loc" && typeof value === "object") visit(value);
    }
  };
  visit(parse(code, { sourceType: "module", plugins: ["typescript", "importAttributes"] }).program);
  return found;
};

/**
 * What is wrong with an expression; null where it takes linear time at most.
 * @param {Found} found @returns {string | null}
 */
export const faultOf = ({ source, flags }) => {
  if (source === null)
    return "is made at run time: write it as a literal, or have it reviewed (tools/regexes/reviewed-regexes.mjs)";
  // The build in plain JavaScript judges the same on every machine.
  process.env.RECHECK_SYNC_BACKEND = "pure";
  const { checkSync } = createRequire(import.meta.url)("recheck");
  const { status, complexity, attack, error } = checkSync(source, flags, limits);
  if (status === "safe") return null;
  if (status === "unknown") return `could not be judged (${error?.kind ?? "unknown"})`;
  return `takes ${complexity?.summary ?? "too long"}, for instance on ${attack?.pattern ?? "some texts"}`;
};

const recordFile = new URL("judged-regexes.json", import.meta.url);
const recheckVersion = () => createRequire(import.meta.url)("recheck/package.json").version;

/** The expressions that were judged linear, by the version of recheck that is installed. @returns {Set<string>} */
const judgedBefore = () => {
  const { recheck, linear } = JSON.parse(readFileSync(recordFile, "utf8"));
  return new Set(recheck === recheckVersion() ? linear : []);
};

/** All modules of the program. @returns {string[]} */
const modules = () =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => join(root, folder, String(name)))
      .filter((path) => path.endsWith(".ts")),
  );

/** Judges expressions on several threads. @param {Found[]} all @returns {Promise<(string | null)[]>} */
const judge = (all) => {
  const faults = new Array(all.length).fill(null);
  let next = 0;
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: "judge" });
      const give = () => {
        if (next < all.length) worker.postMessage({ at: next, found: all[next++] });
        else void worker.terminate().then(resolve);
      };
      worker.on("message", ({ at, fault }) => {
        if (at !== undefined) faults[at] = fault;
        give();
      });
      worker.on("error", reject);
    });
  return Promise.all(Array.from({ length: Math.min(availableParallelism(), 8) }, work)).then(() => faults);
};

const main = async () => {
  const all = modules().flatMap((path) =>
    regexesOf(relative(root, path).replaceAll("\\", "/"), readFileSync(path, "utf8")),
  );
  const isReviewed = (found) =>
    reviewedFiles.some(({ file }) => file === found.file) ||
    reviewedRegexes.some(({ file, code }) => file === found.file && code === found.code);
  const unreviewed = all.filter((found) => !isReviewed(found));
  /** What stands in several places is judged once. */
  const keyOf = (found) => (found.source === null ? `${found.file} ${found.code}` : found.code);
  const distinct = [...new Map(unreviewed.map((found) => [keyOf(found), found])).values()];
  const known = judgedBefore();
  const fresh = distinct.filter((found) => !known.has(keyOf(found)));
  const judged = await judge(fresh);
  const faults = new Map(fresh.map((found, at) => [keyOf(found), judged[at]]));
  if (process.argv.includes("--write")) {
    const linear = distinct.map(keyOf).filter((key) => (faults.get(key) ?? null) === null);
    writeFileSync(recordFile, `${JSON.stringify({ recheck: recheckVersion(), linear: linear.sort() }, null, 2)}\n`);
  }
  const stale = reviewedRegexes.filter(
    ({ file, code }) => !all.some((found) => found.file === file && found.code === code),
  );
  let faulty = 0;
  for (const found of unreviewed) {
    const fault = faults.get(keyOf(found)) ?? null;
    if (fault === null) continue;
    faulty += 1;
    console.log(`${found.file}:${found.line}: ${found.code}\n  ${fault}`);
  }
  for (const { file } of reviewedFiles.filter(({ file: name }) => !all.some((found) => found.file === name))) {
    faulty += 1;
    console.log(`tools/regexes/reviewed-regexes.mjs: ${file} has no regular expressions any more`);
  }
  for (const { file, code } of stale)
    console.log(`tools/regexes/reviewed-regexes.mjs: ${file} has no ${code} any more`);
  console.log(`${all.length} regular expressions, ${faulty + stale.length} at fault`);
  process.exitCode = faulty + stale.length === 0 ? 0 : 1;
};

if (!isMainThread && workerData === "judge") {
  parentPort.on("message", ({ at, found }) => parentPort.postMessage({ at, fault: faultOf(found) }));
  parentPort.postMessage({});
} else if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
