import { setAllocatorLimits } from "../../system/libc.ts";
import { setNativeVariable } from "../../system/native-variable.ts";

const settings = {
  // Its warnings are about its own upkeep and not JSON, unlike the log; errors are thrown.
  LANCEDB_LOG: "error",
  /**
   * LanceDB starts one thread for each core, and upkeep occupies each for seconds at a time: questions wait for them.
   * With more threads the system shares the cores between both. While 400 texts of 64 KB were taken in on 2 cores, 1 to 5
   * questions of another tenant took over 400 ms instead of 18 to 20.
   */
  TOKIO_WORKER_THREADS: "8",
  LANCE_CPU_THREADS: "4",
};

/**
 * Sets what LanceDB reads from the environment, unless somebody has set it. Its log is set up as soon as its addon is
 * loaded: call it before anything loads the addon. A second call does no harm.
 */
export const setNativeSettings = (): void => {
  setAllocatorLimits();
  for (const [name, value] of Object.entries(settings))
    if (process.env[name] === undefined) setNativeVariable(name, value);
};
