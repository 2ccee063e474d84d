import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DoctorContext } from "../../src/doctor/checks/finding.ts";
import { certificateCheck, certificateFinding } from "../../src/doctor/checks/server.ts";
import { hasOpenssl, makeCertificate } from "../program/tls/make-certificate.ts";
import { testConfig } from "../start-server.ts";

type Made = ReturnType<typeof makeCertificate>;

/** Valid for 90 days, for nobody. */
const pem = `-----BEGIN CERTIFICATE-----
MIIBgjCCASegAwIBAgIUKiKGuZxAec89kh/T0qdouI/DvGMwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLY2FycmVsLnRlc3QwHhcNMjYxMTIyMTQxNTE0WhcNMjcwMjIw
MTQxNTE0WjAWMRQwEgYDVQQDDAtjYXJyZWwudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABNwyGFSG+RRchWiGJM7g4Uf3LTi+bEAf/sNgw1VCPmXd64gn/Vj0
BXyG/rikZyIVUp9huOq39n5bdPcMCfNGc2yjUzBRMB0GA1UdDgQWBBRy2IiIj1nV
0Csyo/Cz1YrjfomItDAfBgNVHSMEGDAWgBRy2IiIj1nV0Csyo/Cz1YrjfomItDAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCu4G48iAcW/qN8eFJd
emq441nd0xcbrnGled7Athy+kwIhAPLl8+IMXFgi1sfi8d3FP/X0YhuBsro68xCf
5ltaWOJo
-----END CERTIFICATE-----`;
const { validFrom, validTo } = new X509Certificate(pem);
const day = 86_400_000;

test("a certificate is judged by its dates", () => {
  const status = (now: number) => certificateFinding("cert.pem", pem, now).status;
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  expect([from - day, from + day, to - 20 * day, to - 5 * day, to + day].map(status)).toEqual([
    "failed",
    "ok",
    "ok",
    "warning",
    "failed",
  ]);
  expect(certificateFinding("cert.pem", "not a certificate", from)).toMatchObject({ status: "failed" });
});

test("it is looked at where the settings name one, with its key", async () => {
  const config = testConfig("/nowhere");
  const context: DoctorContext = { config, env: {}, embedded: null, signal: new AbortController().signal };
  const look = async (certificate: string, key: string) => {
    Object.assign(config.server, { tls: { certificate, key, hstsMaxAgeSeconds: 0 } });
    return certificateCheck.run(context);
  };
  expect(await certificateCheck.run(context)).toEqual([]);
  expect(await look("/nowhere/fullchain.pem", "/nowhere/privkey.pem")).toMatchObject([
    { status: "failed", detail: expect.stringContaining("does not exist") },
  ]);
  if (!hasOpenssl) return;
  const folder = mkdtempSync(join(tmpdir(), "carrel-certificate-"));
  const [one, two] = ["one", "two"].map((name) => makeCertificate(join(folder, name), name)) as [Made, Made];
  expect(await look(one.certificate, one.key)).toMatchObject([{ status: "ok" }]);
  expect(await look(one.certificate, two.key)).toMatchObject([
    { status: "failed", detail: expect.stringContaining("does not belong to the certificate") },
  ]);
  rmSync(one.key);
  expect(await look(one.certificate, one.key)).toMatchObject([
    { status: "failed", detail: expect.stringContaining("privkey.pem does not exist") },
  ]);
  rmSync(folder, { recursive: true });
});
