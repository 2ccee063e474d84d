import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { serverEvents } from "../../clients/typescript/src/streams.ts";
import { loadConfig } from "../../config/load.ts";
import { computedWords } from "../answers/computed-words.ts";
import { doubtOf, doubtWords } from "../answers/doubt.ts";
import { CommandFailure, UsageFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { ensureTemporaryFolder, runtimeFolder } from "../runtime/runtime-folder.ts";
import { escapeControls } from "../text/clean-text.ts";
import {
  type ClientOptions,
  jsonBody,
  type OperatorClient,
  openInProcess,
  problemOf,
  readAnswer,
  withClient,
} from "./client/client.ts";
import { findDocumentId, needPartition } from "./client/named-records.ts";
import { findSources } from "./ingest/find-sources.ts";
import { putDocuments } from "./ingest/ingest.ts";
import { createMarkdownPrinter } from "./output/markdown-text.ts";

interface AskOptions extends ClientOptions {
  partition?: string;
  document?: string;
  snippets?: number;
}

interface Answer {
  answer: string;
  relevantDocuments: { id: string; name: string }[];
  relevantSnippets: { metadata: { documentUploadId: string; page: number | null; headings: string[] } }[];
  receipt: Parameters<typeof doubtOf>[0] & {
    computed: (Parameters<typeof computedWords>[0] & { documentId: string }) | null;
    asked: { kind: string };
    searched: { documents: number };
    warnings: string[];
  };
}

/** `carrel ask`: the answer, then its sources. */
export const ask = async (
  question: string,
  files: readonly string[],
  options: AskOptions,
  environment: Environment,
): Promise<void> => {
  if (question.trim() === "") throw new UsageFailure("The question is empty.");
  if (files.length > 0 && (options.partition ?? options.document ?? options.server) !== undefined)
    throw new UsageFailure(
      "With files the answer comes from those files only: --partition, --document and --server do not go with them.",
    );
  if (files.length > 0) await askFiles(question, files, options, environment);
  else await withClient(options, environment, (client) => answerFrom(client, question, options, environment));
};

/** Answers from the files alone: they go into a temporary store. */
const askFiles = async (
  question: string,
  files: readonly string[],
  options: AskOptions,
  environment: Environment,
): Promise<void> => {
  const { config } = await loadConfig({ file: options.config, env: environment.env, cwd: environment.cwd });
  const temporary = await ensureTemporaryFolder(environment.env, join(config.dataDir, "runtime/tmp"));
  const folder = await mkdtemp(join(temporary, "carrel-ask-"));
  try {
    const runtime = await runtimeFolder(config, environment.env, folder);
    // No events about documents that are removed when the command ends.
    const asked = { ...config, dataDir: join(folder, "data"), webhooks: [] };
    const client = await openInProcess(asked, {}, environment, { runtimeFolder: runtime });
    try {
      await putDocuments(client, findSources(files, environment), {}, ({ source, status, error }) => {
        if (status === "failed") throw new CommandFailure(`${source}: ${error}`);
        if (status === "skipped") environment.writeError(`skipped: ${source}: ${error}\n`);
      });
      await answerFrom(client, question, options, environment);
    } finally {
      await client.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const answerFrom = async (
  client: OperatorClient,
  question: string,
  options: AskOptions,
  { write, writeError, columns }: Environment,
): Promise<void> => {
  const body = {
    query: question,
    ...(options.document === undefined ? {} : { documentId: await findDocumentId(client, options.document) }),
    ...(options.partition === undefined ? {} : { partitionId: (await needPartition(client, options.partition)).id }),
    ...(options.snippets === undefined ? {} : { numberOfDocumentsInContext: options.snippets }),
  };
  if (options.json === true) {
    write(`${JSON.stringify(await readAnswer(await client.send("/api/query", jsonBody(body))), null, 2)}\n`);
    return;
  }
  const response = await client.send("/api/query", jsonBody({ ...body, stream: true }));
  if (!response.ok || response.body === null) throw new CommandFailure(await problemOf(response));
  const printer = createMarkdownPrinter(write, columns);
  for await (const { event, data } of serverEvents(response.body)) {
    if (event === "delta") printer.add((data as { text: string }).text);
    else if (event === "error") throw new CommandFailure((data as { detail: string }).detail);
    else if (event === "done") {
      const answer = data as Answer;
      printer.end();
      write(`${sourcesOf(answer)}${computedLine(answer)}`);
      const doubt = doubtOf(answer.receipt);
      if (doubt !== null) writeError(`note: ${doubtWords[doubt]}\n`);
      if (answer.receipt.asked.kind === "question" && answer.receipt.searched.documents === 0)
        writeError("note: There are no documents here yet: `carrel ingest` adds files, folders and web addresses.\n");
      for (const warning of answer.receipt.warnings) writeError(`note: ${warning}\n`);
      return;
    }
  }
  throw new CommandFailure("The answer ended before it was complete.");
};

const computedLine = ({ relevantDocuments, receipt: { computed } }: Answer): string => {
  if (computed === null) return "";
  const name = relevantDocuments.find(({ id }) => id === computed.documentId)?.name ?? computed.documentId;
  return `\n${escapeControls(computedWords(computed, name))}\n`;
};

/** `[1] handbook.pdf, page 3, Cooling > Pumps`, for each mark in the answer. */
const sourcesOf = ({ answer, relevantDocuments, relevantSnippets }: Answer): string => {
  const used = new Set([...answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)));
  const lines = relevantSnippets.flatMap(({ metadata: { documentUploadId, page, headings } }, index) => {
    if (!used.has(index + 1)) return [];
    const name = relevantDocuments.find(({ id }) => id === documentUploadId)?.name ?? documentUploadId;
    const place = [page === null ? "" : `page ${page}`, headings.join(" > ")].filter((part) => part !== "");
    return [`[${index + 1}] ${escapeControls([name, ...place].join(", "))}\n`];
  });
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
};
