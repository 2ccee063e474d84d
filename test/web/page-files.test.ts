import { expect, spyOn, test } from "bun:test";
import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as cmapPaths from "../../src/web/pdfjs/cmap-paths.ts";
import { startPageServer } from "./start-page-server.ts";

const server = await startPageServer();

test.each([
  ["90ms-RKSJ-H.bcmap", [0x02, 0xe0]],
  ["openjpeg.wasm", [0x00, 0x61, 0x73, 0x6d]],
  ["FoxitSymbol.pfb", [0x01, 0x00, 0x04]],
])("pdf.js finds %s on this server", async (name, begin) => {
  const answer = await fetch(`${server.url}/pages/pdfjs/${name}`);
  expect(answer.status).toBe(200);
  expect([...(await answer.bytes()).slice(0, begin.length)]).toEqual(begin);
});

test("the first request for a file prints nothing", async () => {
  const printed = spyOn(console, "log");
  const [file] = [...(await server.program.deps.pageFiles()).values()];
  expect((await fetch(`${server.url}/pages/${file?.name}`)).status).toBe(200);
  expect(printed.mock.calls).toEqual([]);
  printed.mockRestore();
});

test("every map of pdf.js is there", () => {
  const folder = dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/cmaps/H.bcmap")));
  const files = readdirSync(folder).filter((name) => name.endsWith(".bcmap"));
  const paths: Readonly<Record<string, string>> = cmapPaths;
  expect(Object.keys(paths).sort()).toEqual(files.map((name) => name.slice(0, -".bcmap".length)).sort());
  for (const [name, path] of Object.entries(paths)) expect(basename(path)).toBe(`${name}.bcmap`);
});

test.each(["LICENSE", "constructor.bcmap", "__proto__", "..%2F..%2Fpackage.json", "%2Fetc%2Fpasswd", "a.bcmap"])(
  "nothing else is served under its data: %s",
  async (name) => {
    const answer = await fetch(`${server.url}/pages/pdfjs/${name}`);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, "route_not_found"]);
  },
);

test("the first load of the console carries no pdf.js; its worker is a script that reaches this server only", async () => {
  const files = [...(await server.program.deps.pageFiles()).values()];
  const html = await (await fetch(server.url)).text();
  const loaded = new Set([...html.matchAll(/src="\/pages\/([^"]+)"/g)].map(([, name = ""]) => name));
  let bytes = 0;
  for (const name of loaded) {
    const file = files.find((each) => each.name === name);
    if (file === undefined) throw new Error(`${name} is not served`);
    bytes += (await file.gzipped()).length;
    // What a script imports comes with it; what it imports by a call comes later.
    const text = new TextDecoder().decode(await file.bytes());
    for (const [, imported = ""] of text.matchAll(/(?:from|import)"\/pages\/([^"]+)"/g)) loaded.add(imported);
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(90 * 1024);
  const worker = files.find(({ name }) => name.startsWith("pdf.worker"));
  const answer = await fetch(`${server.url}/pages/${worker?.name}`);
  await answer.body?.cancel();
  expect(answer.headers.get("content-type")).toStartWith("text/javascript");
  expect(answer.headers.get("content-security-policy")).toBe("connect-src 'self'");
});
