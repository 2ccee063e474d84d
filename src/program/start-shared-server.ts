import { lstat, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join, resolve } from "node:path";
import { applySettings, changesBetween } from "../../config/changes.ts";
import type { Config } from "../../config/schema.ts";
import { pause } from "../async/waiting.ts";
import { ApiError, CommandFailure, messageOf } from "../domain/errors.ts";
import type { RequestHandler } from "../http/handler.ts";
import { problemResponse } from "../http/problem.ts";
import type { Logger } from "../log/log.ts";
import { BucketFailure, configuredBucket, proveConditions, type SharedBucket } from "../replication/bucket.ts";
import { type Head, hasStore, readHead } from "../replication/head.ts";
import { HeadIsOldError, type Mirror, openMirror } from "../replication/mirror.ts";
import { type HeadWatch, holdsTables, mayMakeStore, ownId, takePlace, watchHead } from "../replication/place.ts";
import { DataDirInUseError, lockDataDir, type StoreLock } from "../store/disk/lock.ts";
import { loadLibc } from "../system/libc.ts";
import { ensureAdminKey } from "./first-start.ts";
import { listenerAddress } from "./listen.ts";
import { inUseFailure } from "./open-configured-store.ts";
import { makeDataDir, prepareNativeParts } from "./open-program.ts";
import {
  type Listeners,
  openListeners,
  type RunningServer,
  reloadSettings,
  type StartOptions,
} from "./running-server.ts";
import { becomeReader, becomeWriter, lookEveryMs, type Role, type SharedParts } from "./shared-roles.ts";
import { type ConfiguredCertificate, startCertificate } from "./tls/follow-certificate.ts";
import { warmUp } from "./warm-up.ts";
import { startWriterWork } from "./writer-work.ts";

/** Where the other processes reach this one. */
const ownAddress = ({ server, store }: Config, port: number): string => {
  if (store.address !== null) return store.address;
  if (!["0.0.0.0", "::", "[::]"].includes(server.host)) return listenerAddress(server, port);
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  return listenerAddress({ ...server, host: outer?.address ?? "127.0.0.1" }, port);
};

/** What of the store this machine has a copy of. */
const copied = ["tables", "files"] as const;

/** Puts the copies of tables and files into `store.cacheDir`, where that is set: the data directory leads to them. */
const linkCache = async (dataDir: string, cacheDir: string | null): Promise<void> => {
  if (cacheDir === null) return;
  for (const name of copied) {
    const target = join(resolve(cacheDir), name);
    await mkdir(target, { recursive: true, mode: 0o700 });
    const isThere = await lstat(join(dataDir, name)).then(
      () => true,
      () => false,
    );
    if (!isThere) await symlink(target, join(dataDir, name));
  }
};

const emptyCopies = async (dataDir: string): Promise<void> => {
  for (const name of copied)
    for (const entry of await readdir(join(dataDir, name)).catch((): string[] => []))
      await rm(join(dataDir, name, entry), { recursive: true, force: true });
};

/** Answers while this process has no part in the store. */
const notYet: RequestHandler = async (request) =>
  new URL(request.url).pathname === "/health/live" ? Response.json({ status: "live" }) : waiting(request);

const waiting = (request: Request): Response =>
  problemResponse(
    new ApiError("storage_unavailable", "This process is about to open the shared store: try again in a moment.", {
      headers: { "Retry-After": "1" },
    }),
    Bun.randomUUIDv7(),
    { path: new URL(request.url).pathname, baseUrl: new URL(request.url).origin },
  );

type SharedOptions = StartOptions & { log: Logger };

/**
 * Starts one of several servers that share a store in a bucket. One of them writes; the others answer questions from copies
 * of their own, send on what is to be written, and take the writer's place when it ends.
 * @throws CommandFailure, BucketFailure
 */
export const startSharedServer = async (config: Config, options: SharedOptions): Promise<RunningServer> => {
  const log = options.log.child({ part: "shared" });
  const { dataDir } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bucket = configuredBucket(config.store);
  const tls = await startCertificate(config.server.tls, options.log);
  await makeDataDir(dataDir);
  await linkCache(dataDir, config.store.cacheDir);
  const lock = await lockOf(dataDir);
  let id: string;
  try {
    await failingInWords(() => proveConditions(bucket, signal));
    const head = await failingInWords(() => readHead(bucket, signal));
    id = await failingInWords(() => ownId(dataDir, bucket, head === null));
    // What a machine without power has of the copy may be torn: all of it comes anew.
    if (lock.hasLostPower && head !== null && hasStore(head)) await emptyCopies(dataDir);
  } catch (error) {
    await lock.release(false);
    throw error;
  }
  return await runShared({ config, options, log, stopping, bucket, id, tls, lock });
};

