import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { createStaticEmbedding } from "../providers/builtin/static/embedding.ts";
import { generateKey } from "../src/access/key.ts";
import type { IndexDescription } from "../src/domain/records.ts";
import { createLogger } from "../src/log/log.ts";
import { type RunningServer, type StartOptions, startServer } from "../src/program/start-server.ts";
import { analysisVersion } from "../src/text/analysis/analyze.ts";
import { atEnd } from "./at-end.ts";
import { type Answer, type CallOptions, callServer } from "./call-server.ts";
import { issueKey, type KeyOptions } from "./issue-key.ts";
import { putEmptyTables } from "./store/empty-store.ts";

/** Settings to differ in, section by section. */
export type ConfigChange = { [Section in keyof Config]?: Partial<Config[Section]> };

export interface TestServer extends RunningServer {
  /** An admin key of the organization `default`. */
  key: string;
  dataDir: string;
  config: Config;
  /** `fetch` of a path of this server with the admin key; `init.headers` go over it. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** `POST` of a JSON body. */
  post(path: string, body: unknown): Promise<Response>;
  /** One request, with the admin key where none is given; its answer, read to the end. */
  ask(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A new key, made in the store. */
  issueKey(options?: KeyOptions): Promise<string>;
}

export interface TestServerOptions extends StartOptions {
  /** Changes the settings further, below the level of sections. */
  configure?(config: Config): void;
  /** It goes on after the test or hook that starts it: who starts it stops it. */
  isKept?: boolean;
}

/** The settings of a server for a test: loopback, a free port, a silent log. */
export const testConfig = (dataDir: string, change: ConfigChange = {}): Config => {
  const config: Config = { ...structuredClone(defaultConfig()), dataDir };
  // No test loads a model in the background unless it asks for one.
  config.models.embedding.model = "static";
  const quiet: ConfigChange = { server: { port: 0 }, log: { level: "silent" } };
  for (const each of [quiet, change])
    for (const [name, section] of Object.entries(each))
      Object.assign(config, { [name]: merged(config[name as keyof Config], section) });
  return config;
};

const merged = (old: unknown, change: unknown): unknown =>
  typeof change === "object" && change !== null && !Array.isArray(change) ? { ...(old as object), ...change } : change;

let describedIndex: Promise<IndexDescription> | null = null;

/** The index of a first start, whatever model is configured. */
const staticIndex = (): Promise<IndexDescription> => {
  describedIndex ??= createStaticEmbedding().then(async ({ provider, model, revision, dimensions }) => ({
    provider,
    model,
    modelRevision: revision ?? "",
    dimensions: await dimensions(new AbortController().signal),
    analysisVersion,
  }));
  return describedIndex;
};

/**
 * The starter for tests of the whole server: on a free port, as `carrel serve` starts it, with a data directory of its
 * own. It is stopped, and the directory removed, with the test (`atEnd`). See `serveEndpoints` for a few operations alone.
 * @param dataDir an existing one, which then stays
 */
export const startTestServer = async (
  change: ConfigChange = {},
  { configure, isKept = false, ...options }: TestServerOptions = {},
  dataDir?: string,
): Promise<TestServer> => {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "carrel-test-")));
  const config = testConfig(folder, change);
  configure?.(config);
  if (dataDir === undefined && options.parts?.embeddings === undefined)
    await putEmptyTables(folder, await staticIndex());
  const adminKey = options.adminKey === undefined ? generateKey() : options.adminKey;
  const server = await startServer(config, { log: createLogger(config.log), ...options, adminKey });
  const { url, firstKey, program } = server;
  const key = adminKey ?? firstKey;
  if (key === null) throw new Error("this is no first start: give its adminKey");
  const call: TestServer["call"] = (path, init = {}) => {
    const headers = new Headers({ authorization: `Bearer ${key}` });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return fetch(`${url}${path}`, { ...init, headers });
  };
  const stop = async (): Promise<void> => {
    await server.stop();
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    ...server,
    key,
    dataDir: folder,
    config,
    call,
    post: (path, body) =>
      call(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    ask: (method, path, { key: given = key, ...rest } = {}) => callServer(url, method, path, { key: given, ...rest }),
    issueKey: (given) => issueKey(program.deps.store, given),
    stop: isKept ? stop : atEnd(stop),
  };
};
