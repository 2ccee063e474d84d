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
const mallocTrimThreshold = -1;
/**
 * Pieces of memory up to this size come from the heap, the most that glibc allows, and up to the second one stay there
 * when they are freed. LanceDB reads vectors and texts in pieces of some megabytes: fetched from the system each time, they
 * took as much time for page faults as the search itself (a question about 11,000 snippets: 51 ms of CPU in place of 36).
 * What is free is returned every 5 seconds (`releaseFreeMemory`): the highest resident set is the same, 700 MB for 20,000
 * small documents in one batch. At rest it is larger by the free pieces among used ones: 50 MB, and 110 after 100,000.
 */
const maxHeapPieceBytes = 32 * 1024 * 1024;
const maxFreeHeapBytes = 64 * 1024 * 1024;
const mallocArenaMax = -8;
/**
 * With glibc's default of eight a core, the heap grew by 230 MB in 200 queries; with four by 100 MB, as fast. Each arena
 * keeps free pieces that the others cannot use: see the caches in src/store/engine/lance.ts.
 */
const arenas = 2;

/** Sets how the C library's allocator, which LanceDB uses, keeps memory that is freed. Without glibc it does nothing. */
export const setAllocatorLimits = (): void => {
  const library = openCLibrary({ mallopt: { args: ["i32", "i32"], returns: "i32" } });
  library?.symbols.mallopt(mallocArenaMax, arenas);
  library?.symbols.mallopt(mallocMmapThreshold, maxHeapPieceBytes);
  library?.symbols.mallopt(mallocTrimThreshold, maxFreeHeapBytes);
};
