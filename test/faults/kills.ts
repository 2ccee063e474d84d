import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startFakeOllama } from "../../bench/embedder/fake-ollama.ts";
import { type KillableServer, startKillable } from "../../bench/serving/killable-server.ts";
import { generateKey } from "../../src/access/key.ts";
import { until } from "../until.ts";
import { audit } from "./audit.ts";
import { type Client, createClient } from "./client.ts";
import { createLanes, type Lane } from "./ledger.ts";
import { type MixedWrites, startMixedWrites } from "./mixed-writes.ts";
import { withPatience } from "./patience.ts";
import type { Random } from "./random.ts";
import type { Report } from "./report.ts";
import { auditStore, stopServer } from "./store-audit.ts";

export interface FaultRun {
  /** The program: the binary, or bun with its options and src/main.ts. */
  command: readonly string[];
  /** Of the server; its data lies in `data` under it. */
  folder: string;
  random: Random;
  report: Report;
  /** Tells how far the run is. */
  say(line: string): void;
  /** Whether what the server says of failures is not shown. */
  isQuiet?: boolean;
}

/** How the server is brought down: it gets the moment to choose and is dead afterwards. */
type BringDown = (server: KillableServer) => Promise<void>;

export interface RunningServer {
  server: KillableServer;
  url: string;
  client: Client;
}

export interface FaultStage {
  readonly lanes: Lane[];
  /** Starts the server. @returns null where it does not start, which is reported */
  start(moment: string): Promise<RunningServer | null>;
  /** Compares what the running server holds with what was acknowledged. */
  audit(running: RunningServer, moment: string, isThorough: boolean): Promise<void>;
  /** Lets the server be written to by all lanes. */
  write(running: RunningServer): MixedWrites;
  /** Starts the server, audits it, lets it be written to, and brings it down at a random moment. */
  round(moment: string, bringDown: BringDown): Promise<void>;
  /** Starts it once more, audits everything, over HTTP and in the store. */
  finish(): Promise<void>;
  stop(): Promise<void>;
}

const laneCount = 6;
const longestLifeMs = 1_500;
/** A server lives on until so many writes of its life are acknowledged, which a slow machine takes longer for. */
const leastWrites = 4;
/** A start, with whatever is put in order then, takes no longer. */
const mostStartMs = 60_000;
/** One start in so many has another embedding model than the one before. */
const roundsOfModel = 4;
/** One round in so many is killed before the server listens. */
const roundsOfEarlyKill = 8;
const roundsOfStoreAudit = 5;
/** Ends of a server's life at which nothing is being written, so that upkeep is interrupted. */
const shareOfQuietEnds = 0.3;

const modelSettings = (url: string, model: string | null): Record<string, string> =>
  model === null
    ? {}
    : {
        CARREL_MODELS_EMBEDDING_PROVIDER: "ollama",
        CARREL_MODELS_EMBEDDING_MODEL: model,
        CARREL_MODELS_EMBEDDING_BASE_URL: url,
      };

/** A data directory, the writers to it, and the book of what they were told. */
export const openStage = async ({
  command,
  folder,
  random,
  report,
  say,
  isQuiet = false,
}: FaultRun): Promise<FaultStage> => {
  const ollama = startFakeOllama();
  ollama.delayMs = 20;
  const key = generateKey();
  const lanes = createLanes(laneCount, random);
  const dataDir = join(folder, "data");
  let model: string | null = null;
  let server: KillableServer | null = null;
  let rounds = 0;
  const reported = new Set<string>();

  const launch = (): KillableServer => {
    const settings = { CARREL_ADMIN_KEY: key, ...modelSettings(ollama.url, model) };
    server = startKillable(command, folder, settings, isQuiet);
    return server;
  };

  const start: FaultStage["start"] = async (moment) => {
    const started = launch();
    const listening = await withPatience(
      started.url.then((url) => ({ url })),
      mostStartMs,
    );
    const url = listening?.url ?? null;
    if (url !== null) return { server: started, url, client: createClient(url, key) };
    report.starts.push(`${moment}: the server ${listening === null ? "does not listen" : "ended before it listened"}`);
    await started.kill();
    return null;
  };

  const auditRunning: FaultStage["audit"] = async ({ client, url }, moment, isThorough) => {
    try {
      await audit({ client, url, lanes, report, moment, reported }, isThorough);
    } catch (error) {
      report.answers.push(`${moment}: the audit could not be ended: ${error}`);
    }
  };

  const write: FaultStage["write"] = ({ client }) => startMixedWrites(client, lanes, report);

  await mkdir(folder, { recursive: true });
  return {
    lanes,
    start,
    audit: auditRunning,
    write,
    async round(moment, bringDown) {
      rounds += 1;
      if (rounds % roundsOfModel === 0)
        model = random.pick([null, "words-48", "words-64"].filter((one) => one !== model));
      if (rounds % roundsOfEarlyKill === 0) {
        const early = launch();
        await Bun.sleep(random.below(600));
        await bringDown(early);
      }
      let started = await start(moment);
      if (started === null) return;
      await auditRunning(started, moment, false);
      if (rounds % roundsOfStoreAudit === 0) {
        await stopServer(started.server, report, moment);
        await auditStore(dataDir, report, moment);
        started = await start(moment);
        if (started === null) return;
      }
      const { acknowledged } = report;
      const writes = write(started);
      await Bun.sleep(50 + random.below(longestLifeMs));
      await until(() => report.acknowledged >= acknowledged + leastWrites, "writes are acknowledged");
      writes.end();
      if (random.next() < shareOfQuietEnds) {
        // Upkeep of the tables begins a second after the last write.
        await writes.ended;
        await Bun.sleep(900 + random.below(700));
      }
      await bringDown(started.server);
      await writes.ended;
      const counts = lanes.map(({ documents }) => documents.length).reduce((sum, count) => sum + count);
      say(`${moment}: ${counts} documents, model ${model ?? "builtin"}`);
    },
    async finish() {
      const started = await start("at the end");
      if (started === null) return;
      const { client } = started;
      await auditRunning(started, "at the end", true);
      for (let left = 600; left > 0 && (await client.expect("GET", "/api/embedder")).building !== null; left -= 1)
        await Bun.sleep(100);
      const { active, building } = await client.expect("GET", "/api/embedder");
      if (building !== null || (model !== null && active.model !== model))
        report.lost.push(`at the end the model is ${JSON.stringify({ active, building })} instead of ${model}`);
      await auditRunning(started, "with the last model", true);
      await stopServer(started.server, report, "at the end");
      await auditStore(dataDir, report, "at the end");
    },
    async stop() {
      await server?.kill();
      await ollama.stop();
    },
  };
};

/** Starts the server alone, with one admin key. @returns null where it does not listen */
export const startAlone = async (
  { command, folder, isQuiet }: FaultRun,
  key: string,
): Promise<{ server: KillableServer; url: string } | null> => {
  const settings = { CARREL_ADMIN_KEY: key, CARREL_MODELS_EMBEDDING_MODEL: "static" };
  const server = startKillable(command, folder, settings, isQuiet);
  const url = await withPatience(server.url, mostStartMs);
  if (url !== null) return { server, url };
  await server.kill();
  return null;
};

/** Kills the server with SIGKILL at random moments of mixed writes. */
export const runKills = async (run: FaultRun, kills: number): Promise<void> => {
  const stage = await openStage(run);
  try {
    for (let kill = 1; kill <= kills; kill += 1) await stage.round(`kill ${kill}`, (server) => server.kill());
    await stage.finish();
  } finally {
    await stage.stop();
  }
};
