/**
 * Makes the bundle that Claude Desktop installs with a double click: `bun tools/write-mcpb.ts [BINARY] [--target NAME]`
 * puts a program that is built already (dist/carrel) with its manifest into `dist/carrel-VERSION-TARGET.mcpb`.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import packageDescription from "../package.json" with { type: "json" };
import { tools } from "../src/mcp/tools.ts";
import { type Target, targetNamed, thisTarget } from "./release/target.ts";
import { makeZip } from "./samples/zip-file.ts";

const programIn = ({ platform }: Target): string => (platform === "win32" ? "server/carrel.exe" : "server/carrel");

/** What Claude Desktop replaces. */
const variable = (name: string): string => `\${${name}}`;

const manifestFor = (target: Target) => ({
  manifest_version: "0.3",
  name: "carrel",
  display_name: "Carrel",
  version: packageDescription.version,
  description: "Searches and reads your own documents, and answers from them with sources.",
  author: { name: "The Carrel authors" },
  license: packageDescription.license,
  server: {
    type: "binary",
    entry_point: programIn(target),
    mcp_config: {
      command: `${variable("__dirname")}/${programIn(target)}`,
      // An argument that is nothing but a variable is left as it stands where its setting is empty.
      args: ["mcp", `--server=${variable("user_config.server")}`],
      env: { CARREL_DATA_DIR: variable("user_config.folder"), CARREL_KEY: variable("user_config.key") },
    },
  },
  tools: tools.map(({ name, description }) => ({ name, description })),
  user_config: {
    folder: {
      type: "directory",
      title: "Folder of documents",
      description: "Where Carrel keeps its data on this computer. With a server it stays unused.",
      // Claude Desktop fills the default in where it asks; a setting that is not asked for would keep `${HOME}` as text.
      default: `${variable("HOME")}/carrel-data`,
      required: true,
    },
    server: {
      type: "string",
      title: "Server",
      description: "Address of a Carrel elsewhere, such as https://carrel.example. Empty: the folder is used.",
      default: "",
      required: false,
    },
    key: {
      type: "string",
      title: "Key",
      description: "A key of that server (crl_…).",
      sensitive: true,
      default: "",
      required: false,
    },
  },
  compatibility: { platforms: [target.platform] },
});

/** The bundle: a zip archive with manifest, license and program. */
export const makeBundle = (program: Uint8Array, license: string, target: Target): Uint8Array =>
  makeZip([
    { name: "manifest.json", content: JSON.stringify(manifestFor(target), null, 2), mode: 0o644 },
    { name: "LICENSE", content: license, mode: 0o644 },
    { name: programIn(target), content: program, mode: 0o755 },
  ]);

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: Bun.argv.slice(2),
    options: { target: { type: "string" } },
    allowPositionals: true,
  });
  const root = resolve(import.meta.dir, "..");
  const target = values.target === undefined ? thisTarget() : targetNamed(values.target);
  const binary = resolve(positionals[0] ?? join(root, "dist/carrel"));
  const license = await Bun.file(join(root, "LICENSE")).text();
  const path = join(root, `dist/carrel-${packageDescription.version}-${target.name}.mcpb`);
  await Bun.write(path, makeBundle(await Bun.file(binary).bytes(), license, target));
  console.log(path);
}
