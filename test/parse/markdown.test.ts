import { expect, test } from "bun:test";
import { threadCpuMs } from "../thread-cpu.ts";
import { parseBytes } from "./test-parser.ts";

const read = (text: string) => parseBytes(text, { name: "note.md" });

test("a front matter's author, dates and tags are properties of the file; its text stays", async () => {
  const note = `---
title: "Plan: the move"
authors: [Ann Lee, {name: Bo Ek}]
date: 2024-03-01
lastmod: 2024-03-02T10:00:00Z
tags: [projects/move, "#office"]
keywords: lift, keys
category: Notes
externalId: 7
---

# The move
`;
  expect(await read(note)).toEqual({
    title: "Plan: the move",
    text: note.trim(),
    pages: [],
    mimeType: "text/markdown",
    warnings: [],
    properties: {
      author: "Ann Lee, Bo Ek",
      date: "2024-03-01",
      updated: "2024-03-02T10:00:00Z",
      tags: ["projects/move", "office"],
      keywords: ["lift", "keys"],
      categories: ["Notes"],
    },
  });
  expect((await read("---\r\ntags:\r\n  - a\r\n  - b\r\n---\r\ntext")).properties).toEqual({ tags: ["a", "b"] });
  expect((await read("---\ntags: a b\n---")).properties).toEqual({ tags: ["a", "b"] });
  const authors =
    "---\nauthors:\n  - name: Ann Lee\n    url: https://a.example\n  - Bo Ek\nsummary: >\n  One line\n---\n";
  expect((await read(`${authors}text`)).properties).toEqual({ author: "Ann Lee, Bo Ek", description: "One line" });
});

test("what is no front matter, or is broken, is text", async () => {
  for (const text of ["---\na: [\n---\ntext", "text\n---\nauthor: a\n---", "---\n- a\n---\ntext", "# C #tag\n\ntext"])
    expect(await read(text)).toMatchObject({ text, warnings: [] });
  const began = threadCpuMs();
  for (const sign of ["[", "{", "- ", "'", "? ", "&a *a "])
    await read(`---\ntags: ${sign.repeat(18_000 / sign.length)}\n---\ntext`);
  expect(threadCpuMs() - began).toBeLessThan(1_000);
});

test("links, embedded files and callouts of Obsidian become words, and its tags are properties", async () => {
  const note = [
    "Call [[People/Ann Lee|Ann]] about [[Lift]] and [[Lift#Key code|the code]], see [[#Dates]], ![[plan.png|300]].",
    "",
    "> [!warning]- Do not forget",
    "> the **keys**. #urgent",
    "> > [!note]",
    "",
    "Not `[[code]]`, #1, [[1]](https://example.com/1) or https://example.com/#part. (#office/berlin)",
    "```sh",
    "[[ -f a ]] # [[no]] #no",
    "```",
  ].join("\n");
  const { text, properties } = await read(note);
  expect(text.split("\n")).toEqual([
    "Call Ann (People/Ann Lee) about Lift and the code (Lift > Key code), see Dates, plan.png.",
    "",
    "> **Warning:** Do not forget",
    "> the **keys**. #urgent",
    "> > **Note:**",
    "",
    "Not `[[code]]`, #1, [[1]](https://example.com/1) or https://example.com/#part. (#office/berlin)",
    "```sh",
    "[[ -f a ]] # [[no]] #no",
    "```",
  ]);
  expect(properties).toEqual({ tags: ["urgent", "office/berlin"] });
});
