import { lookup } from "node:dns/promises";
import type { Config } from "../../config/schema.ts";
import { CommandFailure } from "../domain/command-failure.ts";
import type { RequestHandler } from "../http/handler.ts";
import { listenerOptions } from "../http/listener.ts";

/** Listens where the configuration says. @throws CommandFailure that names the setting to change */
export const listen = async (
  { host, port }: Config["server"],
  handle: RequestHandler,
): Promise<Bun.Server<undefined>> => {
  try {
    // Outside of development Bun shares a port that another program has, and requests would go to either.
    return Bun.serve({ hostname: host, port, ...listenerOptions(handle), reusePort: false });
  } catch (error) {
    // For an unknown host name Bun reports whatever the system's last error was.
    const isKnown = await lookup(host.replace(/^\[|\]$/g, "")).then(
      () => true,
      () => false,
    );
    if (!isKnown) throw new CommandFailure(`There is no host ${host}: set server.host to an address of this machine.`);
    throw new CommandFailure(listenFailure(error, host, port));
  }
};

const listenFailure = (error: unknown, host: string, port: number): string => {
  const code = (error as { code?: string }).code;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is taken by another program: set server.port (CARREL_SERVER_PORT) to a free one.`;
  if (code === "EACCES")
    return `This user may not listen on port ${port}: set server.port (CARREL_SERVER_PORT) to one from 1024 up.`;
  return `Cannot listen on ${host}, port ${port} (${error instanceof Error ? error.message : String(error)}): check server.host and server.port.`;
};
