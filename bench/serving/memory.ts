/**
 * What a few requests made to take memory cost a server, each with a fresh one:
 *
 *     bun bench/serving/memory.ts [BINARY]
 *
 * BINARY is `dist/carrel`; without it the program runs from source. Prints how the requests were answered, by how much
 * the resident set had grown at its highest while they were, and what of it was left a few seconds after.
 */
import { join } from "node:path";
import { show } from "./figures.ts";
import { commandOf, type Program, post, startProgram, temporaryFolder } from "./program.ts";

const megabyte = 1_000_000;
const listCount = 6;
const bodyCount = 20;
const longCharacters = 60 * megabyte;
const searchCount = 3_000;
const filterCharacters = 60_000;
const pollMs = 25;
const restMs = 8_000;

const command = commandOf(process.argv[2]);
const folder = temporaryFolder();

/** How many answers had each status; 0 is a connection that broke. */
const tally = (statuses: readonly number[]): string =>
  [...Map.groupBy(statuses, (status) => status)].map(([status, { length }]) => `${length} × ${status}`).join(", ");

const statusOf = async (request: Promise<Response>): Promise<number> => {
  try {
    const response = await request;
    // Read and let go: the client's memory is not what is measured.
    if (response.body !== null) for await (const _ of response.body);
    return response.status;
  } catch {
    return 0;
  }
};

const measure = async (
  what: string,
  prepare: (program: Program) => Promise<void>,
  attack: (program: Program) => Promise<number[]>,
): Promise<void> => {
  const program = await startProgram(command, join(folder.path, what.replaceAll(/\W+/g, "-")));
  try {
    await post(program, "/api/ingest", { name: "warm", text: "Warms up what is loaded on first use." });
    await post(program, "/api/search", { query: "what is loaded" });
    await prepare(program);
    await Bun.sleep(restMs);
    const before = await program.residentMb();
    let highest = before;
    const state = { isRunning: true };
    const poll = (async () => {
      while (state.isRunning) {
        highest = Math.max(highest, await program.residentMb());
        await Bun.sleep(pollMs);
      }
    })();
    const statuses = await attack(program);
    state.isRunning = false;
    await poll;
    await Bun.sleep(restMs);
    const left = (await program.residentMb()) - before;
    show(`${what} (${tally(statuses)})`, `+${(highest - before).toFixed(0)} MB, then +${left.toFixed(0)} MB`);
  } finally {
    await program.stop();
  }
};

const nothing = async () => {};
const ofBodies = (path: string, body: Blob) => (program: Program) =>
  Promise.all(
    Array.from({ length: bodyCount }, () =>
      statusOf(fetch(program.url + path, { method: "POST", headers: program.headers, body })),
    ),
  );

try {
  await measure(
    `${listCount} lists with 60 MB of text at once`,
    async (program) => {
      // Left to be processed later: their texts are answered all the same.
      for (let at = 0; at < 6; at += 1) {
        const text = `List ${at}. `.padEnd(longCharacters / 6, `${at} shelf number `);
        await post(program, "/api/ingest", { name: `list ${at}`, text, async: true });
      }
      const pending = async () =>
        Number(
          (
            await fetch(`${program.url}/api/document?status=processed&limit=1`, { headers: program.headers })
          ).headers.get("x-total-count"),
        );
      while ((await pending()) < 7) await Bun.sleep(1_000);
    },
    (program) =>
      Promise.all(
        Array.from({ length: listCount }, () =>
          statusOf(fetch(`${program.url}/api/document?include=originalText&limit=100`, { headers: program.headers })),
        ),
      ),
  );
  const question = new Blob([JSON.stringify({ query: "what is loaded", unknown: "x".repeat(longCharacters) })]);
  await measure(`${bodyCount} questions of 60 MB at once`, nothing, ofBodies("/api/search", question));
  const partition = new Blob([JSON.stringify({ name: "shelf", unknown: "x".repeat(longCharacters) })]);
  await measure(`${bodyCount} partitions of 60 MB at once`, nothing, ofBodies("/api/partition", partition));
  const document = new Blob([JSON.stringify({ name: "shelf", text: "t", unknown: "x".repeat(longCharacters) })]);
  await measure(`${bodyCount} ingests of 60 MB at once`, nothing, ofBodies("/api/ingest", document));
  await measure(`${searchCount} searches with large filters`, nothing, async (program) => {
    const statuses: number[] = [];
    for (let at = 0; at < searchCount; at += 1) {
      const metadata = { shelf: `${at} `.repeat(filterCharacters).slice(0, filterCharacters) };
      const body = JSON.stringify({ query: "what is loaded", metadata });
      statuses.push(
        await statusOf(fetch(`${program.url}/api/search`, { method: "POST", headers: program.headers, body })),
      );
    }
    return statuses;
  });
} finally {
  folder.remove();
}
