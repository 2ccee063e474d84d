import { loadConfig } from "../../config/load.ts";
import { checkData, type Report } from "../doctor/checks/integrity.ts";
import { CommandFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { createProgress, type OutputOptions, onePerLine, printResult, sizeText } from "./output/output.ts";

/**
 * `carrel check`: reads every row, file and index of the store, or has its server do it. Without a server nothing is changed
 * or mended. Fails where something is damaged.
 */
export const check = async (options: OutputOptions, environment: Environment): Promise<void> => {
  const { env, cwd, stop, embedded } = environment;
  const { config } = await loadConfig({ file: options.config, env, cwd });
  const progress = createProgress(environment);
  try {
    const report = await checkData({ config, env, embedded, signal: stop }, ({ where, rows, bytes }) =>
      progress.show(`${where}: ${rows} rows, ${sizeText(bytes)} checked`),
    );
    progress.end();
    const { kind: _, ...shown } = report;
    printResult(shown, () => inWords(report), options, environment);
    const { length } = report.damage;
    if (length > 0) throw new CommandFailure(length === 1 ? "One thing is damaged." : `${length} things are damaged.`);
  } finally {
    progress.end();
  }
};

const inWords = ({ rows, files, bytes, damage }: Report): string => {
  const lines = damage.map(({ kind, where, id, belongsTo, detail }) => {
    const names = [id === null ? "" : ` ${id}`, belongsTo === null ? "" : ` (of ${belongsTo})`].join("");
    return `damaged  ${kind} ${where}${names}: ${detail}`;
  });
  const sum = `${rows} rows, ${files} files and ${sizeText(bytes)} of files were compared`;
  const end = damage.length === 0 ? `${sum}: all is as it was written.` : `${sum}. docs/recovery.md says what to do.`;
  return onePerLine([...lines, end]);
};
