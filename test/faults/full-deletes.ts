import { rm } from "node:fs/promises";
import { join } from "node:path";
import { generateKey } from "../../src/access/key.ts";
import { filesWith } from "../store/erasure/files-with.ts";
import { createClient } from "./client.ts";
import { type FaultRun, startAlone } from "./kills.ts";
import { createBallast, mountSmallDisk, unmountSmallDisk } from "./small-disk.ts";

const documentCount = 40;
/** A minute is promised; the rest is for a busy machine. */
const mostErasureMs = 180_000;

/**
 * Deletes documents while another program fills the disk to the last byte, and kills the server in the middle. Once there
 * is room again, the bytes of every delete that was acknowledged are to be gone from the disk, and the other documents
 * there.
 * @param run its folder is an empty one, where a small tmpfs is mounted
 * @returns null, or why nothing was done
 */
export const runFullDeletes = async (run: FaultRun, rounds: number): Promise<string | null> => {
  const { report, say, random, folder } = run;
  const failure = await mountSmallDisk(folder);
  if (failure !== null) return failure;
  const ballast = createBallast(folder);
  const key = generateKey();
  const quietly = { ...run, isQuiet: true }; // a full disk is said in many lines
  let running = await startAlone(quietly, key);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const moment = `deletes ${round}`;
      if (running === null) return null;
      let client = createClient(running.url, key);
      const words = new Map<string, string>();
      for (let at = 0; at < documentCount; at += 1) {
        const word = random.word();
        const text = `The word ${word} stands in this text.`;
        const { id } = await client.expect("POST", "/api/ingest", { name: `Name ${word}`, text, metadata: { word } });
        words.set(id, word);
      }
      await ballast.growUntil(random.pick([0, 0, 64 * 1024, 1024 ** 2]));
      const acknowledged: string[] = [];
      let refused = 0;
      // A server lives until some deletes are answered, which a slow machine takes longer for.
      const enough = 1 + random.below(12);
      const dies = (async () => {
        for (let left = 200; left > 0 && acknowledged.length < enough && refused < 4 * enough; left -= 1)
          await Bun.sleep(100);
        await running?.server.kill();
      })();
      const left = [...words.keys()];
      const deleting = Array.from({ length: 4 }, async () => {
        for (let id = left.shift(); id !== undefined; id = left.shift()) {
          await ballast.growUntil(0);
          const answer = await client.call("DELETE", `/api/document/${id}`).catch(() => null);
          if (answer === null) return;
          if (answer.status === 200) acknowledged.push(id);
          else if (answer.body?.code === "storage_unavailable") refused += 1;
          else report.answers.push(`${moment}: a delete answers ${answer.status}: ${JSON.stringify(answer.body)}`);
        }
      });
      await Promise.all([dies, ...deleting]);
      report.acknowledged += acknowledged.length;

      await ballast.growUntil(0);
      if (round % 2 === 0) {
        const full = await startAlone(quietly, key);
        if (full === null) report.starts.push(`${moment}: the server does not start on the full disk`);
        await full?.server.kill();
      }
      await ballast.remove();
      running = await startAlone(quietly, key);
      if (running === null) {
        report.starts.push(`${moment}: the server does not start`);
        return null;
      }
      client = createClient(running.url, key);
      const gone = acknowledged.map((id) => words.get(id) as string);
      for (const id of acknowledged) {
        const { status } = await client.call("GET", `/api/document/${id}`);
        report.compared += 1;
        if (status !== 404) report.lost.push(`${moment}: deleted document ${id} answers ${status}`);
      }
      const deadline = performance.now() + mostErasureMs;
      const data = join(folder, "data");
      let files = gone.length === 0 ? [] : await filesWith(data, gone, (path) => path.startsWith("runtime"));
      while (files.length > 0 && performance.now() < deadline) {
        await Bun.sleep(500);
        files = await filesWith(data, gone, (path) => path.startsWith("runtime"));
      }
      if (files.length > 0) report.lost.push(`${moment}: bytes of deleted documents are in ${files.join(", ")}`);
      const still = await client.call("GET", "/api/document?limit=100");
      const kept = new Set(still.body.map(({ id }: { id: string }) => id));
      const undecided = documentCount - acknowledged.length - refused - left.length;
      const missing = [...words.keys()].filter((id) => !kept.has(id) && !acknowledged.includes(id)).length;
      if (missing > undecided) report.lost.push(`${moment}: ${missing} documents are gone, ${undecided} were in doubt`);
      for (const id of kept) await client.call("DELETE", `/api/document/${id}`);
      say(`${moment}: ${acknowledged.length} acknowledged, ${refused} refused, ${left.length} not sent`);
    }
    return null;
  } finally {
    await running?.server.kill();
    await unmountSmallDisk(folder);
    await rm(folder, { recursive: true, force: true });
  }
};
