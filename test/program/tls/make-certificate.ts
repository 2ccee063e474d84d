import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";

/** Certificates are made by the real `openssl`; where it is missing, the tests that need one are left out. */
export const hasOpenssl = Bun.which("openssl") !== null;

/** Makes `fullchain.pem` and `privkey.pem` for localhost in a folder. @param name common name, to tell them apart */
export const makeCertificate = (folder: string, name: string, ...options: string[]) => {
  mkdirSync(folder, { recursive: true });
  const files = { certificate: join(folder, "fullchain.pem"), key: join(folder, "privkey.pem") };
  const { exitCode, stderr } = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"],
    ...["-keyout", files.key, "-out", files.certificate, "-subj", `/CN=${name}`],
    ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
    ...(options.length > 0 ? options : ["-days", "30"]),
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return files;
};

/** Common name of the certificate that a server shows. */
export const shownName = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", servername: "localhost", rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.end();
    });
    socket.on("error", reject);
  });
