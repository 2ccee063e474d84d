import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { maxErrorsOfTerm, maxTypingErrors, typingErrors } from "../../../src/text/spelling.ts";

describe("typing errors of a word", () => {
  test.each([
    ["a letter that is missing", "waranty", "warranty", 1],
    ["a letter too many", "warrranty", "warranty", 1],
    ["another letter", "wartanty", "warranty", 1],
    ["two neighbors in each other's place", "warratny", "warranty", 1],
    ["the same at the end", "warranyt", "warranty", 1],
    ["two letters", "waranti", "warranty", 2],
    ["none", "warranty", "warranty", 0],
    ["another first letter", "bacaciones", "vacaciones", 2],
    ["a first letter that is missing", "ospital", "hospital", 2],
    ["marks that are missing", "kundigung", "kündigung", 1],
    ["another alphabet", "варшва", "варшава", 1],
  ])("%s", (_, written, meant, errors) => {
    expect(typingErrors(written, meant, 2)).toBe(errors);
  });

  test("more than may be there are another word", () => {
    expect(typingErrors("waranti", "warranty", 1)).toBeNull();
    expect(typingErrors("parranty", "warranty", 1)).toBeNull();
    expect(typingErrors("awrranti", "warranty", 2)).toBeNull();
    expect(typingErrors("warranty", "warrant of arrest", 2)).toBeNull();
    expect(typingErrors("warranty", "warratny", 0)).toBeNull();
  });

  test("one letter put in, left out or changed is one error at most, and both ways the same", () => {
    const word = fc.string({ minLength: 2, maxLength: 12, unit: fc.constantFrom(..."abcdé") });
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom(..."abcdé"), fc.nat(2), (meant, place, letter, kind) => {
        const at = 1 + (place % (meant.length - 1));
        const rest = kind === 0 ? meant.slice(at) : meant.slice(at + 1);
        const written = meant.slice(0, at) + (kind === 1 ? "" : letter) + rest;
        expect(typingErrors(written, meant, 1)).not.toBeNull();
        expect(typingErrors(written, meant, 1)).toBe(typingErrors(meant, written, 1));
      }),
    );
  });
});

test("short words have none, long ones two; a short stem has one", () => {
  expect([4, 5, 8, 9, 30].map(maxTypingErrors)).toEqual([0, 1, 1, 2, 2]);
  expect(["rea", "raed", "descal", "warrant"].map((term) => maxErrorsOfTerm(term, 2))).toEqual([0, 1, 1, 2]);
});
