import { FFIType } from "bun:ffi";
import { openCLibrary } from "./c-library.ts";

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
