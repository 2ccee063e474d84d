/** What a page and one script of so many bytes take over the same line: nothing can be sooner that runs a script. */
export interface Floor {
  url: string;
  /** Holds once the script has run. */
  probe: string;
  stop(): Promise<void>;
}

/** @param scriptBytes as they go over the line: the script is sent as it is, and browsers cannot make it smaller */
export const startFloor = (scriptBytes: number): Floor => {
  const script = `globalThis.ran = true; // ${"x".repeat(scriptBytes)}`;
  const html = `<!doctype html><title>Floor</title><script type="module" src="/script.js"></script><p>Floor</p>`;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      url.endsWith("/script.js")
        ? new Response(script, { headers: { "content-type": "text/javascript" } })
        : new Response(html, { headers: { "content-type": "text/html" } }),
  });
  return { url: server.url.href, probe: "globalThis.ran === true", stop: () => server.stop(true) };
};
