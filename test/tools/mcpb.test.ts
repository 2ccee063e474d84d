import { expect, test } from "bun:test";
import packageDescription from "../../package.json" with { type: "json" };
import { tools } from "../../src/mcp/tools.ts";
import { openZip } from "../../src/parse/containers/zip.ts";
import { targetNamed } from "../../tools/release/target.ts";
import { makeBundle } from "../../tools/write-mcpb.ts";

test.each([
  ["linux-x64", "server/carrel"],
  ["windows-x64", "server/carrel.exe"],
])("a bundle for %s holds the program, and a manifest that starts it", (name, path) => {
  const target = targetNamed(name);
  const bytes = makeBundle(new TextEncoder().encode("the program"), "the license", target);
  const zip = openZip(bytes, { remainingBytes: 1_000_000 });
  const textOf = (file: string) => new TextDecoder().decode(zip.read(file) ?? new Uint8Array());
  expect([...zip.names]).toEqual(["manifest.json", "LICENSE", path]);
  expect(textOf(path)).toBe("the program");
  const manifest = JSON.parse(textOf("manifest.json"));
  expect(manifest).toMatchObject({
    version: packageDescription.version,
    server: { type: "binary", entry_point: path, mcp_config: { command: `\${__dirname}/${path}` } },
    compatibility: { platforms: [target.platform] },
  });
  expect(manifest.tools.map((tool: { name: string }) => tool.name)).toEqual(tools.map((tool) => tool.name));
  // Each setting that the command takes is asked for.
  const used = JSON.stringify(manifest.server).matchAll(/user_config\.(\w+)/g);
  expect([...used].map(([, setting]) => setting).sort()).toEqual(Object.keys(manifest.user_config).sort());
  // Left empty, a setting is an empty text: but not where it is the whole of an argument.
  for (const argument of manifest.server.mcp_config.args) expect(argument).not.toStartWith("${");
  const { folder, server, key } = manifest.user_config;
  expect([folder.required, server.default, key.default]).toEqual([true, "", ""]);
  // The program may be run where permissions are kept.
  expect(Buffer.from(bytes).includes(Buffer.from([0, 0, 0xed, 0x81]))).toBe(true);
});
