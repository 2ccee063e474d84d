import { X509Certificate } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, messageOf } from "../../domain/errors.ts";
import { fetchFromSocket } from "../../runtime/operator-socket.ts";
import { type LockHolder, readLockHolder } from "../../store/disk/lock.ts";
import { StoreTooNewError } from "../../store/migrations/migrations.ts";
import { StoreDamagedError } from "../../store/recovery/check-table.ts";
import type { Refusal } from "../../store/recovery/known-tables.ts";
import { inspectTables, type StoreReport } from "../../store/recovery/known-tables.ts";
import { CertificateFault, readCertificate } from "../../system/read-certificate.ts";
import { type Check, type DoctorContext, failed, fine, prepareTables, type Told, warning } from "./finding.ts";

/** The server that runs on a data folder. */
interface RunningServer {
  holder: LockHolder | null;
  /** Status of its `/health/ready`; null if it does not answer. */
  status: string | null;
  /** The codes that it gives with the status. */
  problems: readonly unknown[];
  /** " on http://…, process 12", for a sentence. */
  at: string;
}

const answerWithinMs = 10_000;

/** Asks over the socket, and reads the lock file without taking the lock. @returns null where no server runs */
const runningServer = async (dataDir: string, signal: AbortSignal): Promise<RunningServer | null> => {
  const holder = await readLockHolder(dataDir);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  try {
    const response = await fetchFromSocket(dataDir, "/health/ready", { signal: limit });
    if (response === null) return null;
    const body = (await response.json()) as { status?: unknown; problems?: unknown };
    const status = typeof body.status === "string" ? body.status : null;
    return { holder, status, problems: Array.isArray(body.problems) ? body.problems : [], at: describe(holder) };
  } catch {
    signal.throwIfAborted();
    return { holder, status: null, problems: [], at: describe(holder) };
  }
};

const describe = (holder: LockHolder | null): string =>
  holder === null ? "" : `${holder.address === null ? "" : ` on ${holder.address}`}, process ${holder.pid}`;

export const portCheck: Check = {
  name: "port",
  isQuick: false,
  async run({ config, signal }) {
    const { host, port } = config.server;
    const running = await runningServer(config.dataDir, signal);
    if (running !== null) return [fine(`The server of this data folder runs${running.at}.`)];
    if (port === 0) return [fine("server.port is 0: any free port is taken.")];
    return [portFinding(host, port, portFault(host, port))];
  },
};

/** @returns the code of the failure; null where it is free */
const portFault = (hostname: string, port: number): string | null => {
  try {
    void Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
    return null;
  } catch (error) {
    return codeOf(error) ?? messageOf(error);
  }
};

