import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { messageOf } from "../domain/errors.ts";
import { readSmallFile, type SmallFileOptions, UnreadableFile } from "./read-small-file.ts";

/** The paths of PEM files: certificate (with its chain) and private key. */
export interface CertificateFiles {
  certificate: string;
  key: string;
}

/** A certificate with its private key, checked to belong together. */
export interface Certificate {
  /** PEM: the server's own certificate, then its chain. */
  certificate: string;
  /** PEM. Never logged. */
  key: string;
  /** What it is for, such as `DNS:docs.example, IP Address:10.0.0.5`. */
  names: string;
  /** Epoch ms. */
  validFrom: number;
  validTo: number;
}

/** Why files cannot be used for TLS; the message names setting and file, and what to do. */
export class CertificateFault extends Error {
  override readonly name = "CertificateFault";
}

/** Certificates with their chains take some kilobytes. */
const certificateLimits: SmallFileOptions = { maxBytes: 1_048_576, what: "a PEM file" };

/** @throws CertificateFault */
export const readCertificate = async (files: CertificateFiles): Promise<Certificate> => {
  const [certificate, key] = await Promise.all([
    readPem("server.tls.certificate", files.certificate),
    readPem("server.tls.key", files.key),
  ]);
  const x509 = parseCertificate(certificate, files.certificate);
  const privateKey = parseKey(key, files.key);
  if (!x509.checkPrivateKey(privateKey))
    throw new CertificateFault(
      `server.tls.key: the key in ${files.key} does not belong to the certificate in ${files.certificate}. Name the two files of one certificate.`,
    );
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new CertificateFault(
      `server.tls.certificate: ${files.certificate} cannot be used for TLS (${messageOf(error)}).`,
    );
  }
  return {
    certificate,
    key,
    names: x509.subjectAltName ?? x509.subject,
    validFrom: Date.parse(x509.validFrom),
    validTo: Date.parse(x509.validTo),
  };
};

const readPem = async (setting: string, path: string): Promise<string> => {
  const refuse = (message: string) => new CertificateFault(`${setting}: ${path} ${message}.`);
  try {
    return (await readSmallFile(path, certificateLimits)).toString("utf8");
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    if (error.code === "EISDIR") throw refuse("is a folder; name the PEM file in it");
    if (error.isForbidden) throw refuse("cannot be read by the user that Carrel runs as");
    throw refuse(error.message);
  }
};

const parseCertificate = (pem: string, path: string): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new CertificateFault(
      `server.tls.certificate: ${path} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`,
    );
  }
};

const parseKey = (pem: string, path: string): KeyObject => {
  if (/ENCRYPTED/.test(pem))
    throw new CertificateFault(
      `server.tls.key: the key in ${path} is protected by a passphrase. Write it without one, readable by Carrel's user alone.`,
    );
  try {
    return createPrivateKey(pem);
  } catch {
    throw new CertificateFault(
      `server.tls.key: ${path} holds no private key in PEM form (-----BEGIN PRIVATE KEY-----).`,
    );
  }
};
