import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { isWithin } from "../src/system/paths.ts";
import { readSmallFile, UnreadableFile } from "../src/system/read-small-file.ts";
import { contradictionsIn } from "./checks.ts";
import { emptySection, originOf, type SettingSources, sourcesOf } from "./entry.ts";
import { readEnvironment } from "./environment.ts";
import { ConfigError, type ConfigFault } from "./fault.ts";
import { type Positions, readEntry } from "./read.ts";
import { type Config, configSchema } from "./schema.ts";
import { shapeOf } from "./shape.ts";
import { readYaml } from "./yaml-source.ts";

/** No settings file is longer; a wrong path may lead to another file that is. */
const maxBytes = 1_048_576;

export interface LoadOptions {
  /** `--config`; undefined takes `CARREL_CONFIG`, else `carrel.yaml` in `cwd` if there is one. */
  file?: string | undefined;
  env: Record<string, string | undefined>;
  cwd: string;
}

interface LoadedConfig {
  /** `dataDir` and the paths of `folders` and `server.tls` are absolute, addresses have no final slash. */
  config: Config;
  /** The file that was read, absolute; null if there is none. */
  file: string | null;
  /** A `carrel.yaml` that was not read, since it lies in the data directory; null if there is none. */
  ignored: string | null;
  sources: SettingSources;
}

/**
 * The configuration from file and environment; the environment takes precedence.
 * @throws ConfigError that names every fault
 */
export const loadConfig = async ({ file, env, cwd }: LoadOptions): Promise<LoadedConfig> => {
  const named = file ?? (env.CARREL_CONFIG || undefined);
  const path = resolve(cwd, named ?? "carrel.yaml");
  const isIgnored = named === undefined && (await isInDataDir(path, env.CARREL_DATA_DIR, cwd));
  const text = isIgnored ? null : await readText(path, named !== undefined);
  const fileName = basename(path);
  const { root, faults, isBroken } =
    text === null ? { root: emptySection("the defaults"), faults: [], isBroken: false } : readYaml(text, fileName, env);
  const shape = shapeOf(configSchema);
  const environmentFaults = await readEnvironment(shape, root, env, cwd);
  const positions: Positions = new Map();
  const value = readEntry(shape, root, "", faults, positions);
  if (!Value.Check(configSchema, value)) throw new Error("the configuration as read does not fit its own schema");
  // After broken syntax nothing of the file was read, and settings would only seem to be missing.
  for (const { path: found, message } of isBroken ? [] : contradictionsIn(value)) {
    const where = asWritten(found, positions);
    const known = faults.some((fault) => fault.path === where || where.startsWith(`${fault.path}.`));
    if (!known) faults.push({ where: originOf(root, where) ?? "configuration", path: where, message });
  }
  // Otherwise what is restored or written there would become settings at the next start.
  if (named === undefined && text !== null && (await isInDataDir(path, value.dataDir, cwd)))
    faults.push({ where: originOf(root, "dataDir") ?? "configuration", path: "dataDir", message: ownFolder });
  faults.push(...environmentFaults);
  if (faults.length > 0) throw new ConfigError(inFileOrder(faults, fileName));
  return {
    config: complete(value, cwd),
    file: text === null ? null : path,
    ignored: isIgnored && (await isVisible(path)) ? path : null,
    sources: sourcesOf(shape, root),
  };
};

const ownFolder =
  "must not hold the settings file: settings are not read from the data directory. Move the file, or name it with --config or CARREL_CONFIG";

/**
 * Whether a settings file that nobody named lies in the data directory: a container, or a service, often works there. What
 * a backup or another program wrote into it must not be taken for settings.
 */
const isInDataDir = async (path: string, dataDir: string | undefined, cwd: string): Promise<boolean> => {
  if (dataDir === undefined || dataDir === "") return false;
  const folder = resolve(cwd, dataDir);
  return (await isWithin(folder, dirname(path))) || (await isWithin(folder, path)); // it may be a link
};

/** The defaults, without file and environment: for tests and for the temporary store of `carrel ask`. */
export const defaultConfig = (): Config => {
  const value = readEntry(shapeOf(configSchema), undefined, "", []);
  if (!Value.Check(configSchema, value)) throw new Error("the defaults do not fit their own schema");
  return value;
};

/** The path of a setting, with its index in the list as it was written. */
const asWritten = (path: string, positions: Positions): string =>
  path.replace(/^([^[]+)\[(\d+)\]/, (_, list: string, index: string) => {
    const written = positions.get(list)?.[Number(index)] ?? Number(index);
    return `${list}[${written}]`;
  });

const readText = async (path: string, mustExist: boolean): Promise<string | null> => {
  const refuse = (message: string) => new ConfigError([{ where: path, path: "", message }]);
  try {
    const bytes = await readSmallFile(path, { maxBytes, what: "a configuration file" });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw refuse("is not UTF-8 text");
    if (error.code === "ENOENT") {
      if (!mustExist) return null;
      throw refuse("does not exist; `carrel init` writes one");
    }
    // `sudo -u carrel carrel …` in an administrator's home: whatever lies in that folder is not meant for this user.
    if (error.isForbidden && !mustExist && !(await isVisible(path))) return null;
    throw refuse(error.message);
  }
};

/** Whether this user may know that a file is there: its folder can be searched. */
const isVisible = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Faults of the file by line, then those of the environment. */
const inFileOrder = (faults: readonly ConfigFault[], fileName: string): ConfigFault[] => {
  const line = ({ where }: ConfigFault) =>
    where.startsWith(`${fileName}:`) ? Number.parseInt(where.slice(fileName.length + 1), 10) : Infinity;
  return [...faults].sort((a, b) => line(a) - line(b) || (a.where < b.where ? -1 : a.where > b.where ? 1 : 0) || 0);
};

const complete = (config: Config, cwd: string): Config => {
  const { server, models, parser } = config;
  return {
    ...config,
    dataDir: resolve(cwd, config.dataDir),
    store: {
      ...config.store,
      address: withoutSlash(config.store.address),
      cacheDir: absolute(config.store.cacheDir, cwd),
    },
    folders: config.folders.map((folder) => ({ ...folder, path: resolve(cwd, folder.path) })),
    server: {
      ...server,
      baseUrl: withoutSlash(server.baseUrl),
      tls: { ...server.tls, certificate: absolute(server.tls.certificate, cwd), key: absolute(server.tls.key, cwd) },
    },
    models: {
      answer: { ...models.answer, baseUrl: withoutSlash(models.answer.baseUrl) },
      embedding: {
        ...models.embedding,
        baseUrl: withoutSlash(models.embedding.baseUrl),
        model: models.embedding.model ?? "static",
      },
      reranker: { ...models.reranker, baseUrl: withoutSlash(models.reranker.baseUrl) },
    },
    parser: { ...parser, baseUrl: withoutSlash(parser.baseUrl) },
  };
};

const absolute = (path: string | null, cwd: string): string | null => (path === null ? null : resolve(cwd, path));

const withoutSlash = (address: string | null): string | null => address?.replace(/\/+$/, "") ?? null;
