import { loadConfig } from "../../config/load.ts";
import { CommandFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { diskFault } from "../system/faults.ts";
import { type ClientOptions, openClient, problemOf } from "./client/client.ts";
import { assertOutside, createProgress, namedPath } from "./output/output.ts";
import { assertExportFolder, makeExportFolder, writeExport } from "./portability/export-folder.ts";

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
