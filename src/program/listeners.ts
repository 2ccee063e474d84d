import type { Config } from "../../config/schema.ts";
import type { RequestHandler } from "../http/handler.ts";
import type { Logger } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { listenForOperator } from "../runtime/operator-socket.ts";
import type { Store } from "../store/contract.ts";
import type { Certificate } from "../system/read-certificate.ts";
import { type Listener, listen, listenerAddress } from "./listen.ts";
import { createOperatorHandler } from "./operator.ts";
import { type ConfiguredCertificate, type FollowedCertificate, followCertificate } from "./tls/follow-certificate.ts";

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