const lockOf = (dataDir: string): Promise<StoreLock> =>
  lockDataDir(dataDir, loadLibc()).catch((error: unknown) => {
    throw error instanceof DataDirInUseError ? inUseFailure(error) : error;
  });

const failingInWords = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw error instanceof BucketFailure ? new CommandFailure(error.message, { cause: error }) : error;
  });

interface Running {
  config: Config;
  options: SharedOptions;
  log: Logger;
  stopping: AbortController;
  bucket: SharedBucket;
  id: string;
  tls: ConfiguredCertificate | null;
  lock: StoreLock;
}

/** A role, with what goes on beside its requests. */
interface Active extends Role {
  end(): Promise<void>;
}

const runShared = async (running: Running): Promise<RunningServer> => {
  const { config, options, log, stopping, bucket, id } = running;
  const { dataDir } = config;
  const { signal } = stopping;
  const { adminKey = null } = options;
  const runtimeFolder = options.runtimeFolder ?? join(dataDir, "runtime");
  const program = { ...options, config, runtimeFolder };
  await prepareNativeParts(dataDir, options.embedded ?? null, runtimeFolder);
  let lock: StoreLock | null = running.lock;
  let active: Active | null = null;
  let firstKey: string | null = null;
  let validTo: Parameters<Parameters<typeof openListeners>[0]["noteCertificate"]>[0] | null = null;

  const listeners: Listeners = await openListeners({
    config,
    handle: (request, connection) => (active?.program.handle ?? notYet)(request, connection),
    store: {
      get organizations() {
        if (active === null) throw new ApiError("storage_unavailable", "The shared store is not open yet.");
        return active.program.deps.store.organizations;
      },
    },
    noteCertificate(until) {
      validTo = until;
      active?.program.deps.metrics.noteCertificate(until);
    },
    tls: running.tls,
    ...(options.lookAtCertificateEveryMs === undefined
      ? {}
      : { lookAtCertificateEveryMs: options.lookAtCertificateEveryMs }),
    log: options.log,
  });
  const { url, port } = listeners;
  const self = { id, address: ownAddress(config, port) };

  const use = (next: Active): void => {
    active = next;
    if (validTo !== null) next.program.deps.metrics.noteCertificate(validTo);
  };

  const write = async (parts: SharedParts, taken: Head): Promise<{ lost: Promise<void> }> => {
    const former = active;
    const role = await becomeWriter(parts, taken, program, async () => {
      await lock?.release(false); // the store takes it, and looks at what the writer before left
      lock = null;
    });
    try {
      if (adminKey !== null) await ensureAdminKey(role.program.deps.store, adminKey, options.log);
      const { deps } = role.program;
      const work = await startWriterWork({ ...options, config, deps, url, runtimeFolder, adminKey, log: options.log });
      firstKey ??= work.firstKey;
      use({
        program: role.program,
        end: work.end,
        async close() {
          await work.close();
          await role.close();
        },
      });
    } catch (error) {
      await role.close();
      throw error;
    }
    log.info({ bucket: bucket.name, address: self.address }, "this process writes the shared store");
    if (former !== null) void letGo(former);
    return role;
  };

  const take = (head: Head | null): Promise<Head | null> =>
    takePlace(bucket, head, self, () => holdsTables(dataDir), signal);

  const read = async (parts: SharedParts, head: Head): Promise<{ taken: Promise<Head> }> => {
    const role = await becomeReader(parts, head, program, take);
    const { deps } = role.program;
    deps.lifecycle.ready();
    const warming = warmUp({ ...deps, isBusy: () => deps.lifecycle.active > 0 });
    use({
      program: role.program,
      end: async () => void (await deps.lifecycle.drain(config.server.drainTimeoutMs)),
      async close() {
        await warming.close();
        await role.close();
      },
    });
    log.info({ bucket: bucket.name, writer: head.keeper?.address ?? null }, "this process reads the shared store");
    return role;
  };

  /** Waits while another process makes the store, or brings it. @returns null: there is none, and no head */
  const untilMade = async (watch: HeadWatch): Promise<Head | null> => {
    for (let isTold = false; ; ) {
      const head = await watch.look(signal);
      if (head === null || hasStore(head) || mayMakeStore(head, id, watch.isFree())) return head;
      if (!isTold)
        log.info(
          { bucket: bucket.name, writer: head.keeper?.address },
          head.arriving
            ? "another process brings its store into the bucket: this one waits for it. Where that server is gone for good, empty the bucket to begin anew"
            : "another process makes the shared store: this one waits for it",
        );
      isTold = true;
      await pause(lookEveryMs, signal);
      signal.throwIfAborted();
    }
  };

  /** Brings the mirror to the newest head. */
  const adoptNewest = async (mirror: Mirror, look: () => Promise<Head | null>): Promise<Head | null> => {
    for (;;) {
      const readAt = performance.now();
      const head = await look();
      if (head === null) return null;
      try {
        await mirror.adopt(head, readAt, signal);
        await mirror.tidy();
        return head;
      } catch (error) {
        if (!(error instanceof HeadIsOldError)) throw error;
      }
    }
  };

  /** From one role to the next, until the server stops. @param onActive called when this process has its first */
  const live = async (onActive: () => void): Promise<void> => {
    while (!signal.aborted) {
      const mirror = await openMirror(bucket, dataDir);
      const watch = watchHead(bucket, id);
      const parts: SharedParts = { bucket, dataDir, cacheBytes: config.store.cacheBytes, mirror, watch, log };
      const made = await untilMade(watch);
      // Before the first tables are in the bucket, those of the data directory are all that there is.
      const head = made !== null && hasStore(made) ? await adoptNewest(mirror, () => watch.look(signal)) : made;
      let taken = watch.isFree() ? await take(head) : null;
      if (taken === null) {
        if (head === null || !hasStore(head)) continue; // another process makes the store
        const reading = await read(parts, head);
        onActive();
        taken = await untilAborted(reading.taken, signal);
        if (taken === null) return;
      }
      const { lost } = await write(parts, taken);
      onActive();
      if (
        (await untilAborted(
          lost.then(() => true),
          signal,
        )) === null
      )
        return;
      log.warn({ bucket: bucket.name }, "another process writes the shared store now: this one reads from here on");
      await leave();
      lock = await lockOf(dataDir);
    }
  };

  /** Requests that are being answered are finished first. */
  const letGo = async (former: Active): Promise<void> => {
    try {
      await former.end();
      await former.close();
    } catch (error) {
      log.warn({ error: messageOf(error) }, "the store of the former part was left unclosed");
    }
  };

  const leave = async (): Promise<void> => {
    const former = active;
    active = null;
    if (former !== null) await letGo(former);
  };

  const close = async (): Promise<void> => {
    stopping.abort(new Error("the server stops"));
    await leave();
    await listeners.close();
    await lock?.release(false);
    lock = null;
  };

  const opened = Promise.withResolvers<void>();
  const living = live(opened.resolve);
  living.catch((error: unknown) => {
    opened.reject(error);
    if (signal.aborted) return;
    log.fatal({ err: error }, "this process can no longer take part in the shared store: it ends");
  });
  try {
    await failingInWords(() => opened.promise);
  } catch (error) {
    await close();
    throw error;
  }
  living.catch(() => process.kill(process.pid, "SIGTERM"));

  let closing: Promise<void> | null = null;
  return {
    url,
    port,
    get firstKey() {
      return firstKey;
    },
    get program() {
      if (active === null) throw new Error("this process has no part in the shared store at the moment");
      return active.program;
    },
    async reload(next) {
      const deps = active?.program.deps;
      if (deps?.shared?.sendOn === null) {
        const changes = await reloadSettings({ config, store: deps.store, log: options.log }, next);
        await listeners.lookAtCertificate();
        return changes;
      }
      // The audit log is the writer's: its own settings stand in it.
      const changes = changesBetween(config, next);
      applySettings(config, next, changes.live);
      await listeners.lookAtCertificate();
      return changes;
    },
    stop() {
      closing ??= close();
      return closing;
    },
  };
};

/** @returns null where the signal fires first */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> => {
  const stopped = Promise.withResolvers<null>();
  const stop = (): void => stopped.resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener("abort", stop));
};
