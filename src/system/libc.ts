import { openCLibrary } from "./c-library.ts";

/** System calls that Node's API lacks. */
export interface Libc {
  /** Tries to take the advisory lock of an open file; the kernel releases it when the process ends. @returns false where another process holds it */
  tryLock(fileDescriptor: number): boolean;
  /** Name of the library that has `syncfs`, which writes a file system's dirty pages out; null where there is none. */
  readonly syncfsLibrary: string | null;
  /**
   * Returns memory to the system that LanceDB freed: after 40,000 small documents 120 MB of 650. Takes some milliseconds;
   * without glibc it does nothing.
   */
  releaseFreeMemory(): void;
}

const lockExclusive = 2;
const lockNonBlocking = 4;

/** Opens the C library; null where none is available (Windows). */
export const loadLibc = (): Libc | null => {
  const locking = openCLibrary({ flock: { args: ["i32", "i32"], returns: "i32" } });
  if (locking === null) return null;
  const trimming = openCLibrary({ malloc_trim: { args: ["u64"], returns: "i32" } });
  return {
    tryLock: (descriptor) => locking.symbols.flock(descriptor, lockExclusive | lockNonBlocking) === 0,
    syncfsLibrary: process.platform === "linux" ? locking.name : null,
    releaseFreeMemory: () => void trimming?.symbols.malloc_trim(0),
  };
};

const mallocMmapThreshold = -3;
/**
 * A piece of memory of this size comes from the system and goes back to it at once. Left alone, glibc raises the limit
 * to the largest piece freed so far, up to 32 MB: then LanceDB's buffers lie among small pieces in heaps that cannot
 * shrink. After 10,000 small documents the heaps were 103 MB in place of 450, 51 and 119 of them resident, and the
 * highest resident set of the process 543 MB in place of 784, for the same CPU time.
 */
const largeBytes = 1024 * 1024;
const mallocArenaMax = -8;
/** With glibc's default of eight a core, the heap grew by 230 MB in 200 queries; with four by 100 MB, as fast. */
const arenas = 4;

/** Keeps what LanceDB frees from being spread over large half-used heaps. Without glibc it does nothing. */
export const keepHeapsSmall = (): void => {
  const library = openCLibrary({ mallopt: { args: ["i32", "i32"], returns: "i32" } });
  library?.symbols.mallopt(mallocArenaMax, arenas);
  library?.symbols.mallopt(mallocMmapThreshold, largeBytes);
};
