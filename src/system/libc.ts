import { dlopen, type FFIFunction, FFIType } from "bun:ffi";

const names: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
};

/**
 * Functions of the C library that Node's API lacks, with the library's name.
 * @returns null where there is no such library (Windows), or none that has all of them
 */
export const openCLibrary = <Functions extends Record<string, FFIFunction>>(functions: Functions) => {
  for (const name of names[process.platform] ?? []) {
    try {
      return { name, symbols: dlopen(name, functions).symbols };
    } catch {
      // Another name may be found.
    }
  }
  return null;
};

/** Sets a variable for JavaScript, for children that are given `process.env`, and for native code, which does not see it. */
export const setNativeVariable = (name: string, value: string): void => {
  process.env[name] = value;
  const library = openCLibrary({ setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
  library?.symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
};

/** prctl(2): deliver a signal when the parent dies. */
const setParentDeathSignal = 1;
const sigkill = 9;

/**
 * Asks the kernel to end this process with its parent, even in the middle of an endless computation that never looks
 * at its input. Linux only; elsewhere the end of standard input has to do.
 */
export const endWithParent = (): void => {
  if (process.platform !== "linux") return;
  const library = openCLibrary({
    prctl: { args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64], returns: FFIType.i32 },
  });
  if (library === null) return;
  library.symbols.prctl(setParentDeathSignal, sigkill, 0, 0, 0);
  // The parent may have ended before the call, and will then never send the signal.
  if (process.ppid === 1 && process.env.CARREL_PARENT_PID !== "1") process.exit(0);
};

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
