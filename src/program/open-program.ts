import type { Stats } from "node:fs";
import { lstat, mkdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure, codeOf } from "../domain/errors.ts";
import { leaveShared } from "../replication/place.ts";
import type { EmbeddedParts } from "../runtime/embedded-parts.ts";
import { prepareNativeAddon } from "../runtime/native-addon.ts";
import { ensureTemporaryFolder } from "../runtime/runtime-folder.ts";
import { whyNotWritable } from "../system/faults.ts";
import { openTracer } from "../tracing/open-tracer.ts";
import { createPageFiles } from "../web/page-files.ts";
import type { OpenProgram } from "./assemble-program.ts";
import type { OpenStandardStore, ProgramOptions } from "./environment.ts";

/** What has to be there before a module of the store is imported. */
export const prepareNativeParts = async (
  dataDir: string,
  embedded: EmbeddedParts | null,
  runtimeFolder: string,
): Promise<void> => {
  await ensureTemporaryFolder(process.env, join(dataDir, "runtime/tmp"));
  await prepareNativeAddon(embedded?.lancedb ?? null, runtimeFolder);
};

/**
 * Prepares the machine (folders, LanceDB's addon), then opens the store and puts the parts together.
 * @throws CommandFailure, or what a part throws, each saying what to do
 */
export const openProgram = async (options: ProgramOptions): Promise<OpenProgram> => {
  const { config, log, embedded = null, parts = {} } = options;
  const { dataDir } = config;
  if (config.store.uri !== null && options.openStore === undefined)
    throw new CommandFailure(
      `The store is shared (${config.store.uri}): this command goes through a server that takes part in it. Start \`carrel serve\` with the same settings, or name one with --server.`,
    );
  const runtimeFolder = options.runtimeFolder ?? join(dataDir, "runtime");
  await makeDataDir(dataDir);
  await prepareNativeParts(dataDir, embedded, runtimeFolder);
  // Imported only now: LanceDB finds its addon when it is first imported.
  const { configuredModels } = await import("../runtime/configured-models.ts");
  const { createModels } = await import("./create-models.ts");
  const { openConfiguredStore } = await import("./open-configured-store.ts");
  const { assembleProgram } = await import("./assemble-program.ts");

  const tracer = await openTracer(config.tracing, log);
  const models = await createModels({ config, runtimeFolder, embedded, parts, tracer, log });
  const openStandard: OpenStandardStore = (replication) => openConfiguredStore(options, models.builtin, replication);
  const store = await (options.openStore ?? ((standard) => standard()))(openStandard);
  try {
    if (options.openStore === undefined) {
      const bucket = await leaveShared(dataDir);
      if (bucket !== null)
        log.warn({ bucket }, "the data directory was a part of a shared store, and is a store of its own from now on");
    }
    return await assembleProgram({
      ...options,
      store,
      models,
      tracer,
      checkedModels: configuredModels(config, runtimeFolder, embedded, false),
      pageFiles: createPageFiles(embedded?.pages ?? null),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** What Carrel keeps in the data directory (docs/architecture.md). Opening a pipe of such a name would wait for ever. */
const entries: Record<Kind, readonly string[]> = {
  file: ["lock", "secret", "reserve", "backups.json", "settings-seen.json", "restored.json", "damage.json"],
  folder: ["tables", "files", "frozen", "snapshots", "quarantine", "salvage", "runtime"],
  socket: ["carrel.sock"],
};

type Kind = "file" | "folder" | "socket";
const isOfKind: Record<Kind, (found: Stats) => boolean> = {
  file: (found) => found.isFile(),
  folder: (found) => found.isDirectory(),
  // A backup that was restored by hand may hold a file of its name, which is replaced.
  socket: (found) => !found.isDirectory(),
};

/** Makes the data directory, for its owner alone. @throws CommandFailure where it cannot be used */
export const makeDataDir = async (dataDir: string): Promise<void> => {
  if (process.platform !== "win32" && /[?\\\p{Cc}]/u.test(dataDir))
    throw new CommandFailure(
      `The path of the data directory ${JSON.stringify(dataDir)} contains a character that LanceDB cannot open (?, \\ or a control character): set dataDir (CARREL_DATA_DIR) to another one.`,
    );
  const advice = "set dataDir (CARREL_DATA_DIR) to a folder this user may write to.";
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    const fault = code === "EEXIST" ? "is not a folder" : `cannot be created (${code})`;
    throw new CommandFailure(`The data directory ${dataDir} ${fault}: ${advice}`);
  }
  // A full disk is no reason: what is stored can be read, and deleting makes room.
  const reason = await whyNotWritable(dataDir);
  if (reason !== null && ["EACCES", "EPERM", "EROFS"].includes(reason))
    throw new CommandFailure(
      `The data directory ${dataDir} cannot be written to (${reason}): give it to the user that Carrel runs as, mount its disk for writing, or ${advice}`,
    );
  for (const kind of ["file", "folder", "socket"] as const)
    for (const name of entries[kind]) await checkEntry(dataDir, name, kind);
};

/** @throws CommandFailure where an entry is there and is neither what it must be nor a link to that */
const checkEntry = async (dataDir: string, name: string, kind: Kind): Promise<void> => {
  const path = join(dataDir, name);
  const found = await stat(path).catch((error: unknown) => codeOf(error));
  if (found === null || typeof found === "string") {
    // A link that leads to nothing: to a disk that is not mounted, for example. Nothing is created in its place.
    const isLink = await lstat(path).then(
      (entry) => entry.isSymbolicLink(),
      () => false,
    );
    if (!isLink) return;
    const target = await readlink(path).catch(() => "somewhere else");
    throw new CommandFailure(
      `${path} is a link to ${target}, which cannot be reached (${found}). Mount or restore what it leads to, then start again.`,
    );
  }
  if (isOfKind[kind](found)) return;
  throw new CommandFailure(
    `${path} is not a ${kind}, as Carrel keeps it there. Move it away, or set dataDir (CARREL_DATA_DIR) to another folder.`,
  );
};
