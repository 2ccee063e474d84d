import { describe, expect, test } from "bun:test";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import packageDescription from "../../../package.json" with { type: "json" };
import { temporaryFolder } from "../../temporary-folder.ts";
import { run } from "../run.ts";

const folder = await temporaryFolder("program");

describe("exit status 2: wrong usage", () => {
  test.each([
    [["frob"], "There is no command"],
    [["ingset", "x"], "did you mean ingest?"],
    [["help", "frob"], "There is no command"],
    [["help", "key", "frob"], 'There is no command "key frob"; `carrel help key` lists them'],
    [["help", "key", "revok"], "did you mean key revoke?"],
    [["--bogus"], "unknown option '--bogus'"],
    [["serve", "extra"], "too many arguments"],
    [["ask"], "missing required argument 'question'"],
    [["ask", "  "], "The question is empty"],
    [["ask", "x", "file", "--partition", "p"], "do not go with them"],
    [["ask", "x", "--snippets", "51"], "a whole number from 1 to 50"],
    [["ingest"], "missing required argument 'source'"],
    [["ingest", "a", "b", "--name", "n"], "--name is for one source alone"],
    [["ingest", "a", "--metadata", "[1]"], "--metadata takes a JSON object"],
    [["key"], "Usage: carrel key"],
    [["key", "create"], "required option '--name <name>'"],
    [["key", "create", "--name", "n", "--role", "boss"], "Allowed choices are reader, writer, admin"],
    [["key", "create", "--name", "n", "--expires", "soon"], "a duration such as 12h or 30d"],
    [["key", "create", "--name", " "], "name must not be empty"],
    [["key", "create", "--name", "n", "--user", "u".repeat(256)], "userId must be at most 255 characters long"],
    [["key", "revoke"], "missing required argument 'id'"],
  ])("carrel %p", async (argv, message) => {
    const { status, out, err } = await run(argv);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(message);
  });
});

describe("exit status 1: the configuration", () => {
  test("every fault is named, on standard error", async () => {
    await Bun.write(join(folder, "bad.yaml"), "server: { prot: 1 }\nlog: { format: loud }\n");
    const { status, out, err } = await run(["--config", "bad.yaml"], { cwd: folder });
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toBe(
      "carrel: The configuration has 2 faults:\n" +
        "  bad.yaml:1: server.prot is not a key of the configuration; did you mean server.port?\n" +
        "  bad.yaml:2: log.format must be one of text, json\n",
    );
  });

  test("--config is taken before and after the command", async () => {
    for (const argv of [
      ["--config", "absent.yaml", "key", "list"],
      ["key", "list", "--config", "absent.yaml"],
      ["key", "--config", "absent.yaml", "list"],
    ]) {
      const { status, err } = await run(argv, { cwd: folder });
      expect(status).toBe(1);
      expect(err).toContain("absent.yaml: does not exist; `carrel init` writes one");
    }
  });

  test("CARREL_ADMIN_KEY that is no key is not repeated", async () => {
    const { status, err } = await run(["serve"], { cwd: folder, env: { CARREL_ADMIN_KEY: "hunter2" } });
    expect(status).toBe(1);
    expect(err).toContain("CARREL_ADMIN_KEY is no key");
    expect(err).not.toContain("hunter2");
  });

  test("a data directory that cannot be made is named, with what to set", async () => {
    await Bun.write(join(folder, "file"), "");
    const { status, err } = await run(["key", "list"], { env: { CARREL_DATA_DIR: join(folder, "file/data") } });
    expect(status).toBe(1);
    expect(err).toContain("CARREL_DATA_DIR");
  });
});

describe("help and version", () => {
  test("each command explains itself, whichever way it is asked", async () => {
    const commands = [
      ["serve"],
      ["init"],
      ["ingest"],
      ["ask"],
      ["version"],
      ["key"],
      ["key", "create"],
      ["key", "list"],
      ["key", "revoke"],
    ];
    for (const command of commands) {
      const help = await run([...command, "--help"]);
      expect(help).toEqual({ status: 0, out: help.out, err: "" });
      expect(help.out).toStartWith(`Usage: carrel ${command.join(" ")}`);
      expect(await run(["help", ...command])).toEqual(help);
    }
  });

  test("carrel help lists the commands, and no hidden one", async () => {
    const { status, out } = await run(["help"]);
    expect(status).toBe(0);
    const [, commands = ""] = out.split("Commands:\n");
    const listed = [...commands.matchAll(/^ {2}([a-z-]+)(?: \[| <| {2,})/gm)].map(([, name]) => name);
    expect(listed).toEqual(expect.arrayContaining(["serve", "init", "key", "ingest", "ask", "version", "help"]));
    expect(listed).not.toContain("parse-worker");
    expect(listed).not.toContain("unpack-addon");
    const page = await Bun.file(join(import.meta.dir, "../../../docs/cli.md")).text();
    for (const name of listed.filter((each) => each !== "help")) expect(page).toContain(`\n## carrel ${name}`);
  });

  test("openapi prints the document of the API, which lies in the repository too", async () => {
    const { status, out, err } = await run(["openapi"]);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toBe(await Bun.file(new URL("../../../openapi.json", import.meta.url)).text());
  });

  test("schema prints the schema of the settings file", async () => {
    const { status, out, err } = await run(["schema"]);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toBe(await Bun.file(new URL("../../../config/carrel.schema.json", import.meta.url)).text());
  });

  test("version", async () => {
    expect(await run(["version"])).toEqual({ status: 0, out: `carrel ${packageDescription.version}\n`, err: "" });
    expect((await run(["--version"])).out).toBe(`${packageDescription.version}\n`);
    expect(JSON.parse((await run(["version", "--json"])).out)).toMatchObject({ version: packageDescription.version });
  });
});

describe("init", () => {
  test("writes carrel.yaml for the owner alone, never over one that is there unless told to", async () => {
    const path = join(folder, "carrel.yaml");
    expect(await run(["init"], { cwd: folder })).toEqual({ status: 0, out: `${path}\n`, err: "" });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await Bun.write(path, "server: {}\n");
    const second = await run(["init"], { cwd: folder });
    expect(second.status).toBe(1);
    expect(second.err).toContain("exists already");
    expect(await Bun.file(path).text()).toBe("server: {}\n");
    expect((await run(["init", "--force"], { cwd: folder })).status).toBe(0);
    expect(await Bun.file(path).text()).toContain("port: 7373");
    await rm(path);
  });

  test("--config says where; a folder that is not there is a failure", async () => {
    expect((await run(["init", "--config", "other.yaml"], { cwd: folder })).out).toBe(
      `${join(folder, "other.yaml")}\n`,
    );
    expect((await run(["init"], { cwd: folder, env: { CARREL_CONFIG: "named.yaml" } })).out).toBe(
      `${join(folder, "named.yaml")}\n`,
    );
    expect((await run(["init", "--config", "no/such/carrel.yaml"], { cwd: folder })).status).toBe(1);
  });
});
