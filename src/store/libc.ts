import { dlopen } from "bun:ffi";

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

const linuxLibraries = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];
const libraries: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: linuxLibraries,
  darwin: ["libSystem.B.dylib"],
};

const lockExclusive = 2;
const lockNonBlocking = 4;

const loadTrim = (library: string): (() => void) => {
  try {
    const { symbols } = dlopen(library, { malloc_trim: { args: ["u64"], returns: "i32" } });
    return () => void symbols.malloc_trim(0);
  } catch {
    return () => undefined;
  }
};

/** Opens the C library; null where there is none to be had (Windows). */
export const loadLibc = (): Libc | null => {
  for (const library of libraries[process.platform] ?? []) {
    try {
      const { symbols } = dlopen(library, { flock: { args: ["i32", "i32"], returns: "i32" } });
      return {
        tryLock: (descriptor) => symbols.flock(descriptor, lockExclusive | lockNonBlocking) === 0,
        syncfsLibrary: process.platform === "linux" ? library : null,
        releaseFreeMemory: loadTrim(library),
      };
    } catch {
      // The next name may be there.
    }
  }
  return null;
};

const mallocArenaMax = -8;
/** With glibc's default of eight a core, the heap grew by 230 MB in 200 queries; with four by 100 MB, as fast. */
const arenas = 4;

/** Keeps the memory that LanceDB frees from lying about in many half-used arenas. Does nothing but with glibc. */
export const limitArenas = (): void => {
  if (process.platform !== "linux") return;
  try {
    dlopen("libc.so.6", { mallopt: { args: ["i32", "i32"], returns: "i32" } }).symbols.mallopt(mallocArenaMax, arenas);
  } catch {
    // Another C library, with other ways.
  }
};
