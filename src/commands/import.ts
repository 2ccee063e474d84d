import { CommandFailure } from "../domain/errors.ts";
import { fileOfKind, kinds } from "../portability/format.ts";
import { countedKinds, type Imported } from "../portability/import-run.ts";
import type { Environment } from "../program/environment.ts";
import { type ClientOptions, withClient } from "./client/client.ts";
import { createProgress, namedPath, printResult } from "./output/output.ts";
import { checkFolder, readManifest } from "./portability/check-folder.ts";
import { sendRecords } from "./portability/send-records.ts";

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
