import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newVisitor, readVisitorToken, visitorToken } from "../../src/access/visitor.ts";

const secret = new Uint8Array(32).fill(7);
const now = 1_800_000_000_000;
const visitor = newVisitor(now + 1000);
const token = visitorToken(secret, visitor);

describe("visitor tokens", () => {
  test("are read back as they were made", () => {
    expect(readVisitorToken(secret, token)).toEqual(visitor);
  });

  test("hold nothing a cookie or header could not carry", () => {
    expect(token).toMatch(/^[A-Za-z0-9._-]+$/);
  });

  test("are another visitor's each time", () => {
    expect(newVisitor(now).id).not.toBe(newVisitor(now).id);
  });

  test("of another secret are refused", () => {
    expect(readVisitorToken(new Uint8Array(32).fill(8), token)).toBeNull();
  });

  test("cut short or lengthened are refused", () => {
    for (let length = 0; length < token.length; length++) {
      expect(readVisitorToken(secret, token.slice(0, length))).toBeNull();
    }
    expect(readVisitorToken(secret, `${token}A`)).toBeNull();
    expect(readVisitorToken(secret, `${token} `)).toBeNull();
  });

  test("changed in any one character are refused", () => {
    const alphabet = "ABCabc019-_.";
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...alphabet), (at, character) => {
        fc.pre(token[at] !== character);
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect(readVisitorToken(secret, changed)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test("cannot take over another one's signature", () => {
    const [, , , signature] = token.split(".");
    const later = visitorToken(secret, { ...visitor, expiresAt: now + 1_000_000 }).split(".");
    expect(readVisitorToken(secret, [...later.slice(0, 3), signature].join("."))).toBeNull();
  });

  test("made of any text are refused", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readVisitorToken(secret, text)).toBeNull();
      }),
    );
  });
});
