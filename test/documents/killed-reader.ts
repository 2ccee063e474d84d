import { startTestServer } from "../start-server.ts";

/**
 * A server on a data directory that is told to read documents again, prints the statuses that it answered, and is killed
 * by the first file that its parser gets.
 */
const [dataDir = "", key = "", ...ids] = process.argv.slice(2);
const told = Promise.withResolvers<void>();
const server = await startTestServer(
  {},
  {
    adminKey: key,
    isKept: true,
    parts: {
      parser: {
        async parse() {
          await told.promise;
          process.kill(process.pid, "SIGKILL");
          return await new Promise(() => undefined);
        },
      },
    },
  },
  dataDir,
);
const answers = await Promise.all(ids.map((id) => server.ask("POST", `/api/document/${id}/reread`)));
console.log(JSON.stringify(answers.map(({ status, body }) => [status, body.status])));
told.resolve();
