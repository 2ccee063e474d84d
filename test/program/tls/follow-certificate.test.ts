import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../../../src/log/log.ts";
import { followCertificate } from "../../../src/program/tls/follow-certificate.ts";
import { readCertificate } from "../../../src/system/read-certificate.ts";
import { hasOpenssl, makeCertificate } from "./make-certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-follow-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Follows files that `put` replaces in place. */
const follow = async (name: string) => {
  const files = makeCertificate(join(folder, name), name);
  const renewals: string[] = [];
  const lines: string[] = [];
  const clock = { now: Date.now() };
  const followed = followCertificate({
    files,
    current: await readCertificate(files),
    renew: async ({ certificate }) => void renewals.push(certificate),
    log: createLogger({ level: "info", format: "json" }, (line) => lines.push(line)),
    everyMs: 3_600_000,
    secondLookMs: 1,
    now: () => clock.now,
  });
  await followed.look();
  const put = (of: { certificate: string; key: string }): void => {
    writeFileSync(files.certificate, readFileSync(of.certificate));
    writeFileSync(files.key, readFileSync(of.key));
  };
  return { clock, files, followed, put, renewals, logged: () => lines.join("") };
};

/** Makes all files as long as the longest is. */
const pad = (paths: readonly string[]): void => {
  for (const path of paths) writeFileSync(path, readFileSync(path, "utf8").padEnd(4_096, "\n"));
};

describe.skipIf(!hasOpenssl)("the files of a certificate", () => {
  test("a chain that is added to the same certificate is taken", async () => {
    const { files, followed, renewals } = await follow("chain");
    const root = readFileSync(makeCertificate(join(folder, "root"), "root").certificate, "utf8");
    writeFileSync(files.certificate, readFileSync(files.certificate, "utf8") + root);
    await followed.look();
    expect(renewals).toEqual([expect.stringContaining(root)]);
    await followed.look();
    expect(renewals).toHaveLength(1);
    followed.close();
  });

  test("what changed without another length or time is noticed, such as rights that were given later", async () => {
    const { files, followed, put, renewals } = await follow("times");
    const next = makeCertificate(join(folder, "times-2"), "times-2");
    pad([files.certificate, files.key, next.certificate, next.key]);
    await followed.look();
    const before = [files.certificate, files.key].map((path) => [path, statSync(path)] as const);
    renewals.length = 0;
    put(next);
    for (const [path, { atime, mtime }] of before) utimesSync(path, atime, mtime);
    await followed.look();
    expect(renewals).toEqual([readFileSync(next.certificate, "utf8")]);
    followed.close();
  });

  test("one that does not hold yet is not taken before it does", async () => {
    const { clock, files, followed, put, renewals, logged } = await follow("early");
    const next = makeCertificate(join(folder, "early-2"), "early-2");
    const begins = new Date(clock.now + 86_400_000);
    const stamp = (time: Date) => time.toISOString().replace(/[-:T]|\.\d+/g, "");
    const request = join(folder, "request.pem");
    for (const command of [
      ["req", "-new", "-key", next.key, "-subj", "/CN=early-2", "-out", request],
      ["ca", "-selfsign", "-batch", "-notext", "-config", join(folder, "ca.cnf"), "-keyfile", next.key]
        .concat(["-startdate", stamp(begins), "-enddate", stamp(new Date(clock.now + 86_400_000 * 9))])
        .concat(["-in", request, "-out", next.certificate]),
    ]) {
      writeFileSync(
        join(folder, "ca.cnf"),
        `[ca]\ndefault_ca=x\n[x]\ndatabase=${folder}/index\nnew_certs_dir=${folder}\nserial=${folder}/serial\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n`,
      );
      writeFileSync(join(folder, "index"), "");
      writeFileSync(join(folder, "serial"), "01\n");
      const { exitCode, stderr } = Bun.spawnSync(["openssl", ...command]);
      expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
    }
    put(next);
    await followed.look();
    await followed.look();
    expect(renewals).toEqual([]);
    expect(logged().split("the new certificate begins on").length - 1).toBe(1);
    clock.now = begins.getTime();
    await followed.look();
    expect(renewals).toEqual([readFileSync(files.certificate, "utf8")]);
    followed.close();
  });
});
