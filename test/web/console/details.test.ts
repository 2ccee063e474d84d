import { describe, expect, test } from "bun:test";
import {
  fieldFaultsOf,
  maxMetadataBytes,
  metadataText,
  readMetadataText,
} from "../../../src/web/browser/console/views/document/details.ts";

describe("metadata as text", () => {
  test("is read as it was written; nothing is no metadata", () => {
    const metadata = { source: "handbook", year: 2026, tags: ["a", null] };
    expect(readMetadataText(metadataText(metadata))).toMatchObject({
      fault: null,
      metadata: { source: "handbook", year: 2026, tags: ["a", null] },
    });
    expect(metadataText(null)).toBe("");
    for (const text of ["", " \n"]) expect(readMetadataText(text)).toEqual({ fault: null, metadata: null, bytes: 0 });
    expect(readMetadataText("{}")).toEqual({ fault: null, metadata: {}, bytes: 2 });
  });

  test.each([
    ["{ a: 1 }", "syntax"],
    ['{ "a": 1, }', "syntax"],
    ["null", "noObject"],
    ['"text"', "noObject"],
    ["[{}]", "noObject"],
    ['{ "a": [{ "b": -1e400 }] }', "number"],
  ] as const)("%s: %s", (text, fault) => expect(readMetadataText(text).fault).toBe(fault));

  test("counts bytes as the server does: of JSON without spaces, in UTF-8", () => {
    const around = '{"a":""}'.length;
    const fitting = JSON.stringify({ a: "ä".repeat((maxMetadataBytes - around) / 2) }, null, 2);
    expect(readMetadataText(fitting)).toMatchObject({ fault: null, bytes: maxMetadataBytes });
    expect(readMetadataText(fitting.replace("ä", "äx"))).toMatchObject({
      fault: "tooLarge",
      bytes: maxMetadataBytes + 1,
    });
  });
});

describe("a failure of the server", () => {
  const failure = (code: string, errors?: { path: string; message: string }[]) =>
    Object.assign(new Error("What happened."), { problem: { code, errors } });

  test("stands at the fields that it names", () => {
    const errors = [
      { path: "name", message: "must not be empty" },
      { path: "metadata.a", message: "must not hold NUL" },
    ];
    expect(fieldFaultsOf(failure("invalid_request", errors))).toEqual({
      fields: { name: "must not be empty", metadata: "metadata.a: must not hold NUL" },
      other: null,
    });
    expect(fieldFaultsOf(failure("partition_not_found")).fields).toEqual({ partitionId: "What happened." });
  });

  test("of none of them is told below", () => {
    const busy = failure("document_busy");
    expect(fieldFaultsOf(busy)).toEqual({ fields: {}, other: busy });
    const other = new Error("no connection");
    expect(fieldFaultsOf(other)).toEqual({ fields: {}, other });
    expect(fieldFaultsOf(null)).toEqual({ fields: {}, other: null });
  });
});
