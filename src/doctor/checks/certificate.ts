import { X509Certificate } from "node:crypto";
import { CertificateFault, readCertificate } from "../../system/read-certificate.ts";
import { type Check, type Finding, failed, fine, warning } from "./finding.ts";

/** Certbot renews when 30 days are left: with fewer than this, renewing has failed for a while. */
const fewDays = 14;
const dayMs = 86_400_000;

export const certificateCheck: Check = {
  name: "certificate",
  isQuick: true,
  async run({ config }) {
    const { certificate, key } = config.server.tls;
    if (certificate === null || key === null) return [];
    try {
      const { certificate: pem } = await readCertificate({ certificate, key });
      return [certificateFinding(certificate, pem, Date.now())];
    } catch (error) {
      if (!(error instanceof CertificateFault)) throw error;
      return [
        failed(
          error.message,
          "Put the right files in place, readable by Carrel's user; they are taken within a minute.",
        ),
      ];
    }
  },
};

/** @param pem the first certificate in it is the server's own */
export const certificateFinding = (file: string, pem: string, now: number): Omit<Finding, "check"> => {
  const fix = "Renew the certificate, for example with certbot renew; Carrel reloads the file automatically.";
  try {
    const { validFrom, validTo } = new X509Certificate(pem);
    const until = new Date(validTo).toISOString().slice(0, 10);
    if (Date.parse(validTo) <= now) return failed(`The certificate in ${file} ended on ${until}.`, fix);
    if (Date.parse(validFrom) > now)
      return failed(`The certificate in ${file} begins on ${new Date(validFrom).toISOString()}.`, "Check the clock.");
    const days = Math.floor((Date.parse(validTo) - now) / dayMs);
    return days < fewDays
      ? warning(`The certificate in ${file} ends in ${days} days (${until}).`, fix)
      : fine(`The certificate in ${file} is valid until ${until}.`);
  } catch {
    return failed(`${file} holds no certificate.`, "Name a PEM file in server.tls.certificate, such as fullchain.pem.");
  }
};
