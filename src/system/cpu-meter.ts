/**
 * Measures the CPU time of the process, all its threads together: it tells whether there is work, whoever does it.
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
