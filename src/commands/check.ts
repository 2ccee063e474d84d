import { join } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { CommandFailure } from "../domain/command-failure.ts";
import { type CheckLine, checkReportJson } from "../health/check-routes.ts";
import type { Environment } from "../program/environment.ts";
import { prepareNativeAddon } from "../program/native-addon.ts";
import { runtimeFolder } from "../program/runtime-folder.ts";
import { checkStore } from "../store/recovery/check-store.ts";
import { StoreDamagedError } from "../store/recovery/check-table.ts";
import { tablesIn } from "../store/recovery/known-tables.ts";
import { problemOf, runningClient } from "./client/client.ts";
import { sizeText } from "./output/size.ts";
import { createProgress } from "./portability/progress.ts";

type Report = Extract<CheckLine, { kind: "report" }>;
type Show = (progress: { where: string; rows: number; bytes: number }) => void;

/**
 * `carrel check`: reads every row, file and index of the store, or has its server do it. Without a server nothing is changed
 * or mended. Fails where something is damaged.
 */
export const check = async (options: { config?: string; json?: boolean }, environment: Environment): Promise<void> => {
  const { env, cwd, write, stop } = environment;
  const { config } = await loadConfig({ file: options.config, env, cwd });
  const progress = createProgress(environment);
  const show: Show = ({ where, rows, bytes }) => progress.show(`${where}: ${rows} rows, ${sizeText(bytes)} checked`);
  try {
    const client = await runningClient(config.dataDir, stop);
    const report =
      client === null
        ? await checkAtRest(config, environment, show)
        : await lastLine(await client.send("/api/check", { method: "POST" }), show);
    progress.end();
    write(options.json === true ? `${JSON.stringify(withoutKind(report), null, 2)}\n` : inWords(report));
    const { length } = report.damage;
    if (length > 0) throw new CommandFailure(length === 1 ? "One thing is damaged." : `${length} things are damaged.`);
  } finally {
    progress.end();
  }
};

const checkAtRest = async (
  config: Parameters<typeof runtimeFolder>[0],
  { env, embedded, stop }: Environment,
  onProgress: Show,
): Promise<Report> => {
  const { dataDir } = config;
  try {
    if ((await tablesIn(dataDir)).length > 0)
      await prepareNativeAddon(embedded?.lancedb ?? null, await runtimeFolder(config, env, join(dataDir, "runtime")));
    return checkReportJson(await checkStore({ dataDir, onProgress }, stop));
  } catch (error) {
    if (error instanceof StoreDamagedError) throw new CommandFailure(error.message);
    throw error;
  }
};

/** The report at the end of the server's answer. */
const lastLine = async (response: Response, onProgress: Show): Promise<Report> => {
  if (!response.ok || response.body === null) throw new CommandFailure(await problemOf(response));
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of response.body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const line = JSON.parse(text) as CheckLine;
      if (line.kind === "progress") onProgress(line);
      else if (line.kind === "error") throw new CommandFailure(line.detail);
      else return line;
    }
  }
  throw new CommandFailure("The server ended the check without a report: look at its log.");
};

const withoutKind = ({ kind: _, ...report }: Report) => report;

const inWords = ({ rows, files, bytes, damage }: Report): string => {
  const lines = damage.map(({ kind, where, id, belongsTo, detail }) => {
    const names = [id === null ? "" : ` ${id}`, belongsTo === null ? "" : ` (of ${belongsTo})`].join("");
    return `damaged  ${kind} ${where}${names}: ${detail}`;
  });
  const sum = `${rows} rows, ${files} files and ${sizeText(bytes)} of files were compared`;
  const end = damage.length === 0 ? `${sum}: all is as it was written.` : `${sum}. docs/recovery.md says what to do.`;
  return `${[...lines, end].join("\n").replace(/[^\P{Cc}\n]+/gu, " ")}\n`;
};
