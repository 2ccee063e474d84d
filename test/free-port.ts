/** Below those that Linux gives to whoever asks for any (ip_local_port_range). */
const [least, most] = [12_000, 32_000];

/**
 * Listens on a port that the system gives nobody else: a server that is started again finds it free once more, though
 * tests beside start servers and connections meanwhile.
 */
export const onFreePort = <Server>(listen: (port: number) => Server): Server => {
  for (let tries = 1; ; tries += 1) {
    try {
      return listen(least + Math.floor(Math.random() * (most - least)));
    } catch (error) {
      if (tries === 100) throw error;
    }
  }
};

/** Such a port, for a program that is started on it. */
export const freePort = async (): Promise<number> => {
  const server = onFreePort((port) => Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response() }));
  await server.stop(true);
  return server.port ?? 0;
};
