import { ptr } from "bun:ffi";
import { openCLibrary, setNativeVariable } from "./libc.ts";

/** An option of JavaScriptCore, which it reads once, before any code of ours runs. */
const option = "BUN_JSC_forceRAMSize";
/**
 * What the garbage collector takes for the memory of the machine. By it, it decides how large the heap may become before
 * it is collected: with many gigabytes always twice what was left the last time, with this half as much again from 256 MB on
 * and a quarter from 512. 12,000 small documents in one batch took 618 MB at the highest in place of 712; after 100,000 the
 * server kept 191 MB of JavaScript in place of 255; both for the same CPU time. With 512 MB, the 100,000 took a sixth more
 * (`bench/ingest/batch-memory.ts`).
 */
const heapBytes = 1024 * 1024 * 1024;

/** Addresses of texts that end with a zero, and a zero at the end: an `argv` of C. The texts must be kept meanwhile. */
const addressesOf = (texts: readonly Buffer[]): BigUint64Array =>
  new BigUint64Array([...texts.map((text) => BigInt(ptr(text))), 0n]);

/**
 * Starts the program again in the same process, with the option in its environment: process id, open files and arguments
 * stay. Does nothing if the option is set already, by this or by the operator. Where it cannot be done, the program goes
 * on as it is. To be called before anything is opened.
 * @param args what follows the program's name
 */
export const restartWithSmallHeap = (args: readonly string[]): void => {
  if (process.platform !== "linux" || process.env[option] !== undefined) return;
  const library = openCLibrary({ execv: { args: ["ptr", "ptr"], returns: "i32" } });
  if (library === null) return;
  setNativeVariable(option, String(heapBytes));
  const texts = [process.argv0, ...args].map((text) => Buffer.from(`${text}\0`));
  library.symbols.execv(ptr(Buffer.from(`${process.execPath}\0`)), ptr(addressesOf(texts)));
};
