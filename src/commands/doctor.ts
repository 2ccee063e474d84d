import { ConfigError, type ConfigFault, faultInWords } from "../../config/fault.ts";
import { loadConfig } from "../../config/load.ts";
import { newestBackup } from "../backup/journal.ts";
import type { Finding } from "../doctor/checks/finding.ts";
import { checkData, type Report } from "../doctor/checks/integrity.ts";
import { examine } from "../doctor/examine.ts";
import { CommandFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { createProgress, type OutputOptions, onePerLine, printResult, sizeText } from "./output/output.ts";

/** `carrel doctor`: looks at everything that Carrel needs. Fails where one check failed. */
export const doctor = async (
  options: OutputOptions,
  { env, cwd, write, embedded, stop }: Environment,
): Promise<void> => {
  const findings = await loadConfig({ file: options.config, env, cwd }).then(
    ({ config, file }) =>
      examine({
        config,
        settingsFile: file,
        env,
        embedded,
        newestBackup: () => newestBackup(config.dataDir),
        signal: stop,
      }),
    (error: unknown) => {
      if (error instanceof ConfigError) return error.faults.map(settingFinding);
      throw error;
    },
  );
  printResult(findings, () => findings.map(inWords).join(""), options, { write });
  const broken = findings.filter(({ status }) => status === "failed");
  if (broken.length > 0) throw new CommandFailure(summary(broken));
};

/** Nothing else can be looked at: the settings say where the data and the models are. */
const settingFinding = (fault: ConfigFault): Finding => ({
  check: "settings",
  status: "failed",
  detail: faultInWords(fault).replace(/[^?]$/, "$&."),
  fix: "Correct it; docs/configuration.md has every setting. The other checks are made once the settings can be read.",
});

const summary = (broken: readonly Finding[]): string =>
  `${broken.length === 1 ? "One check" : `${broken.length} checks`} failed: ${[...new Set(broken.map(({ check }) => check))].join(", ")}.`;

const inWords = ({ check, status, detail, fix }: Finding): string => {
  return onePerLine([`${status.padEnd(8)} ${check}: ${detail}`, ...(fix === null ? [] : [`         ${fix}`])]);
};

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
    printResult(shown, () => reportInWords(report), options, environment);
    const { length } = report.damage;
    if (length > 0) throw new CommandFailure(length === 1 ? "One thing is damaged." : `${length} things are damaged.`);
  } finally {
    progress.end();
  }
};

const reportInWords = ({ rows, files, bytes, damage }: Report): string => {
  const lines = damage.map(({ kind, where, id, belongsTo, detail }) => {
    const names = [id === null ? "" : ` ${id}`, belongsTo === null ? "" : ` (of ${belongsTo})`].join("");
    return `damaged  ${kind} ${where}${names}: ${detail}`;
  });
  const sum = `${rows} rows, ${files} files and ${sizeText(bytes)} of files were compared`;
  const end = damage.length === 0 ? `${sum}: all is as it was written.` : `${sum}. docs/recovery.md says what to do.`;
  return onePerLine([...lines, end]);
};
