import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";

/** Certificates are made by the real `openssl`; where it is missing, the tests that need one are left out. */
export const hasOpenssl = Bun.which("openssl") !== null;

/** Makes `fullchain.pem` and `privkey.pem` for localhost in a folder. @param name common name, to tell them apart */
export const makeCertificate = (folder: string, name: string) => {
  mkdirSync(folder, { recursive: true });
  const files = { certificate: join(folder, "fullchain.pem"), key: join(folder, "privkey.pem") };
  const { exitCode, stderr } = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"],
    ...["-keyout", files.key, "-out", files.certificate, "-subj", `/CN=${name}`],
    ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
    ...["-days", "30"],
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return files;
};

/** The same as one that ends at once. */
export const makeEndedCertificate = (folder: string, name: string) => {
  const files = makeCertificate(folder, name);
  const request = join(folder, "request.pem");
  for (const args of [
    ["req", "-new", "-key", files.key, "-subj", `/CN=${name}`, "-out", request],
    ["x509", "-req", "-in", request, "-signkey", files.key, "-days", "0", "-out", files.certificate],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args]);
    if (exitCode !== 0) throw new Error(stderr.toString());
  }
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
