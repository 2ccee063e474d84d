import { join } from "node:path";
import { applySettings, changesBetween, type SettingChanges } from "../../config/changes.ts";
import type { SettingSources } from "../../config/entry.ts";
import type { Config } from "../../config/schema.ts";
import { recordChange } from "../access/record-change.ts";
import { auditRestoredNote } from "../audit/restored-note.ts";
import { noteSettings } from "../audit/settings-note.ts";
import { examineStart } from "../doctor/examine.ts";
import { createLogger, type Logger, setLogLevel } from "../log/log.ts";
import { logModelCheck } from "../models/check/check-models.ts";
import { configuredModels } from "../runtime/configured-models.ts";
import type { EmbeddedParts } from "../runtime/embedded-parts.ts";
import { listenForOperator } from "../runtime/operator-socket.ts";
import type { Store } from "../store/contract.ts";
import type { Certificate, CertificateFiles } from "../system/read-certificate.ts";
import type { Dependencies } from "./app.ts";
import type { OpenProgram } from "./assemble-program.ts";
import type { Parts } from "./environment.ts";
import { ensureAdminKey } from "./first-start.ts";
import { type Listener, listen, listenerAddress } from "./listen.ts";
import { openProgram } from "./open-program.ts";
import { configuredPrincipal, createOperatorHandler } from "./operator.ts";
import { type Follower, followSources, startBackgroundWork } from "./start-work.ts";
import {
  certificateFiles,
  type FollowedCertificate,
  followCertificate,
  startCertificate,
} from "./tls/follow-certificate.ts";
import { warmUp } from "./warm-up.ts";

interface ReloadOptions {
  /** Of the running server. */
  config: Config;
  store: Pick<Store, "audit" | "keys" | "organizations" | "secret">;
  log: Logger;
}

/**
 * Applies the settings of `next` that can change while the server runs, and logs which did and which need a restart.
 * The audit log of the organization `default` records it.
 */
const reloadSettings = async ({ config, store, log }: ReloadOptions, next: Config): Promise<SettingChanges> => {
  const changes = changesBetween(config, next);
  if (changes.live.length > 0) {
    const maker = { principal: await configuredPrincipal(store), address: "local", requestId: null };
    const details = { settings: changes.live };
    await recordChange({ store, log }, maker, { action: "settings.reloaded", targetId: null, details }, async () =>
      applySettings(config, next, changes.live),
    );
    await noteSettings({ config, store }).catch((err: unknown) =>
      log.warn({ err }, "the settings could not be noted: the audit log will name them again after the next start"),
    );
    if (changes.live.includes("log.level")) setLogLevel(log, config.log.level);
  }
  log.info({ changed: changes.live }, "the settings were read again");
  if (changes.fixed.length > 0)
    log.warn(
      { settings: changes.fixed },
      "settings have changed that need a restart: they stay as they are until then",
    );
  return changes;
};

export interface StartOptions {
  log?: Logger;
  embedded?: EmbeddedParts | null;
  /** Accepted from the first request on, in place of a generated key. */
  adminKey?: string | null;
  /** Where native parts are unpacked; `<dataDir>/runtime` where not given. */
  runtimeFolder?: string;
  parts?: Partial<Parts>;
  /** Where the settings were written. */
  settingSources?: SettingSources;
  /** The file that was read, absolute; null for none. */
  settingsFile?: string | null;
  /** See `ProgramOptions`. */
  eraseWithinMs?: number;
  /** See `ProgramOptions`. */
  upkeepCommand?: readonly string[];
  /** Shorter in tests than `lookEveryMs` (src/program/tls/follow-certificate.ts). */
  lookAtCertificateEveryMs?: number;
}

export interface RunningServer {
  /** `http://host:port` (`https` with TLS), without a slash at the end: where it listens, whatever `server.baseUrl` says. */
  url: string;
  port: number;
  /** The admin key that the first start generated; null on later starts and where one was given. */
  firstKey: string | null;
  program: OpenProgram;
  /**
   * Applies the settings of `next` that can change while the server runs, and looks at the certificate's files.
   * @returns which settings differ; those that are fixed stay as they are
   */
  reload(next: Config): Promise<SettingChanges>;
  /**
   * Refuses new requests (503; `/health/ready` says so), lets the running ones finish within `server.drainTimeoutMs`,
   * ends the rest, leaves unfinished documents `pending`, closes the store. A second call waits for the first.
   */
  stop(): Promise<void>;
}

/**
 * Starts the server as `carrel serve` does: store, first key, listener, operator's socket, waiting documents.
 * @throws CommandFailure, or Error that names who holds the data directory
 */
