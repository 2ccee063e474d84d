import { rm } from "node:fs/promises";
import type { Answer, Client } from "./client.ts";
import { type FaultRun, type FaultStage, openStage, type RunningServer } from "./kills.ts";
import { known } from "./ledger.ts";
import type { Report } from "./report.ts";
import { createBallast, mountSmallDisk, unmountSmallDisk } from "./small-disk.ts";

/** With so little left the store refuses what grows. */
const nearlyFullBytes = 66 * 1024 ** 2;

const isRefusal = ({ status, body }: Answer): boolean => status === 503 && body?.code === "storage_unavailable";

/** Reading goes on whatever the disk does. */
const auditReads = async ({ client }: RunningServer, stage: FaultStage, report: Report, moment: string) => {
  const settled = stage.lanes.flatMap(({ documents }) => documents.filter((entry) => known(entry) !== null));
  const entry = settled.find(({ id }) => id !== null);
  const state = entry === undefined ? null : known(entry);
  for (const [method, path, body] of [
    ["GET", "/api/document?limit=100", null],
    ["GET", "/api/chat", null],
    ["POST", "/api/search", { query: "Where is the reading room?" }],
    ["GET", entry === undefined ? "/api/key" : `/api/document/${entry.id}`, null],
  ] as const) {
    const answer = await client.call(method, path, body);
    report.searched += 1;
    if (answer.status !== 200) report.answers.push(`${moment}: ${method} ${path} answers ${answer.status}`);
    if (entry !== undefined && path.endsWith(`/${entry.id}`) && answer.body?.name !== state?.name)
      report.lost.push(`${moment}: document ${entry?.serial} reads as ${answer.body?.name}`);
  }
};

const send = (client: Client, text: string): Promise<Answer> =>
  client.call("POST", "/api/ingest", { name: "Filler", text, metadata: { externalId: "filler" } });

/** Deletes until one is done: there is to be room for that on a full disk. */
const deleteOne = async ({ client }: RunningServer, id: string, report: Report, moment: string): Promise<void> => {
  let last: Answer | null = null;
  for (let tries = 0; tries < 5; tries += 1) {
    last = await client.call("DELETE", `/api/document/${id}`);
    if (last.status === 200) return;
    await Bun.sleep(200);
  }
  report.answers.push(`${moment}: a document cannot be deleted: ${last?.status} ${JSON.stringify(last?.body)}`);
};

/** After space is free again the store looks once a second. */
const untilWritable = async ({ client }: RunningServer, report: Report, moment: string): Promise<string | null> => {
  let last: Answer | null = null;
  for (let tries = 0; tries < 50; tries += 1) {
    last = await send(client, "There is room again.");
    if (last.status === 200) return last.body.id;
    await Bun.sleep(200);
  }
  report.answers.push(`${moment}: nothing is written though there is room: ${last?.status}`);
  return null;
};

/**
 * Fills the disk under the server: until it refuses to write by itself, and then, as another program would, to the last
 * byte in the middle of mixed writes; kills it there and starts it on the full disk.
 * @param run its folder is an empty one, where a small tmpfs is mounted
 * @returns null, or why nothing was done
 */
export const runFullDisk = async (run: FaultRun, rounds: number): Promise<string | null> => {
  const { report, say } = run;
  const failure = await mountSmallDisk(run.folder);
  if (failure !== null) return failure;
  const ballast = createBallast(run.folder);
  const stage = await openStage(run);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const moment = `full disk ${round}`;
      let running = await stage.start(moment);
      if (running === null) return null;
      await stage.audit(running, moment, false);
      const id = await untilWritable(running, report, moment);

      await ballast.growUntil(nearlyFullBytes);
      let refused: Answer = { status: 0, body: null, headers: new Headers() };
      for (let sent = 0; sent < 200 && refused.status !== 503; sent += 1)
        refused = await send(running.client, `${"The reading room is full of boxes. ".repeat(4_000)} ${sent}`);
      if (!isRefusal(refused)) report.answers.push(`${moment}: an ingest answers ${refused.status}`);
      await auditReads(running, stage, report, moment);
      if (id !== null) await deleteOne(running, id, report, moment);
      await ballast.remove();
      await untilWritable(running, report, moment);
      await removeFillers(running);

      const writes = stage.write(running);
      await Bun.sleep(300);
      await ballast.growUntil(0);
      await Bun.sleep(1_200);
      writes.end();
      await writes.ended;
      await auditReads(running, stage, report, `${moment}, no byte left`);
      await running.server.kill();
      await ballast.growUntil(0);

      running = await stage.start(`${moment}, on a full disk`);
      if (running !== null) {
        await auditReads(running, stage, report, `${moment}, started on a full disk`);
        await ballast.remove();
        await untilWritable(running, report, moment);
        await removeFillers(running);
        await stage.audit(running, moment, true);
        await running.server.kill();
      }
      await ballast.remove();
      say(`${moment}: done`);
    }
    await stage.finish();
    return null;
  } finally {
    await stage.stop();
    await unmountSmallDisk(run.folder);
    await rm(run.folder, { recursive: true, force: true });
  }
};

/** What the filling left is nobody's in the book. */
const removeFillers = async ({ client }: RunningServer): Promise<void> => {
  for (;;) {
    const fillers = await client.expect("GET", "/api/document?searchValue=Filler&limit=100");
    if (fillers.length === 0) return;
    for (const { id } of fillers) await client.call("DELETE", `/api/document/${id}`);
  }
};