const portFinding = (host: string, port: number, fault: string | null) => {
  if (fault === null) return fine(`Port ${port} of ${host} is free.`);
  if (fault === "EADDRINUSE")
    return failed(
      `Port ${port} of ${host} is taken by another program.`,
      `Set server.port (CARREL_SERVER_PORT) to a free one, or end the program: ss -ltnp 'sport = :${port}' names it.`,
    );
  if (fault === "EACCES")
    return failed(
      `This user may not listen on port ${port}.`,
      "Set server.port (CARREL_SERVER_PORT) to one from 1024 up, behind a reverse proxy.",
    );
  return failed(
    `Carrel cannot listen on ${host}, port ${port} (${fault}).`,
    "Set server.host to an address of this machine: ip address lists them.",
  );
};

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
export const certificateFinding = (file: string, pem: string, now: number): Told => {
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

/** Whether what was deleted leaves the disk. Only the server that does it knows. */
export const erasureCheck: Check = {
  name: "erasure",
  isQuick: false,
  async run({ config: { dataDir }, signal }) {
    const running = await runningServer(dataDir, signal);
    if (running === null) return [fine("No server runs: what is left to be erased is erased after the next start.")];
    if (!running.problems.includes("erasure_failed"))
      return [fine(`What is deleted is erased from the disk${running.at}.`)];
    return [
      failed(
        `What was deleted could not be erased from the disk again and again${running.at}. It is not found any more, but its bytes are there.`,
        "Free some space where the disk is full. Else look at the log for `could not be erased`: it names the table and the row (docs/deletion.md).",
      ),
    ];
  },
};

/** Which file decides: one that lies in the working directory by chance is read too. Its faults stop the doctor before. */
export const settingsCheck: Check = {
  name: "settings",
  isQuick: true,
  run: async ({ settingsFile = null }) => [
    fine(
      settingsFile === null
        ? "No settings file was read: the defaults hold, and the variables that begin with CARREL_."
        : `Read from ${settingsFile}, and from the variables that begin with CARREL_.`,
    ),
  ],
};

export const storeCheck: Check = {
  name: "store",
  isQuick: false,
  async run(context) {
    const { config, signal } = context;
    const running = await runningServer(config.dataDir, signal);
    const found = running === null ? await checkAtRest(context) : [runningFinding(running)];
    return [...found, ...(await quarantineFindings(config.dataDir))];
  },
};

/** A running server checked its tables when it started; reading them all again would take its disk and memory. */
const runningFinding = (running: RunningServer): Told => {
  if (running.status === "ready") return fine(`A server runs on the store${running.at}, and is ready.`);
  if (running.status === "degraded") return fine(`A server runs on the store${running.at}; see integrity.`);
  if (running.status === null)
    return failed(`The server that runs on the store does not answer${running.at}.`, "Look at its log, or restart it.");
  return warning(
    `The server that runs on the store says that it is ${running.status}${running.at}.`,
    "Look at its log.",
  );
};

/** No server runs: the files of all tables are opened, as a start does, and nothing is moved. */
const checkAtRest = async (context: DoctorContext): Promise<Told[]> => {
  try {
    await prepareTables(context);
    return storeFindings(await inspectTables(context.config.dataDir));
  } catch (error) {
    if (error instanceof StoreTooNewError)
      return [failed(error.message, "Carrel does not start on it: start the version that it names, or a newer one.")];
    if (error instanceof StoreDamagedError)
      return [failed(error.message, "Make the data folder and what is in it belong to the user that Carrel runs as.")];
    throw error;
  }
};

const advice =
  "Start Carrel: it sets a broken version aside and uses the one before where it can, and says what it cannot (docs/recovery.md). Keep a copy of the data folder first.";

const missingAdvice = "Start Carrel: it makes the table again. docs/recovery.md says what is lost with it.";

const storeFindings = ({ tables, missing, refusal }: StoreReport): Told[] => {
  if (refusal !== null) return [refusalFinding(refusal)];
  if (tables.length === 0) return [fine("The store is empty.")];
  const faults = [
    ...tables
      .filter(({ fault }) => fault !== null)
      .map(({ name, fault }) => failed(`The table ${name} cannot be read: ${fault}`, advice)),
    ...missing.map(({ name, effect, refusal: why }) =>
      why === null
        ? warning(`The table ${name} is missing: at the next start, ${effect}.`, missingAdvice)
        : refusalFinding(why),
    ),
  ];
  if (faults.length > 0) return faults;
  const documents = tables.find(({ name }) => name === "documents")?.rows ?? 0;
  return [fine(`All ${tables.length} tables can be read. They hold ${documents} documents.`)];
};

/** Carrel does not start on such a store. */
const refusalFinding = ({ what, ways }: Refusal): Told =>
  failed(`${what}: Carrel does not start.`, `${ways.charAt(0).toUpperCase()}${ways.slice(1)} (docs/recovery.md).`);

const quarantineFindings = async (dataDir: string): Promise<Told[]> => {
  const names = await readdir(join(dataDir, "quarantine")).catch(() => []);
  if (names.length === 0) return [];
  return [
    warning(
      `${join(dataDir, "quarantine")} holds what was found damaged (${names.length} folders).`,
      "docs/recovery.md says what may be lost and how to get it back; delete the folder when it is settled.",
    ),
  ];
};
