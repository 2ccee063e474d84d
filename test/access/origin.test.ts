import { expect, test } from "bun:test";
import { checkOrigin } from "../../src/access/visitor.ts";

const isAllowed = (origin: string | null, publicOrigins: string[], apiOrigins: string[] = []): boolean => {
  const request = new Request("http://127.0.0.1:7373/api/chat/x", { headers: origin === null ? {} : { origin } });
  const config = { server: { allowedOrigins: apiOrigins }, publicChats: { allowedOrigins: publicOrigins } };
  try {
    checkOrigin(request, "https://ask.example/base", config as unknown as Parameters<typeof checkOrigin>[2]);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ["no origin", null, [], true],
  ["this server's own pages", "https://ask.example", [], true],
  ["the same host over http", "http://ask.example", [], false],
  ["another site", "https://other.example", [], false],
  ["a sandboxed page", "null", [], false],
  ["one that is named", "https://other.example", ["https://other.example"], true],
  ["named with a slash and capitals", "https://other.example", ["https://Other.example/"], true],
  ["one that begins like a named one", "https://other.example.evil", ["https://other.example"], false],
  ["any", "https://other.example", ["*"], true],
] as const)("%s", (_name, origin, allowed, expected) => {
  expect(isAllowed(origin, [...allowed])).toBe(expected);
});

test("one that may use the whole API", () => {
  expect(isAllowed("https://intranet.example", [], ["https://intranet.example"])).toBe(true);
});
