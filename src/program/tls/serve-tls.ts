import type { Config } from "../../../config/schema.ts";
import { CommandFailure } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import {
  type Certificate,
  CertificateFault,
  type CertificateFiles,
  readCertificate,
} from "../../system/read-certificate.ts";
import { day } from "./follow-certificate.ts";

/** The configured files; null without TLS. config/checks.ts has made sure that both or none are named. */
export const certificateFiles = ({ tls }: Pick<Config["server"], "tls">): CertificateFiles | null =>
  tls.certificate === null || tls.key === null ? null : { certificate: tls.certificate, key: tls.key };

/**
 * The certificate to start with. One that has ended or does not hold yet is used, with a warning: clients refuse it,
 * but a server that does not start can neither be reached nor renewed.
 * @throws CommandFailure where the files cannot be used
 */
export const startCertificate = async (files: CertificateFiles | null, log: Logger): Promise<Certificate | null> => {
  if (files === null) return null;
  try {
    const certificate = await readCertificate(files);
    const { names, validFrom, validTo } = certificate;
    if (validTo <= Date.now())
      log.warn({ names, until: day(validTo) }, "the certificate of server.tls has ended: clients will refuse it");
    if (validFrom > Date.now())
      log.warn({ names, from: day(validFrom) }, "the certificate of server.tls is not valid yet: check the clock");
    return certificate;
  } catch (error) {
    throw error instanceof CertificateFault ? new CommandFailure(error.message) : error;
  }
};
