import { describe, expect, test } from "bun:test";
import { startPageServer } from "./start-page-server.ts";

const server = await startPageServer({
  publicChats: { allowedOrigins: ["https://shop.example"] },
  fetch: { allowPrivateAddresses: true },
});

const makeChat = async (settings: object): Promise<string> =>
  ((await (await server.post("/api/chat", settings)).json()) as { id: string }).id;
const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(server.url + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe("the page of a public chat", () => {
  test("has title and notice without scripts, and loads files of this server alone", async () => {
    const id = await makeChat({ title: "Ask <us> & learn", public: true });
    const { status, text, headers } = await read(`/chat/${id}`);
    expect(status).toBe(200);
    expect(text).toContain("<title>Ask &lt;us&gt; &amp; learn</title>");
    expect(text).toContain('<h1 dir="auto">Ask &lt;us&gt; &amp; learn</h1>');
    expect(text).toContain("<noscript><p>This chat needs JavaScript.</p></noscript>");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(text).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/);
    for (const [, address = ""] of text.matchAll(/(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^(?:\/|data:,)/);
  });

  test("tells a visitor nothing but the chat", async () => {
    const partition = (await (await server.post("/api/partition", { name: "Secret shelf" })).json()) as { id: string };
    const id = await makeChat({ title: "T", name: "Internal name", public: true, partitionId: partition.id });
    const { text } = await read(`/chat/${id}`);
    for (const hidden of [partition.id, "Secret shelf", "Internal name"]) expect(text).not.toContain(hidden);
  });

  test("may be framed by the allowed origins alone", async () => {
    const id = await makeChat({ title: "T", public: true });
    const { headers } = await read(`/chat/${id}`);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'self' https://shop.example");
    expect((await read("/")).headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("is the same page with status 404 for a private chat, an unknown one and an impossible id", async () => {
    const answers = [];
    for (const id of [await makeChat({ title: "Private" }), "unknown", "im%20possible", "%", "%00"])
      answers.push(await read(`/chat/${id}`));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test("keeps the other methods of the path", async () => {
    const id = await makeChat({ title: "T", public: true });
    expect((await server.call(`/chat/${id}`, { method: "DELETE" })).status).toBe(200);
    expect((await read(`/chat/${id}`)).status).toBe(404);
  });
});

describe("files of the pages", () => {
  test("are compressed, and kept by browsers for ever", async () => {
    const id = await makeChat({ title: "T", public: true });
    const [, script = ""] = /src="(\/pages\/[^"]+)"/.exec((await read(`/chat/${id}`)).text) ?? [];
    const { status, headers } = await read(script, { "accept-encoding": "gzip" });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("content-type")).toStartWith("text/javascript");
    expect((await read("/pages/unknown.js")).status).toBe(404);
  });

  test("the widget has at most 20 KB compressed", async () => {
    const widget = await read("/embed.js");
    expect(widget.status).toBe(200);
    expect(Bun.gzipSync(widget.text).length).toBeLessThan(20_000);
  });
});

describe("the logo of a chat", () => {
  test("comes from this server, if it is a picture", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const site = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) =>
        url.endsWith(".png")
          ? new Response(png)
          : new Response("<svg onload=alert(1)>", { headers: { "content-type": "image/svg+xml" } }),
    });
    const withPicture = await makeChat({ title: "T", public: true, logoUrl: `${site.url}logo.png` });
    const picture = await fetch(`${server.url}/chat/${withPicture}/logo`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png);
    expect((await read(`/chat/${withPicture}`)).text).toContain(`<img src="/chat/${withPicture}/logo" alt="">`);
    const withScript = await makeChat({ title: "T", public: true, logoUrl: `${site.url}logo.svg` });
    expect((await read(`/chat/${withScript}/logo`)).status).toBe(404);
    const hidden = await makeChat({ title: "T", logoUrl: `${site.url}logo.png` });
    expect((await read(`/chat/${hidden}/logo`)).status).toBe(404);
    await site.stop(true);
  });
});
