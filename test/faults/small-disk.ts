import { mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

/** Room for LanceDB's unpacked addon (200 MB), for what the store keeps free and in reserve (80 MB), and for data. */
const diskBytes = 440 * 1024 ** 2;
const chunk = new Uint8Array(1024 ** 2);

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Somebody else's file on the same disk. */
export const createBallast = (folder: string) => {
  const path = join(folder, "ballast");
  return {
    /** Grows until no more than so much is free; 0: until nothing more can be written. */
    async growUntil(left: number): Promise<void> {
      const file = await open(path, "a");
      try {
        for (let free = await freeBytes(folder); free > left; free = await freeBytes(folder))
          await file.writeFile(chunk.subarray(0, Math.max(4096, Math.min(chunk.length, free - left))));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        await file.close();
      }
    },
    remove: () => rm(path, { force: true }),
  };
};

/** Mounts a small disk in memory. @returns null, or why there can be none */
export const mountSmallDisk = async (folder: string): Promise<string | null> => {
  if (process.platform !== "linux") return "it needs Linux";
  await mkdir(folder, { recursive: true });
  const child = Bun.spawn(["mount", "-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", folder], { stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  return (await child.exited) === 0 ? null : said.trim();
};

export const unmountSmallDisk = async (folder: string): Promise<void> => {
  // The upkeep process of a server that was killed notices its end a moment later.
  for (let left = 40; left > 0; left -= 1) {
    if ((await Bun.spawn(["umount", folder], { stderr: left === 1 ? "inherit" : "ignore" }).exited) === 0) return;
    await Bun.sleep(250);
  }
};
