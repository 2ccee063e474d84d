/** CPU time that this thread has taken, in milliseconds: what else runs on the machine does not make it longer. */
export const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
