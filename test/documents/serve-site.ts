/** A web site on loopback with pages good and bad. */
export interface Site {
  url: string;
  pages: Record<string, { type: string; body: string }>;
  stop(): void;
}

const page = `<!doctype html><html><head><title>Opening hours of the library</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main><article><h1>Opening hours</h1>
<p>The library opens at nine in winter and at eight in summer, on every day but Monday, when it stays closed.</p>
<p>The reading room is on the second floor; see the <a href="/directions">directions</a> for how to get there by bus.</p>
<p>During the holidays the library is open on Tuesday and Thursday afternoons only, from two to six in the afternoon.</p>
</article></main><footer>Accept all cookies</footer></body></html>`;

export const serveSite = (): Site => {
  const pages: Site["pages"] = {
    "/page": { type: "text/html; charset=utf-8", body: page },
    "/files/notes.md": { type: "text/markdown", body: "# Notes\n\nNotes about the archive.\n" },
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 30,
    fetch(request) {
      const { pathname } = new URL(request.url);
      const known = pages[pathname];
      if (known !== undefined) return new Response(known.body, { headers: { "content-type": known.type } });
      if (pathname === "/error") return new Response("broken", { status: 500 });
      return new Response("not found", { status: 404 });
    },
  });
  return { url: server.url.href.replace(/\/$/, ""), pages, stop: () => void server.stop(true) };
};
