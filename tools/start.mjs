// `npm start`: from a fresh clone to a running server. Arguments go to `carrel serve`: `npm start -- --config my.yaml`.
import { spawn } from "node:child_process";
import { binary, buildIfChanged } from "./build.mjs";
import { ensureInstalled, stop } from "./install.mjs";

ensureInstalled();
if (buildIfChanged() !== 0) stop("The build failed; what went wrong stands above.");

const server = spawn(binary, ["serve", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("error", (error) => stop(`${binary} could not be started: ${error.message}`));
server.on("exit", (status, signal) => {
  if (signal === null) process.exit(status ?? 1);
  // Ends the way the server did, for whoever started us.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
