import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { certificateCheck, certificateFinding } from "../../src/doctor/checks/certificate.ts";
import type { DoctorContext } from "../../src/doctor/finding.ts";
import { testConfig } from "../start-server.ts";

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

test("it is looked at where the settings name one", async () => {
  const config = testConfig("/nowhere");
  const context: DoctorContext = { config, env: {}, embedded: null, signal: new AbortController().signal };
  expect(await certificateCheck.run(context)).toEqual([]);
  Object.assign(config.server, { tls: { certificate: "/nowhere/fullchain.pem", key: null } });
  expect(await certificateCheck.run(context)).toMatchObject([
    { status: "failed", detail: "/nowhere/fullchain.pem does not exist." },
  ]);
});
