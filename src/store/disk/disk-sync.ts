import { closeSync, openSync } from "node:fs";
import { createSharedRun } from "../../async/keyed-mutex.ts";
import type { Libc } from "../../system/libc.ts";

/** Makes writes survive a power loss: LanceDB itself never waits for the disk. */
interface DiskSync {
  /** Resolves when everything written before the call is on disk. Waiting calls share one system call. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The system call takes milliseconds, sometimes hundreds, and would block every request: it is made on a thread of its
 * own. The program of the thread is a text, because a file would have to be named again in the build of the binary.
 */
const threadProgram = `
  const { dlopen } = require("bun:ffi");
  let syncfs;
  self.onmessage = ({ data: { library, descriptor } }) => {
    syncfs ??= dlopen(library, { syncfs: { args: ["i32"], returns: "i32" } }).symbols.syncfs;
    postMessage(syncfs(descriptor));
  };
`;

/** Waits once until everything written to the disk of a folder is on it, as far as the system can tell. */
export const syncDisk = async (folder: string, libc: Libc | null): Promise<void> => {
  const disk = await createDiskSync(folder, libc, true);
  await disk.sync().finally(disk.close);
};

/** Does nothing if `isEnabled` is false or the system has no syncfs. */
export const createDiskSync = async (folder: string, libc: Libc | null, isEnabled: boolean): Promise<DiskSync> => {
  const library = libc?.syncfsLibrary ?? null;
  if (!isEnabled || library === null) return { sync: async () => undefined, close: async () => undefined };
  const descriptor = openSync(folder, "r");
  const address = URL.createObjectURL(new Blob([threadProgram], { type: "application/javascript" }));
  const thread = new Worker(address);
  thread.unref();
  let answer: PromiseWithResolvers<void> | null = null;
  thread.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 0) answer?.resolve();
    else answer?.reject(new Error("syncfs failed: written data may not be on disk"));
  };
  thread.onerror = ({ message }) => answer?.reject(new Error(`the thread that syncs the disk failed: ${message}`));

  const syncs = createSharedRun(async () => {
    answer = Promise.withResolvers<void>();
    thread.ref(); // a write that waits for the disk keeps the program running
    thread.postMessage({ library, descriptor });
    await answer.promise.finally(() => thread.unref());
  });

  return {
    sync: syncs.next,
    async close() {
      await syncs.idle();
      thread.terminate();
      URL.revokeObjectURL(address);
      closeSync(descriptor);
    },
  };
};