export const startServer = async (config: Config, options: StartOptions = {}): Promise<RunningServer> => {
  const log = options.log ?? createLogger(config.log);
  const runtime = options.runtimeFolder ?? join(config.dataDir, "runtime");
  const { embedded = null, parts = {}, eraseWithinMs, lookAtCertificateEveryMs, adminKey = null } = options;
  const files = certificateFiles(config.server);
  const certificate = await startCertificate(files, log);
  const program = await openProgram({
    config,
    log,
    embedded,
    runtimeFolder: runtime,
    parts,
    settingsFile: options.settingsFile ?? null,
    ...(options.settingSources === undefined ? {} : { settingSources: options.settingSources }),
    ...(eraseWithinMs === undefined ? {} : { eraseWithinMs }),
    ...(options.upkeepCommand === undefined ? {} : { upkeepCommand: options.upkeepCommand }),
  });
  const { store, lifecycle, modelStates } = program.deps;
  let listeners: Listeners | null = null;
  const followers: Follower[] = [];
  const closeFollowers = () => Promise.all(followers.map((follower) => follower.close()));
  const close = async () => {
    await closeFollowers();
    await listeners?.close();
    await program.close();
  };
  try {
    if (adminKey !== null) await ensureAdminKey(store, adminKey, log);
    listeners = await openListeners({
      config,
      program,
      tls: files === null || certificate === null ? null : { files, certificate },
      ...(lookAtCertificateEveryMs === undefined ? {} : { lookAtCertificateEveryMs }),
      log,
    });
    const { url, port, lookAtCertificate } = listeners;
    store.announce(url);
    await auditRestoredNote({ store, log }, config.dataDir);
    await startBackgroundWork(config, program.deps, url);
    // It is shown only once: generated when nothing can fail before it is shown.
    const firstKey = adminKey === null ? await ensureAdminKey(store, null, log) : null;
    lifecycle.ready();
    followers.push(warmUp({ ...program.deps, isBusy: () => lifecycle.active > 0 }));
    await followSources(config, program.deps, log, (follower) => followers.push(follower));
    // In the background: the checks neither stop nor delay the start.
    const stopChecks = new AbortController();
    void examineStart(
      { config, settingsFile: options.settingsFile ?? null, env: process.env, embedded, signal: stopChecks.signal },
      log,
    );
    if (options.parts === undefined)
      void logModelCheck(configuredModels(config, runtime, embedded, false), log, stopChecks.signal, modelStates);

    const stop = async () => {
      stopChecks.abort();
      await endWork(config, program.deps, closeFollowers);
      await close();
    };
    let stopping: Promise<void> | null = null;
    return {
      url,
      port,
      firstKey,
      program,
      async reload(next) {
        const changes = await reloadSettings({ config, store, log }, next);
        await lookAtCertificate();
        return changes;
      },
      stop() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Lets running requests finish within `server.drainTimeoutMs`, while the work in the background ends. */
const endWork = async (config: Config, deps: Dependencies, closeFollowers: () => Promise<unknown>): Promise<void> => {
  const { lifecycle, ingest, backups, log } = deps;
  // Documents in the queue are canceled at once: their state is stored, and the next start resumes them.
  const [cutOff] = await Promise.all([
    lifecycle.drain(config.server.drainTimeoutMs),
    ingest.close(),
    backups.close(),
    closeFollowers(),
  ]);
  if (cutOff > 0) log.warn({ requests: cutOff }, "requests were cut off at the end of server.drainTimeoutMs");
};

/** Where a running server is reached: its port, and the socket in its data directory. */
interface Listeners {
  /** `http://host:port` (`https` with TLS), without a slash at the end: where it listens, whatever `server.baseUrl` says. */
  url: string;
  port: number;
  /** Looks now whether the certificate's files changed. */
  lookAtCertificate(): Promise<void>;
  /** Stops listening and cuts off what is left. */
  close(): Promise<void>;
}

interface ListenerOptions {
  config: Config;
  program: OpenProgram;
  /** The certificate of `server.tls` with its files; null without TLS. */
  tls: { files: CertificateFiles; certificate: Certificate } | null;
  /** Shorter in tests than `lookEveryMs` (src/program/tls/follow-certificate.ts). */
  lookAtCertificateEveryMs?: number;
  log: Logger;
}

/** Opens both, the port first. @throws CommandFailure that names the setting to change */
const openListeners = async (options: ListenerOptions): Promise<Listeners> => {
  const { config, program, tls } = options;
  const listener = await listen(config.server, tls?.certificate ?? null, program.handle);
  const { port } = listener;
  const url = listenerAddress(config.server, port);
  const followed = tls === null ? null : follow(tls, listener, options);
  const closePort = async (): Promise<void> => {
    followed?.close();
    await listener.close();
  };
  try {
    const answer = createOperatorHandler(program.deps.store, program.handle, url);
    const socket = await listenForOperator(config.dataDir, answer);
    return {
      url,
      port,
      async lookAtCertificate() {
        await followed?.look();
      },
      async close() {
        await socket.close();
        await closePort();
      },
    };
  } catch (error) {
    await closePort();
    throw error;
  }
};

const follow = (
  { files, certificate }: NonNullable<ListenerOptions["tls"]>,
  listener: Listener,
  { program, lookAtCertificateEveryMs: everyMs, log }: ListenerOptions,
): FollowedCertificate => {
  const { metrics } = program.deps;
  metrics.noteCertificate(certificate.validTo);
  const renew = async (next: Certificate): Promise<void> => {
    await listener.renew(next);
    metrics.noteCertificate(next.validTo);
  };
  return followCertificate({ files, current: certificate, renew, log, ...(everyMs === undefined ? {} : { everyMs }) });
};
