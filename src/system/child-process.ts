import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

/** The system lets one process in a tenth of a second change this, whoever asks (unless as root). */
const tryAgainMs = 150;
const maxTries = 20;

/**
 * Lets a process wait for this one. Linux shares each processor between sessions first and between the processes of one
 * session then (sched(7), "The autogroup feature"): a process with a session of its own would get as much as this one with
 * all its threads, whatever its niceness. So its session gets the niceness too: of one processor that this process and a
 * child of niceness 10 both want, this one then has 90 of 100 parts, in place of 49. What the system does not allow stays
 * undone.
 * @param niceness 1 to 19, added to this one's own: the more, the longer it waits
 */
export const lowerPriority = (pid: number, niceness: number): void => {
  try {
    os.setPriority(pid, Math.min(19, os.getPriority() + niceness));
  } catch {
    // The process may have ended already, or the system does not allow it.
  }
  lowerSession(pid, niceness, 1);
};

const lowerSession = (pid: number, niceness: number, attempt: number): void => {
  try {
    // This process's own session keeps its priority.
    if (sessionOf(pid) === sessionOf("self")) return;
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    const isTooSoon = error instanceof Error && "code" in error && error.code === "EAGAIN";
    if (isTooSoon && attempt < maxTries) setTimeout(lowerSession, tryAgainMs, pid, niceness, attempt + 1).unref();
  }
};

/** As "/autogroup-62". @throws where the process has ended, or the system knows no such groups */
const sessionOf = (pid: number | "self"): string | undefined =>
  readFileSync(`/proc/${pid}/autogroup`, "utf8").split(" ")[0];

/** The environment variables that a process of ours gets: none holds a setting or a secret. */
const passedEnvironment = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"];

interface ChildOptions {
  /** Program and arguments; see `ownCommand`. */
  command: readonly string[];
  /** Further variables that it gets, by name, and those with a value of their own. */
  environment: { readonly passed: readonly string[]; readonly set: Readonly<Record<string, string>> };
  /** See `lowerPriority`: the server's own work comes first. */
  niceness: number;
}

export type Child = Bun.Subprocess<"pipe", "pipe", "ignore">;

/**
 * Starts a process that works for this one: it is asked on its standard input, answers on its standard output, and ends with
 * this process (`endWithParent`). It has a process group of its own, so that programs it started end with it, and signals
 * of a terminal reach the server alone. An idle one does not keep a finished program running.
 * @throws what the system says where no process can be started
 */
export const startChild = ({ command, environment, niceness }: ChildOptions): Child => {
  const passed = [...passedEnvironment, ...environment.passed].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  const child = Bun.spawn([...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    env: { ...Object.fromEntries(passed), ...environment.set, CARREL_PARENT_PID: String(process.pid) },
    detached: true,
  });
  lowerPriority(child.pid, niceness);
  child.unref();
  return child;
};

/** Ends a process and those that it started. */
export const killChild = (child: Child): void => {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
  child.kill("SIGKILL");
};

/**
 * The command line of this same program with one of its hidden commands. Compiled, the program is its own executable; from
 * source it is Bun with `src/main.ts`.
 */
export const ownCommand = (name: "parse-worker" | "upkeep-worker", mainPath: string): string[] => {
  const isCompiled = mainPath.startsWith("/$bunfs/") || mainPath.includes("~BUN");
  return isCompiled ? [process.execPath, name] : [process.execPath, mainPath, name];
};

/**
 * Messages between the server and its parsing process: a JSON head and bytes, each with its length before it
 * (two big-endian uint32). A frame over a limit is an error of the sender.
 */
export interface Frame {
  head: unknown;
  body: Uint8Array;
}

const maxHeadBytes = 64 * 1024 * 1024;

export const writeFrame = (head: unknown, body: Uint8Array = new Uint8Array()): Uint8Array => {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const frame = new Uint8Array(8 + json.length + body.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, json.length);
  view.setUint32(4, body.length);
  frame.set(json, 8);
  frame.set(body, 8 + json.length);
  return frame;
};

/**
 * The frames of a byte stream; ends where the stream ends between two frames.
 * @throws RangeError for a frame over the limit or cut off, SyntaxError for a head that is no JSON
 */
export async function* readFrames(stream: AsyncIterable<Uint8Array>, maxBodyBytes: number): AsyncGenerator<Frame> {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let needed = 8;
  let lengths: { head: number; body: number } | null = null;
  for await (const chunk of stream) {
    chunks.push(chunk);
    held += chunk.length;
    while (held >= needed) {
      const bytes: Uint8Array = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      if (lengths === null) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        lengths = { head: view.getUint32(0), body: view.getUint32(4) };
        if (lengths.head > maxHeadBytes || lengths.body > maxBodyBytes) throw new RangeError("The frame is too large.");
        needed = 8 + lengths.head + lengths.body;
        chunks = [bytes];
        continue;
      }
      const head: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + lengths.head)));
      // A copy, because readers take ownership of it, and no Buffer, because pdf.js refuses those.
      yield { head, body: new Uint8Array(bytes.subarray(8 + lengths.head, needed)) };
      const rest = bytes.subarray(needed);
      chunks = rest.length > 0 ? [rest] : [];
      held = rest.length;
      needed = 8;
      lengths = null;
    }
  }
  if (held > 0) throw new RangeError("The stream ended inside a frame.");
}
