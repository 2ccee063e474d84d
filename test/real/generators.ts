/**
 * Clients that generators make of the /openapi.json of the compiled program: each is generated, compiled, and asks and
 * ingests. Their programs are in `generators/`, and print what they found as a line of JSON.
 */
import { expect, test } from "bun:test";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBinary } from "../web/journeys/start-binary.ts";
import { realServers } from "./servers.ts";

const tools = realServers.generators ?? "";
const jar = join(tools, "openapi-generator-cli-7.17.0.jar");
const bin = (name: string) => join(tools, "node_modules/.bin", name);
const python = join(tools, "python/bin/python");
const packer = join(import.meta.dir, "../../clients/python/pack.py");
const strict = "--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler";
const tsc = [bin("tsc"), ...strict.split(" "), "--lib", "es2022,dom,dom.iterable", "--types", "node"];

const found = { answer: expect.stringContaining("serviced in May. [1]"), code: "document_not_found", settings: true };
const files = { ...found, file: "a.md", bytes: 16 };

interface Generator {
  name: string;
  /** What makes and compiles it, in a folder that has openapi.json and the programs. */
  make: string[][];
  use: string[];
  environment?: Record<string, string>;
  finds: object;
}

const generators: Generator[] = [
  {
    name: "openapi-typescript",
    make: [
      [bin("openapi-typescript"), "openapi.json", "-o", "api.d.ts"],
      [...tsc, "openapi-typescript.ts"],
    ],
    use: [process.execPath, "openapi-typescript.ts"],
    finds: { ...found, listed: 1 },
  },
  {
    name: "@hey-api/openapi-ts",
    make: [
      [bin("openapi-ts"), "-i", "openapi.json", "-o", "client"],
      [...tsc, "hey-api.ts"],
    ],
    use: [process.execPath, "hey-api.ts"],
    finds: { ...found, listed: 1, file: "a.md" },
  },
  {
    name: "openapi-generator for TypeScript",
    make: [
      ["java", "-jar", jar, "generate", "-i", "openapi.json", "-g", "typescript-fetch", "-o", "client"],
      [...tsc, "typescript-fetch.ts"],
    ],
    use: [process.execPath, "typescript-fetch.ts"],
    finds: { ...files, listed: 1, lines: 2 },
  },
  {
    name: "openapi-generator for Python",
    make: [["java", "-jar", jar, "generate", "-i", "openapi.json", "-g", "python", "-o", "client"]],
    use: [python, "openapi_generator.py"],
    environment: { PYTHONPATH: "client" },
    finds: { ...files, listed: 1 },
  },
  {
    name: "openapi-generator for Go",
    make: [
      ["java", "-jar", jar, "generate", "-i", "openapi.json", "-g", "go", "-o", "client"],
      ["cp", "use_test.go", "client"],
    ],
    use: ["go", "test", "-C", "client", "-run", "TestUse", "-v", "."],
    finds: { ...files, listed: 1, lines: 2 },
  },
  {
    name: "openapi-generator for Java",
    make: [
      ["java", "-jar", jar, "generate", "-i", "openapi.json", "-g", "java", "--library", "apache-httpclient"].concat(
        "-o",
        "client",
      ),
      ["mvn", "-q", "-f", "client", "-Dmaven.test.skip=true", "-Dmaven.javadoc.skip=true", "package"],
      ["mvn", "-q", "-f", "client", "dependency:copy-dependencies", "-DoutputDirectory=target/dependencies"],
    ],
    use: ["java", "-cp", "client/target/*:client/target/dependencies/*", "Use.java"],
    // It makes no type of a setting's value, which is one of several types.
    finds: { answer: found.answer, code: found.code, file: "a.md", bytes: 16, listed: 1 },
  },
  {
    name: "openapi-python-client, by clients/python/pack.py",
    make: [
      ["python3", packer, "--openapi", "openapi.json", "--out", join(tools, "python-client")],
      [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--force-reinstall",
        "--no-index",
        "--find-links",
      ].concat(join(tools, "python-client"), "carrel-client"),
    ],
    use: [python, "openapi_python_client.py"],
    finds: { ...files, listed: 1, lines: 2 },
  },
];

for (const { name, make, use, environment, finds } of generators)
  test.skipIf(realServers.generators === null)(
    `${name} makes a client that works`,
    async () => {
      const server = await startBinary();
      const folder = await mkdtemp(join(tmpdir(), "carrel-generators-"));
      const run = async (command: string[]): Promise<string> => {
        const env = { ...process.env, ...environment, BASE: server.url, KEY: server.key };
        const child = Bun.spawn(command, { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
        const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
        if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}\n${out}\n${err}`);
        return out;
      };
      try {
        await cp(join(import.meta.dir, "generators"), folder, { recursive: true });
        await symlink(join(tools, "node_modules"), join(folder, "node_modules"));
        await Bun.write(join(folder, "openapi.json"), await (await server.call("/openapi.json")).text());
        for (const command of make) await run(command);
        const line = (await run(use)).split("\n").find((one) => one.startsWith("{"));
        expect(JSON.parse(line ?? "null")).toEqual(finds);
      } finally {
        await server.stop();
        await rm(folder, { recursive: true, force: true });
      }
    },
    300_000,
  );
