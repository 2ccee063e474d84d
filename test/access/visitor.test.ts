import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newVisitor, readVisitorToken, recognizeVisitor, visitorToken } from "../../src/access/visitor.ts";

const secret = new Uint8Array(32).fill(7);
const now = 1_800_000_000_000;
const dayMs = 86_400_000;
const ages = { of: (writtenAt: number) => now - writtenAt };
const options = { secret, tokenDays: 10, baseUrl: "http://127.0.0.1:7373", now, ages };
const request = (headers: Record<string, string>) => new Request("http://127.0.0.1:7373/api/chat/x", { headers });
const tokenFor = (days: number) => {
  const visitor = newVisitor(now + days * dayMs);
  return { visitor, token: visitorToken(secret, visitor) };
};

describe("recognizeVisitor", () => {
  test("falls back to the cookie where the header is not valid", () => {
    const { visitor, token } = tokenFor(9);
    const found = recognizeVisitor(
      request({ "X-Visitor-Token": "nonsense", cookie: `carrel_visitor=${token}` }),
      options,
    );
    expect(found.id).toBe(visitor.id);
  });

  test("makes a new visitor where there is no valid token", () => {
    const { visitor, token } = tokenFor(-1);
    const cases: Record<string, string>[] = [{}, { "X-Visitor-Token": token }, { cookie: "carrel_visitor=v1.x.y.z" }];
    for (const headers of cases) {
      const found = recognizeVisitor(request(headers), options);
      expect(found.isKnown).toBe(false);
      expect(found.id).not.toBe(visitor.id);
      expect(
        recognizeVisitor(request({ "X-Visitor-Token": found.headers["X-Visitor-Token"] ?? "" }), options),
      ).toMatchObject({ id: found.id, isKnown: true });
    }
  });

  test("knows a visitor while the clock is years ahead, and renews what it dated", () => {
    const { visitor, token } = tokenFor(9);
    const ahead = now + 1_500 * dayMs;
    const found = recognizeVisitor(request({ cookie: `carrel_visitor=${token}` }), { ...options, now: ahead });
    expect(found).toMatchObject({ id: visitor.id, isKnown: true, expiresAt: ahead + 10 * dayMs });
    const right = recognizeVisitor(request({ "X-Visitor-Token": found.headers["X-Visitor-Token"] ?? "" }), options);
    expect(right).toMatchObject({ id: visitor.id, isKnown: true, expiresAt: now + 10 * dayMs });
  });

  test("renews a token past half its life for the same visitor", () => {
    const { visitor, token } = tokenFor(4);
    const found = recognizeVisitor(request({ cookie: `carrel_visitor=${token}` }), options);
    expect(found).toMatchObject({ id: visitor.id, isKnown: true, expiresAt: now + 10 * dayMs });
    expect(found.headers["Set-Cookie"]).toContain(`carrel_visitor=${found.headers["X-Visitor-Token"]};`);
  });

  test("lets the cookie go to other sites over https alone", () => {
    const attributes = (baseUrl: string) =>
      recognizeVisitor(request({}), { ...options, baseUrl }).headers["Set-Cookie"]?.replace(/^[^;]+/, "");
    expect(attributes("https://ask.example")).toBe("; Path=/; Max-Age=864000; HttpOnly; SameSite=None; Secure");
    expect(attributes("http://127.0.0.1:7373")).toBe("; Path=/; Max-Age=864000; HttpOnly; SameSite=Lax");
  });
});

describe("visitor tokens", () => {
  const { visitor, token } = tokenFor(1);

  test("of another secret are refused", () => {
    expect(readVisitorToken(new Uint8Array(32).fill(8), token)).toBeNull();
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
    const later = visitorToken(secret, { ...visitor, expiresAt: now + 2 * dayMs }).split(".");
    expect(readVisitorToken(secret, [...later.slice(0, 3), signature].join("."))).toBeNull();
  });
});
