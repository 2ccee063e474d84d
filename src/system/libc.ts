import { openCLibrary } from "./c-library.ts";

/** System calls that Node's API lacks. */
export interface Libc {
  /** Tries to take the advisory lock of an open file; the kernel lets go when the process ends. @returns false where another holds it */
  tryLock(fileDescriptor: number): boolean;
  /** Name of the library that has `syncfs`, which writes a file system's dirty pages out; null where there is none. */
  readonly syncfsLibrary: string | null;
  /**
   * Gives back to the system what LanceDB freed: after 40,000 small documents 120 MB of 650. Takes some milliseconds;
   * does nothing but with glibc.
   */
  releaseFreeMemory(): void;
}

const lockExclusive = 2;
const lockNonBlocking = 4;

/** Opens the C library; null where there is none to be had (Windows). */
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

const mallocArenaMax = -8;
/** With glibc's default of eight a core, the heap grew by 230 MB in 200 queries; with four by 100 MB, as fast. */
const arenas = 4;

/** Keeps the memory that LanceDB frees from lying about in many half-used arenas. Does nothing but with glibc. */
export const limitArenas = (): void => {
  const library = openCLibrary({ mallopt: { args: ["i32", "i32"], returns: "i32" } });
  library?.symbols.mallopt(mallocArenaMax, arenas);
};
