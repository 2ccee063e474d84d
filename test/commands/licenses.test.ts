import { expect, test } from "bun:test";
import type { LicensedPart } from "../../src/commands/licenses.ts";
import { run } from "./run.ts";

const { status, out, err } = await run(["licenses", "--json"]);
const parts = JSON.parse(out) as LicensedPart[];
const named = (name: string): LicensedPart | undefined => parts.find((part) => part.name === name);

test("every part has its license text with the copyright notice", () => {
  expect([status, err]).toEqual([0, ""]);
  expect(parts.length).toBeGreaterThan(150);
  const lacking = parts.filter(
    ({ license, text }) => license === "" || text.length < 400 || !/copyright|\(c\) \d{4}|unlicense/i.test(text),
  );
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test("the runtime, native code, models and data are among the parts", () => {
  expect(named("Carrel")?.text).toContain("Apache License");
  expect(named("Bun")?.version).toBe(Bun.version);
  expect(named("Bun: JavaScriptCore and WebKit")?.text).toMatch(/oven-sh\/WebKit[\s\S]*LESSER GENERAL PUBLIC LICENSE/i);
  expect(named("all-MiniLM-L6-v2")?.text).toContain("SQuAD");
  const crates = parts.find(({ name }) => name.endsWith(": Rust libraries"));
  expect(crates?.text).toMatch(/^--- MIT License: .*tokio \d/m);
  expect(named("pdfjs-dist")?.text).toMatch(/--- LICENSE_OPENJPEG ---[\s\S]*Louvain/);
  expect(named("pdfjs-dist")?.text).toContain("Adobe");
});

test("what the pages are made of is among the parts, what only serves development is not", () => {
  const names = parts.map(({ name }) => name);
  for (const inside of ["preact", "marked", "dompurify", "lucide", "minisearch", "pdfjs-dist"])
    expect(names).toContain(inside);
  for (const absent of ["typescript", "@biomejs/biome", "fast-check", "playwright-core", "detect-libc", "global-agent"])
    expect(names).not.toContain(absent);
});

test("without --json the same is printed as text", async () => {
  const printed = await run(["licenses"]);
  expect(printed.status).toBe(0);
  for (const { name, version, license, text } of parts) {
    expect(printed.out).toContain(`\n${[name, version].filter(Boolean).join(" ")}: ${license}\n`);
    expect(printed.out.includes(text)).toBe(true);
  }
});
