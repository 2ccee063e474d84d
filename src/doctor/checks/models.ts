import { join } from "node:path";
import { type FileParser, ProviderError } from "../../../providers/contract.ts";
import { messageOf } from "../../domain/errors.ts";
import { type CheckedModels, checkModels } from "../../models/check/check-models.ts";
import { isQuoting, type ModelReport, modelWords } from "../../models/check/model-report.ts";
import { createBuiltinParser } from "../../parse/builtin-parser.ts";
import { createUnstructuredParser } from "../../parse/unstructured/parser.ts";
import { configuredModels } from "../../runtime/configured-models.ts";
import { runtimeFolder } from "../../runtime/runtime-folder.ts";
import { ownCommand } from "../../system/child-process.ts";
import { type Check, type DoctorContext, failed, fine, type Told, warning } from "./finding.ts";

export const modelsCheck: Check = {
  name: "models",
  isQuick: false,
  async run(context) {
    const models = context.tried?.models ?? (await ownModels(context));
    return (await checkModels(models, context.signal)).flatMap(modelFindings);
  },
};

const ownModels = async ({ config, env, embedded }: DoctorContext): Promise<CheckedModels> => {
  const runtime = await runtimeFolder(config, env, join(env.TMPDIR || "/tmp", "carrel-doctor"));
  return configuredModels(config, runtime, embedded, true);
};

/** A message says what is wrong and, after a colon, what to run or change. */
const splitMessage = (message: string, use: string): [string, string] => {
  const at = message.indexOf(": ");
  return at === -1
    ? [message, `Look at models.${use} in the settings; \`carrel models\` shows more.`]
    : [`${message.slice(0, at)}.`, `${capital(message.slice(at + 2))}.`];
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** @returns what is wrong with a model, or else what it really has */
export const modelFindings = (report: ModelReport): Told[] => {
  const { use, address, contextTokens, dimensions, problems, warnings } = report;
  const messageAndFix = (message: string): [string, string] => {
    const [detail, fix] = splitMessage(message, use);
    return [`models.${use}: ${detail}`, fix];
  };
  const found = [
    ...problems.map((problem) => failed(...messageAndFix(problem))),
    ...warnings.map((each) => warning(...messageAndFix(each))),
  ];
  if (problems.length > 0) return found;
  if (isQuoting(report)) return [fine("models.answer: No model is set: answers are quoted from the documents.")];
  const facts = [
    ...(contextTokens === null ? [] : [`a context of ${contextTokens} tokens`]),
    ...(dimensions === null ? [] : [`vectors of ${dimensions} numbers`]),
  ];
  const where = address === null ? "" : ` at ${address}`;
  const has = facts.length === 0 ? "" : `, with ${facts.join(" and ")}`;
  return [fine(`models.${use}: ${modelWords(report)}${where} answers${has}.`), ...found];
};

export const parserCheck: Check = {
  name: "parser",
  isQuick: false,
  run: async ({ config, embedded, tried, signal }) => [
    tried === undefined
      ? await ownParserFinding(config, embedded !== null, signal)
      : await builtinFinding(tried.builtinParser, signal),
    ...(config.parser.baseUrl === null ? [] : [await serverFinding(config, config.parser.baseUrl, signal)]),
    ocrFinding(config, Bun.which("tesseract")),
  ],
};

/** A page that goes to a process of its own, as a stranger's file does. */
const page = new TextEncoder().encode("<!doctype html><title>Trial</title><h1>Trial</h1><p>A plain sentence.</p>");

const parseTrial = async (parser: FileParser, name: string, bytes: Uint8Array, signal: AbortSignal): Promise<string> =>
  (await parser.parse({ bytes, name, mimeType: null }, signal)).text;

const ownParserFinding = async (
  { parser, ingest }: DoctorContext["config"],
  isCompiled: boolean,
  signal: AbortSignal,
): Promise<Told> => {
  const builtin = createBuiltinParser({
    timeoutMs: parser.timeoutMs,
    maxMemoryBytes: parser.maxMemoryBytes,
    maxPages: parser.maxPages,
    ocrLanguages: parser.ocrLanguages,
    ocrTimeoutMs: parser.ocrTimeoutMs,
    maxDocumentBytes: ingest.maxDocumentBytes,
    // Compiled, the folders of the source are gone: any path within the program will do.
    workerCommand: ownCommand("parse-worker", isCompiled ? import.meta.dir : join(import.meta.dir, "../../main.ts")),
    maxWorkers: 1,
  });
  return await builtinFinding(builtin, signal).finally(() => builtin.close());
};

const builtinFinding = async (builtin: FileParser, signal: AbortSignal): Promise<Told> => {
  try {
    const text = await parseTrial(builtin, "trial.html", page, signal);
    if (text.includes("A plain sentence.")) return fine("The built-in parser reads files.");
    return failed("The built-in parser read a trial page wrongly.", "Reinstall Carrel: its program may be damaged.");
  } catch (error) {
    return failed(
      `The built-in parser does not work: ${messageOf(error)}`,
      "Let Carrel start processes, and raise parser.maxMemoryBytes if it is below its default.",
    );
  }
};

const serverFinding = async (
  { parser }: DoctorContext["config"],
  baseUrl: string,
  signal: AbortSignal,
): Promise<Told> => {
  try {
    const server = createUnstructuredParser(parser, baseUrl, 1);
    await parseTrial(server, "trial.txt", new TextEncoder().encode("A plain sentence.\n"), signal);
    return fine("The Unstructured server of parser.baseUrl reads files.");
  } catch (error) {
    const advice = "Start the server, or correct parser.baseUrl and parser.apiKey.";
    const detail = `The Unstructured server of parser.baseUrl cannot be used: ${messageOf(error)}`;
    return error instanceof ProviderError && parser.provider === "builtin"
      ? warning(detail, advice)
      : failed(detail, advice);
  }
};

/** @param tesseract path of the program, null where there is none */
const ocrFinding = ({ parser }: Pick<DoctorContext["config"], "parser">, tesseract: string | null): Told => {
  if (tesseract !== null) return fine(`Text in pictures is read by ${tesseract}.`);
  const isRead = parser.baseUrl === null ? "is not read: there is no tesseract" : "is left to the Unstructured server";
  return fine(`Text in pictures ${isRead}.`);
};
