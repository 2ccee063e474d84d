/** Asks an address again and again from a thread of its own; on "stop", answers with the longest wait. */
declare const self: { onmessage: ((event: { data: { url: string; pollEveryMs: number } | "stop" }) => void) | null };

let isStopped = false;

const poll = async (url: string, pollEveryMs: number): Promise<void> => {
  let longest = 0;
  await fetch(url);
  postMessage("ready");
  while (!isStopped) {
    const started = performance.now();
    await (await fetch(url)).arrayBuffer();
    longest = Math.max(longest, performance.now() - started);
    await Bun.sleep(pollEveryMs);
  }
  postMessage(longest);
};

self.onmessage = ({ data }) => {
  if (data === "stop") isStopped = true;
  else void poll(data.url, data.pollEveryMs);
};
