import { serveRequests } from "../../../src/async/threads/serve-requests.ts";

const name = crypto.randomUUID();

/**
 * Words that come back; `hang` never lets go of the thread, `rest` waits without holding it, `throw` fails, `which` is
 * answered with a name that no other thread has.
 */
serveRequests<string, string>(async (word, pause) => {
  if (word === "hang") for (;;);
  if (word === "which") return name;
  if (word === "throw") throw new Error("it was told to fail");
  if (word.startsWith("rest")) for (let turns = 0; turns < 2_000; turns++) await pause();
  return `${word} again`;
});
