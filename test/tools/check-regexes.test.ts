import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const tool = join(import.meta.dir, "../../tools/regexes/check-regexes.mjs");

/** Runs the tool's own functions under Node, as `npm test` does. */
const judged = async (code: string): Promise<[line: number, fault: string | null][]> => {
  const script = `
    const { regexesOf, faultOf } = await import(${JSON.stringify(tool)});
    const found = regexesOf("a.ts", ${JSON.stringify(code)});
    console.log(JSON.stringify(found.map((one) => [one.line, faultOf(one)])));`;
  const child = Bun.spawn(["node", "--input-type=module", "-e", script], { stdout: "pipe", stderr: "inherit" });
  return (await new Response(child.stdout).json()) as [number, string | null][];
};

describe("the check of regular expressions", () => {
  test("finds literals and calls, and tells which take longer than linear time", async () => {
    const found = await judged(`
      const blanks: RegExp = /[ \\t]+$/;
      const comments = "x".match(/^(<!--[\\s\\S]*?-->\\s*)*<html/i);
      const made = new RegExp("a" + "b");
      const fine = /^[ \\t]*#{1,6} \\S/m;
    `);
    expect(found.map(([line]) => line)).toEqual([2, 3, 4, 5]);
    expect(found[0]?.[1]).toContain("2nd degree polynomial");
    expect(found[1]?.[1]).toContain("exponential");
    expect(found[2]?.[1]).toContain("made at run time");
    expect(found[3]?.[1]).toBeNull();
  });
});
