import { expect, test } from "bun:test";
import { defaultConfig } from "../../config/load.ts";
import type { FileParser, ParsedFile } from "../../providers/contract.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { createConfiguredParser } from "../../src/parse/builtin-parser.ts";
import { startUnstructuredReplay } from "./unstructured-recording.ts";

const parsed: ParsedFile = { title: null, text: "built in", pages: [], mimeType: "text/plain", warnings: [] };
/** Reads everything but what ends in `.doc` and pictures. */
const builtin: FileParser = {
  async parse({ name }) {
    if (/\.(doc|png)$/.test(name ?? "")) throw new ApiError("unsupported_file_type", "Built-in: not this one.");
    return parsed;
  },
};
const never = new AbortController().signal;
const fixture = async (name: string) => ({
  bytes: new Uint8Array(await Bun.file(new URL(`../fixtures/documents/${name}`, import.meta.url)).arrayBuffer()),
  name,
  mimeType: null,
});

const parserWith = (provider: "builtin" | "unstructured", baseUrl: string | null): FileParser => {
  const { parser, ingest } = structuredClone(defaultConfig());
  return createConfiguredParser({ parser: { ...parser, provider, baseUrl }, ingest }, builtin);
};

test("without an Unstructured server the built-in parser alone", () => {
  expect(parserWith("builtin", null)).toBe(builtin);
});

test("built in first: the server is asked only for what that cannot read", async () => {
  const seen: { form: Record<string, string>; bytes: Uint8Array }[] = [];
  const server = startUnstructuredReplay(seen);
  const parser = parserWith("builtin", server.url);
  expect((await parser.parse(await fixture("docx-tables.docx"), never)).text).toBe("built in");
  expect(seen.length).toBe(0);
  // Neither can: the built-in parser says what to do.
  const failure = await parser.parse(await fixture("DA-1p.png"), never).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "unsupported_file_type", message: "Built-in: not this one." });
  expect(seen.length).toBe(1);
  await server.stop();
});

test("Unstructured first: the built-in parser gets what that cannot read", async () => {
  const server = startUnstructuredReplay([]);
  const parser = parserWith("unstructured", server.url);
  expect((await parser.parse(await fixture("docx-tables.docx"), never)).text).not.toBe("built in");
  expect((await parser.parse(await fixture("simple.zip"), never)).text).toBe("built in");
  await server.stop();
});
