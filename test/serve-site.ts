import { join } from "node:path";
import { atEnd } from "./at-end.ts";

/** A web site on loopback with pages good and bad. */
interface Site {
  url: string;
  /** By their paths: they can be changed, and removed. */
  pages: Record<string, { type: string; body: string }>;
  /** Requests it got, as `GET /path`. */
  requests: string[];
  stop(): void;
}

const fixturePath = (name: string): string => join(import.meta.dir, "fixtures/documents", name);

const page = `<!doctype html><html><head><title>Opening hours of the museum</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main><article><h1>Opening hours</h1>
<p>The museum opens at nine in winter and at eight in summer, on every day but Monday, when it stays closed.</p>
<p>The reading room is on the second floor; see the <a href="/directions">directions</a> for how to get there by bus.</p>
<p>During the holidays the museum is open on Tuesday and Thursday afternoons only, from two to six in the afternoon.</p>
</article></main><footer>Accept all cookies</footer></body></html>`;

const files: Record<string, [name: string, type: string]> = {
  "/files/memo.pdf": ["fake-memo.pdf", "application/pdf"],
  "/files/locked.pdf": ["password.pdf", "application/pdf"],
  "/files/sound.wav": ["CantinaBand3.wav", "audio/x-wav"],
};

const html = "text/html; charset=utf-8";

const firstPages = (): Site["pages"] => ({
  "/page": { type: html, body: page },
  "/notes.md": { type: "text/markdown", body: "# Notes\n\nNotes about the archive.\n" },
  "/long-title": {
    type: html,
    body: `<title>${"long ".repeat(100)}</title><p>The words of a page with a long title.</p>`,
  },
  "/empty": { type: html, body: "" },
  "/no-text": { type: html, body: "<!doctype html><title>Nothing</title><script>1</script>" },
  "/zip": { type: "application/zip", body: "PK\u0003\u0004 but broken" },
});

export const serveSite = (): Site => {
  const requests: string[] = [];
  const pages = firstPages();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      requests.push(`${request.method} ${pathname}`);
      const file = files[pathname];
      if (file !== undefined)
        return new Response(await Bun.file(fixturePath(file[0])).bytes(), { headers: { "content-type": file[1] } });
      const known = pages[pathname];
      if (known !== undefined) return new Response(known.body, { headers: { "content-type": known.type } });
      if (pathname === "/redirect")
        return new Response(null, { status: 302, headers: { location: searchParams.get("to") ?? "/page" } });
      if (pathname === "/loop") return new Response(null, { status: 301, headers: { location: "/loop" } });
      const hops = /^\/hops\/(\d+)$/.exec(pathname);
      if (hops !== null) {
        const left = Number(hops[1]);
        return new Response(null, { status: 302, headers: { location: left === 1 ? "/page" : `/hops/${left - 1}` } });
      }
      const status = /^\/status\/(\d+)$/.exec(pathname);
      if (status !== null) return new Response("an error page with words", { status: Number(status[1]) });
      if (pathname === "/silent") return new Promise<Response>(() => {});
      if (pathname === "/endless") {
        const chunk = new Uint8Array(65_536).fill(97);
        return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), {
          headers: { "content-type": "text/plain" },
        });
      }
      if (pathname === "/dripping") {
        const stream = new ReadableStream({
          async pull(controller) {
            await Bun.sleep(50);
            controller.enqueue(new Uint8Array([97]));
          },
        });
        return new Response(stream, { headers: { "content-type": "text/plain" } });
      }
      return new Response("not found", { status: 404 });
    },
  });
  return { url: server.url.href.replace(/\/$/, ""), pages, requests, stop: atEnd(() => server.stop(true)) };
};
