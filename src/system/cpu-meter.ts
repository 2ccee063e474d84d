/**
 * Measures the CPU time of the process, all its threads together: it shows whether there is work, in whichever thread.
 * @returns milliseconds since the last call, or since the meter was made
 */
export const createCpuMeter = (): (() => number) => {
  const usedMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let last = usedMs();
  return () => {
    const before = last;
    last = usedMs();
    return last - before;
  };
};
