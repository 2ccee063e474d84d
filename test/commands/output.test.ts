import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createOutput, messageText } from "../../src/commands/output/output.ts";

const main = join(import.meta.dir, "../../src/main.ts");

const shell = async (command: string) => {
  const child = Bun.spawn(["sh", "-c", command, "sh", process.execPath, main], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out, err };
};

test("what is written is counted as written, and the first failure is kept", async () => {
  const failures = ["EPIPE", "ENOSPC", "EIO", null];
  const texts: string[] = [];
  const output = createOutput({
    write(text: string, done: (error: Error | null) => void) {
      texts.push(text);
      const code = failures.shift() ?? null;
      setTimeout(() => done(code === null ? null : Object.assign(new Error(code), { code })), 5);
      return true;
    },
  } as never);
  expect(await output.finish()).toBeNull();
  for (const text of ["a", "b", "c", "d"]) output.write(text);
  expect(await output.finish()).toBe("ENOSPC");
  expect(texts).toEqual(["a", "b", "c", "d"]);
});

test.skipIf(!existsSync("/dev/full"))("a command whose output cannot be written has failed", async () => {
  const { status, err } = await shell('"$1" "$2" version > /dev/full');
  expect([status, err]).toEqual([1, "carrel: the output could not be written (ENOSPC).\n"]);
});

test("a reader that leaves early is no failure", async () => {
  expect(await shell('{ "$1" "$2" help; echo "status $?" >&2; } | true')).toMatchObject({
    status: 0,
    err: "status 0\n",
  });
});

test("names and texts from outside send a terminal no commands; tabs and line ends stay", () => {
  const written: string[] = [];
  const output = createOutput({ write: (text: string) => written.push(text) > 0 } as never);
  output.write("a\tb\r\nc\n\u001b]0;x\u0007\u009b1m\u202e\u0000\r");
  expect(written).toEqual(["a\tb\r\nc\n\\u001b]0;x\\u0007\\u009b1m\\u202e\\u0000\\u000d"]);
  output.write(JSON.stringify({ name: "\u202e\u0085" }));
  expect(JSON.parse(written[1] ?? "")).toEqual({ name: "\u202e\u0085" });
});

test("a line of progress still takes the place of the one before, and nothing after that does", () => {
  expect(messageText("\r\u001b[K3 done \r\u001b[K")).toBe("\r\u001b[K3 done \\u000d\\u001b[K");
});
