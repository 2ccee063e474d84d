// `npm start`: from a fresh clone to a running server. Arguments go to `carrel serve`: `npm start -- --config my.yaml`.
import { spawn } from "node:child_process";
import { binary, buildIfChanged } from "./build.mjs";
import { ensureInstalled, stop } from "./install.mjs";
import { watchNpm } from "./npm-process.mjs";

const lookEveryMs = 250;

const npmHasEnded = watchNpm();
ensureInstalled();
if (buildIfChanged() !== 0) stop("The build failed; what went wrong stands above.");
if (npmHasEnded()) stop("npm was ended before the server started.");

const server = spawn(binary, ["serve", ...process.argv.slice(2)], { stdio: "inherit" });
let isEnding = false;
const forward = (signal) => {
  isEnding = true;
  server.kill(signal);
};
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => forward(signal));
// To the server alone it would mean to read its settings again. Here it says that the terminal was closed.
process.on("SIGHUP", () => forward("SIGTERM"));
const look = setInterval(() => {
  if (!npmHasEnded()) return;
  clearInterval(look);
  // A second signal would end the server at once, with requests unfinished.
  if (!isEnding) forward("SIGTERM");
}, lookEveryMs);

server.on("error", (error) => stop(`${binary} could not be started: ${error.message}`));
server.on("exit", (status, signal) => {
  if (signal === null) process.exit(status ?? 1);
  // Ends the way the server did, for whoever started us.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
