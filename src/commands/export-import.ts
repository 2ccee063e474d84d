import { loadConfig } from "../../config/load.ts";
import { CommandFailure } from "../domain/errors.ts";
import { fileOfKind, kinds } from "../portability/format.ts";
import { countedKinds, type Imported } from "../portability/import-run.ts";
import type { Environment } from "../program/environment.ts";
import { diskFault } from "../system/faults.ts";
import { type ClientOptions, openClient, problemOf, withClient } from "./client/client.ts";
import { assertOutside, createProgress, namedPath, printResult } from "./output/output.ts";
import { checkFolder, readManifest } from "./portability/check-folder.ts";
import { assertExportFolder, makeExportFolder, writeExport } from "./portability/export-folder.ts";
import { sendRecords } from "./portability/send-records.ts";

/** `carrel export`: writes everything an organization holds into a folder, also while a server runs. */
export const exportTo = async (target: string, options: ClientOptions, environment: Environment): Promise<void> => {
  const { env, cwd } = environment;
  const folder = namedPath(target, cwd);
  if (options.server === undefined) {
    const { config } = await loadConfig({ file: options.config, env, cwd });
    await assertOutside(folder, config.dataDir, "the data directory");
  }
  // Before the server is asked: it records who exports.
  await assertExportFolder(folder);
  process.umask(0o077);
  const progress = createProgress(environment);
  const client = await openClient(options, environment);
  try {
    const response = await client.send("/api/export");
    if (!response.ok || response.body === null) throw new CommandFailure(await problemOf(response));
    await makeExportFolder(folder);
    const manifest = await writeExport(response.body, folder, ({ document, chat, message }) =>
      progress.show(`${document} documents, ${chat} chats, ${message} messages exported`),
    );
    progress.end();
    if (options.json === true) environment.write(`${JSON.stringify(manifest, null, 2)}\n`);
    else {
      const { files, originals } = manifest;
      const count = (name: keyof typeof files): number => files[name].records;
      environment.write(
        `Exported ${count("partitions.ndjson")} partitions, ${count("documents.ndjson")} documents with ${originals.files} files, ${count("chats.ndjson")} chats and ${count("messages.ndjson")} messages to ${folder}\n`,
      );
    }
  } catch (error) {
    if ((error as { syscall?: string }).syscall === undefined) throw error;
    throw new CommandFailure(`The export cannot be written to ${folder}: ${diskFault(error)}.`);
  } finally {
    progress.end();
    await client.close();
  }
};

/** `carrel import`: takes an export into an organization, also while a server runs. Records that are already stored are kept. */
export const importFrom = async (source: string, options: ClientOptions, environment: Environment): Promise<void> => {
  const folder = namedPath(source, environment.cwd);
  const manifest = await readManifest(folder);
  const progress = createProgress(environment);
  const total = kinds.reduce((sum, kind) => sum + manifest.files[fileOfKind[kind]].records, 0);
  try {
    let checked = 0;
    await checkFolder(folder, manifest, () => {
      checked += 1;
      progress.show(`${checked} of ${total} records checked`);
    });
    await withClient(options, environment, async (client) => {
      const counts = await sendRecords(client, folder, (kind, records) =>
        progress.show(`${records} of ${manifest.files[fileOfKind[kind]].records} ${kind}s imported`),
      );
      progress.end();
      printResult(counts, inWords, options, environment);
      if (counts.leftOut.some(({ code }) => code === "quota_reached"))
        throw new CommandFailure("Not everything was imported: a quota is reached. Make room, and import once more.");
    });
  } finally {
    progress.end();
  }
};

const inWords = (imported: Imported): string => {
  const counts = countedKinds.map((kind) => {
    const { added, present, kept, skipped } = imported[kind];
    const notes = [
      `${added} added`,
      `${present} already here`,
      ...(kept > 0 ? [`${kept} changed since and kept as they are here`] : []),
      ...(skipped > 0 ? [`${skipped} left out`] : []),
    ];
    return `${kind.padEnd(10)}  ${notes.join(", ")}\n`;
  });
  const reasons = imported.leftOut.map(({ kind, count, reason, first }) => {
    const from = first === null ? "" : `, the first is ${first}`;
    return `left out    ${count} of the ${kind}${from}: ${reason}\n`;
  });
  return [...counts, ...reasons].join("");
};
