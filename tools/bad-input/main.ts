/**
 * Sends some 200 bad inputs to a running server and writes docs/bad-input.md with what each got:
 *
 *     bun tools/bad-input/main.ts [BINARY]
 *
 * The server is started for it on a data directory of its own; without BINARY from source. Fails where an input got an
 * internal error, or the server does not answer an ordinary question afterwards.
 */
import { badInputPage, pagePath } from "./page.ts";
import { startBadInputServer } from "./server.ts";
import { groups, isInternalError, type Result, tryGroup } from "./try-group.ts";

const server = await startBadInputServer(process.argv[2]);
try {
  const results: Result[] = [];
  for (const group of groups) results.push(...(await tryGroup(group, server)));
  const broken = results.filter(isInternalError);
  for (const { group, what, detail } of broken) console.error(`FAILED ${group}: ${what}: ${detail}`);
  if (broken.length > 0) process.exitCode = 1;
  else await Bun.write(pagePath, badInputPage(results));
  console.log(`${results.length} inputs, ${broken.length} internal errors`);
} finally {
  await server.stop();
}
