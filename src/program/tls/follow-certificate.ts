import { stat } from "node:fs/promises";
import type { Config } from "../../../config/schema.ts";
import { CommandFailure, messageOf } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import {
  type Certificate,
  CertificateFault,
  type CertificateFiles,
  readCertificate,
} from "../../system/read-certificate.ts";

/** How often the files are looked at: a renewed certificate comes weeks before the old one ends. */
const lookEveryMs = 60_000;
/** Between the two files of a renewal, one does not fit the other yet. */
const secondLookMs = 1_000;

interface FollowOptions extends ConfiguredCertificate {
  /** Puts another certificate in use; running requests continue. */
  renew(certificate: Certificate): Promise<void>;
  log: Logger;
  everyMs?: number;
  secondLookMs?: number;
  /** Epoch ms. */
  now?: () => number;
}

/** Watches the certificate's files. */
export interface FollowedCertificate {
  /** Looks now, not at the next turn; resolves when what was found is in use or refused. */
  look(): Promise<void>;
  close(): void;
}

/**
 * Puts a certificate in use as soon as its files hold it. What the paths lead to counts, so that a swapped link is
 * noticed. Files that cannot be used are reported once, and the certificate before stays in use.
 */
export const followCertificate = (options: FollowOptions): FollowedCertificate => {
  const { files, renew, log, now = Date.now } = options;
  let { current } = options;
  /** The files when they were last read. */
  let seen: string | null = null;
  /** From when a certificate can be used that does not hold yet (epoch ms). */
  let holdsFrom = Number.POSITIVE_INFINITY;
  let looking: Promise<void> = Promise.resolve();
  let isClosed = false;

  const readTwice = async (): Promise<Certificate> => {
    try {
      return await readCertificate(files);
    } catch {
      await Bun.sleep(options.secondLookMs ?? secondLookMs);
      return await readCertificate(files);
    }
  };

  const look = async (): Promise<void> => {
    const state = await stateOf(files);
    if (isClosed || (state === seen && now() < holdsFrom)) return;
    holdsFrom = Number.POSITIVE_INFINITY;
    try {
      const found = await readTwice();
      seen = state;
      // The chain too: the one that was forgotten at first is added to the same certificate.
      if (isClosed || (found.certificate === current.certificate && found.key === current.key)) return;
      if (found.validTo <= now()) throw new CertificateFault(`the new certificate ended on ${day(found.validTo)}`);
      if (found.validFrom > now()) {
        holdsFrom = found.validFrom;
        throw new CertificateFault(`the new certificate begins on ${new Date(found.validFrom).toISOString()}`);
      }
      await renew(found);
      current = found;
      log.info({ names: found.names, until: day(found.validTo) }, "the certificate of server.tls was renewed");
    } catch (error) {
      seen = state;
      log.error(
        { reason: messageOf(error), until: day(current.validTo) },
        "the certificate of server.tls cannot be renewed: the one before stays in use",
      );
    }
  };
  const lookInTurn = (): Promise<void> => {
    looking = looking.then(look);
    return looking;
  };

  const timer = setInterval(() => void lookInTurn(), options.everyMs ?? lookEveryMs);
  timer.unref();
  return {
    look: lookInTurn,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
};

const day = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** Changes with what the paths lead to, and with the rights of it. */
const stateOf = async ({ certificate, key }: CertificateFiles): Promise<string> => {
  const of = (path: string) =>
    stat(path).then(
      ({ dev, ino, size, mtimeMs, ctimeMs }) => `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`,
      (error: { code?: string }) => String(error.code),
    );
  return `${await of(certificate)} ${await of(key)}`;
};

/** A certificate in use, and where it is renewed. */
export interface ConfiguredCertificate {
  files: CertificateFiles;
  current: Certificate;
}

/**
 * The certificate to start with; null without TLS. One that has ended or does not hold yet is used, with a warning: clients refuse it,
 * but a server that does not start can neither be reached nor renewed.
 * @throws CommandFailure where the files cannot be used
 */
export const startCertificate = async (
  { certificate, key }: Config["server"]["tls"],
  log: Logger,
): Promise<ConfiguredCertificate | null> => {
  // config/checks.ts has made sure that both or none are named.
  if (certificate === null || key === null) return null;
  const files = { certificate, key };
  try {
    const current = await readCertificate(files);
    const { names, validFrom, validTo } = current;
    if (validTo <= Date.now())
      log.warn({ names, until: day(validTo) }, "the certificate of server.tls has ended: clients will refuse it");
    if (validFrom > Date.now())
      log.warn({ names, from: day(validFrom) }, "the certificate of server.tls is not valid yet: check the clock");
    return { files, current };
  } catch (error) {
    throw error instanceof CertificateFault ? new CommandFailure(error.message) : error;
  }
};
