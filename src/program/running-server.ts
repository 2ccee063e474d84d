import { applySettings, changesBetween, type SettingChanges } from "../../config/changes.ts";
import type { Config } from "../../config/schema.ts";
import { recordChange } from "../access/record-change.ts";
import { noteSettings } from "../audit/notes.ts";
import type { RequestHandler } from "../http/handler.ts";
import { type Logger, setLogLevel } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { listenForOperator } from "../runtime/operator-socket.ts";
import type { Store } from "../store/contract.ts";
import type { Certificate } from "../system/read-certificate.ts";
import type { OpenProgram } from "./assemble-program.ts";
import type { ProgramSettings } from "./environment.ts";
import { type Listener, listen, listenerAddress } from "./listen.ts";
import { configuredPrincipal, createOperatorHandler } from "./operator.ts";
import { type ConfiguredCertificate, type FollowedCertificate, followCertificate } from "./tls/follow-certificate.ts";

export interface StartOptions extends ProgramSettings {
  log?: Logger;
  /** Accepted from the first request on, in place of a generated key. */
  adminKey?: string | null;
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
export const reloadSettings = async ({ config, store, log }: ReloadOptions, next: Config): Promise<SettingChanges> => {
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

/** Where a running server is reached: its port, and the socket in its data directory. */
export interface Listeners {
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
  handle: RequestHandler;
  store: Pick<Store, "organizations">;
  /** Takes when the certificate in use ends. */
  noteCertificate: Metrics["noteCertificate"];
  /** Null without TLS. */
  tls: ConfiguredCertificate | null;
  /** Shorter in tests than `lookEveryMs` (src/program/tls/follow-certificate.ts). */
  lookAtCertificateEveryMs?: number;
  log: Logger;
}

/** Opens both, the port first. @throws CommandFailure that names the setting to change */
export const openListeners = async (options: ListenerOptions): Promise<Listeners> => {
  const { config, handle, store, tls } = options;
  const listener = await listen(config.server, tls?.current ?? null, handle);
  const { port } = listener;
  const url = listenerAddress(config.server, port);
  const followed = tls === null ? null : follow(tls, listener, options);
  const closePort = async (): Promise<void> => {
    followed?.close();
    await listener.close();
  };
  try {
    const answer = createOperatorHandler(store, handle, url);
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
  tls: ConfiguredCertificate,
  listener: Listener,
  { noteCertificate, lookAtCertificateEveryMs: everyMs, log }: ListenerOptions,
): FollowedCertificate => {
  noteCertificate(tls.current.validTo);
  const renew = async (next: Certificate): Promise<void> => {
    await listener.renew(next);
    noteCertificate(next.validTo);
  };
  return followCertificate({ ...tls, renew, log, ...(everyMs === undefined ? {} : { everyMs }) });
};
