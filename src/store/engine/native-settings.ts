import { setAllocatorLimits, setNativeVariable } from "../../system/libc.ts";

const settings = {
  // Its warnings are about its own upkeep and not JSON, unlike the log; errors are thrown.
  LANCEDB_LOG: "error",
  /**
   * Questions and commits share the processor with upkeep, which merges files and builds indexes for seconds at a time.
   * LanceDB starts as many threads as there are cores, and questions wait for them; with 8 and 4 threads upkeep takes most
   * of two cores from the rest of the server. With 4 and 2, and an index that is built in one piece, the slowest hundredth
   * of another tenant's ingests took 170 ms in place of 229, while 3,400 texts of 64 KB were sent to 2 cores, and all of
   * them took a tenth less CPU.
   */
  TOKIO_WORKER_THREADS: "4",
  LANCE_CPU_THREADS: "2",
  LANCE_FTS_NUM_SHARDS: "1",
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
