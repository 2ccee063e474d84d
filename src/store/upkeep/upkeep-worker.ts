import { messageOf } from "../../domain/errors.ts";
import { readFrames, writeFrame } from "../../system/child-process.ts";
import { endWithParent, loadLibc } from "../../system/libc.ts";
import { connect } from "../engine/lance.ts";
import type { UpkeepWork } from "../engine/upkeep-work.ts";
import { createUpkeepHere } from "./upkeep-here.ts";
import type { UpkeepAnswer, UpkeepQuestion } from "./upkeep-process.ts";

/** It reads tables from one end to the other: little of that is read twice. */
const caches = { indexBytes: 8 * 1024 * 1024, metadataBytes: 4 * 1024 * 1024 };

/**
 * The upkeep process: works on the tables of one folder as it is asked on standard input, answers on standard output, and
 * ends when standard input does. What it did by then is kept, what it was at is as after a crash.
 * @param folder of the tables; the process that asks has its data directory open
 */
export const runUpkeepWorker = async (folder: string): Promise<never> => {
  endWithParent();
  // A service manager signals all processes: the server ends this one when its last work is done.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  const { lance, connection } = await connect(folder, caches);
  const work = createUpkeepHere(lance, connection, folder);
  const libc = loadLibc();
  const answer = (message: UpkeepAnswer): void => {
    process.stdout.write(writeFrame(message));
    libc?.releaseFreeMemory();
  };
  answer({ kind: "ready" });
  for await (const { head } of readFrames(Bun.stdin.stream() as AsyncIterable<Uint8Array>, 0)) {
    const question = head as UpkeepQuestion;
    const { id } = question;
    void ask(work, question).then(
      (result) => answer({ kind: "done", id, result }),
      (error: unknown) => answer({ kind: "failed", id, reason: messageOf(error) }),
    );
  }
  process.exit(0);
};

const ask = async (work: UpkeepWork, question: UpkeepQuestion) => {
  if (question.kind === "tidy") return await work.tidy(question);
  if (question.kind === "erase") return await work.erase(question);
  await work.merge(question);
  return null;
};
