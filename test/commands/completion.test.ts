import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";
import { run } from "./run.ts";

const folder = await temporaryFolder("completion");
await mkdir(join(folder, "notes of May"));
await Bun.write(join(folder, "manual.pdf"), "");

const script = async (shell: string): Promise<string> => {
  const { status, out } = await run(["completion", shell]);
  expect(status).toBe(0);
  const path = join(folder, `carrel.${shell}`);
  await Bun.write(path, out);
  return path;
};

const output = (command: readonly string[]): string[] => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  return stdout.toString().split("\n").filter(Boolean);
};

/** Words before the cursor, the last one begun; what is offered among others, and what must not be. */
const cases: { words: string[]; offers: string[]; not?: string[] }[] = [
  { words: [""], offers: ["serve", "ingest", "key", "completion", "help"], not: ["create", "--json"] },
  { words: ["in"], offers: ["init", "ingest"], not: ["serve"] },
  { words: ["key", ""], offers: ["create", "list", "revoke"], not: ["serve"] },
  { words: ["key", "create", "--"], offers: ["--name", "--role", "--expires", "--json"], not: ["--watch"] },
  { words: ["key", "create", "--name", "serve", "--role", ""], offers: ["admin", "reader", "writer"], not: ["create"] },
  { words: ["--config", "serve", "key", ""], offers: ["create"], not: ["serve"] },
  { words: ["completion", ""], offers: ["bash", "fish", "zsh"], not: ["serve"] },
  { words: ["ingest", "man"], offers: ["manual.pdf"], not: ["serve"] },
  { words: ["ingest", "--config", "man"], offers: ["manual.pdf"] },
  { words: ["version", ""], offers: [], not: ["serve", "manual.pdf"] },
];

const check = (offered: readonly string[], { words, offers, not = [] }: (typeof cases)[number]) => {
  expect({ words, lacks: offers.filter((one) => !offered.includes(one)) }).toEqual({ words, lacks: [] });
  expect({ words, wrong: not.filter((one) => offered.includes(one)) }).toEqual({ words, wrong: [] });
};

describe.skipIf(Bun.which("bash") === null)("bash", () => {
  test("offers commands, options, choices and files where they can stand", async () => {
    const path = await script("bash");
    for (const one of cases) {
      const line = ["carrel", ...one.words];
      const typed = `COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length - 1}`;
      check(output(["bash", "-c", `source '${path}'; ${typed}; _carrel; printf '%s\\n' "\${COMPREPLY[@]}"`]), one);
    }
  });
});

describe.skipIf(Bun.which("fish") === null)("fish", () => {
  test("offers the same", async () => {
    const path = await script("fish");
    for (const one of cases) {
      const typed = ["carrel", ...one.words].join(" ");
      const lines = output(["fish", "--no-config", "-c", `source '${path}'; complete -C '${typed}'`]);
      check(
        lines.map((line) => line.split("\t")[0] ?? ""),
        one,
      );
    }
  });
});

describe.skipIf(Bun.which("zsh") === null)("zsh", () => {
  test("offers the same", async () => {
    const path = await script("zsh");
    for (const one of cases) {
      // In place of zsh's own functions, which need a terminal, these print what they are given.
      const stubs = `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { print -l -- *(N); }
        _describe() { print -l -- "\${offers[@]%%:*}"; }`;
      const words = `words=(carrel ${one.words.map((word) => `'${word}'`).join(" ")}); CURRENT=$#words`;
      const begun = one.words.at(-1) ?? "";
      const lines = output(["zsh", "-f", "-c", `${stubs}; source '${path}'; ${words}; _carrel; true`]);
      check(
        lines.filter((line) => line.startsWith(begun)),
        one,
      );
    }
  });
});

test("every command of the program is in every script; another shell is wrong usage", async () => {
  const { out } = await run(["help"]);
  const names = [...out.matchAll(/^ {2}([a-z]+)(?= )/gm)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(10);
  for (const shell of ["bash", "zsh", "fish"]) {
    const text = await Bun.file(await script(shell)).text();
    expect(names.filter((name) => !text.includes(`'|${name}'`))).toEqual([]);
  }
  expect((await run(["completion", "tcsh"])).status).toBe(2);
});
