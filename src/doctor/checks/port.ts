import { codeOf, messageOf } from "../../domain/errors.ts";
import { type Check, failed, fine } from "./finding.ts";
import { runningServer } from "./running-server.ts";

export const portCheck: Check = {
  name: "port",
  isQuick: false,
  async run({ config, signal }) {
    const { host, port } = config.server;
    const running = await runningServer(config.dataDir, signal);
    if (running !== null) return [fine(`The server of this data folder runs${running.at}.`)];
    if (port === 0) return [fine("server.port is 0: any free port is taken.")];
    return [portFinding(host, port, portFault(host, port))];
  },
};

/** @returns the code of the failure; null where it is free */
const portFault = (hostname: string, port: number): string | null => {
  try {
    void Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
    return null;
  } catch (error) {
    return codeOf(error) ?? messageOf(error);
  }
};

const portFinding = (host: string, port: number, fault: string | null) => {
  if (fault === null) return fine(`Port ${port} of ${host} is free.`);
  if (fault === "EADDRINUSE")
    return failed(
      `Port ${port} of ${host} is taken by another program.`,
      `Set server.port (CARREL_SERVER_PORT) to a free one, or end the program: ss -ltnp 'sport = :${port}' names it.`,
    );
  if (fault === "EACCES")
    return failed(
      `This user may not listen on port ${port}.`,
      "Set server.port (CARREL_SERVER_PORT) to one from 1024 up, behind a reverse proxy.",
    );
  return failed(
    `Carrel cannot listen on ${host}, port ${port} (${fault}).`,
    "Set server.host to an address of this machine: ip address lists them.",
  );
};
