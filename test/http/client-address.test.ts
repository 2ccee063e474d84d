import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { baseUrlOf, createClientFinder } from "../../src/http/handler.ts";

const forwarded = (value: string, more: Record<string, string> = {}) =>
  new Headers({ "x-forwarded-for": value, ...more });

describe("createClientFinder", () => {
  const find = createClientFinder(["10.0.0.0/8", "::1", "192.0.2.7"]);

  test("without trusted proxies the headers count for nothing", () => {
    const client = createClientFinder([])("203.0.113.9", forwarded("1.2.3.4", { "x-forwarded-proto": "https" }));
    expect(client).toEqual({ address: "203.0.113.9", protocol: null, host: null });
  });

  test("the last address that is no trusted proxy's counts", () => {
    expect(find("10.1.1.1", forwarded("6.6.6.6, 203.0.113.9, 10.2.2.2")).address).toBe("203.0.113.9");
    expect(find("::ffff:10.1.1.1", forwarded("203.0.113.9")).address).toBe("203.0.113.9");
    expect(find("::1", forwarded("2001:db8::5")).address).toBe("2001:db8::5");
    expect(find("192.0.2.7", forwarded("")).address).toBe("192.0.2.7");
    expect(find("192.0.2.8", forwarded("1.2.3.4")).address).toBe("192.0.2.8");
  });

  test("what is no address ends the search at the proxy that sent it", () => {
    expect(find("10.1.1.1", forwarded("203.0.113.9, unknown")).address).toBe("10.1.1.1");
    expect(find(null, forwarded("1.2.3.4")).address).toBe("local");
  });

  test("no header makes it fail", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const clean = value.replace(/[^\x20-\x7e]/g, "");
        expect(typeof find("10.0.0.1", forwarded(clean)).address).toBe("string");
      }),
    );
  });

  test("a range that is none is named", () => {
    expect(() => createClientFinder(["10.0.0.0/99"])).toThrow("10.0.0.0/99 is neither an address nor a CIDR range");
  });
});

describe("baseUrlOf", () => {
  const tls = { certificate: null, key: null, hstsMaxAgeSeconds: 0 };
  const server = { baseUrl: null, host: "127.0.0.1", port: 7373, tls };
  const direct = { address: "203.0.113.9", protocol: null, host: null };

  test("setting, then trusted proxy, then Host, then where it listens", () => {
    expect(baseUrlOf({ ...server, baseUrl: "https://docs.example/carrel/" }, direct, "other")).toBe(
      "https://docs.example/carrel",
    );
    expect(baseUrlOf(server, { ...direct, protocol: "https", host: "docs.example" }, "inner:7373")).toBe(
      "https://docs.example",
    );
    expect(baseUrlOf(server, direct, "nas:7373")).toBe("http://nas:7373");
    expect(baseUrlOf({ ...server, tls: { ...tls, certificate: "/a.pem" } }, direct, "nas")).toBe("https://nas");
    expect(baseUrlOf(server, direct, "[::1]:7373")).toBe("http://[::1]:7373");
    expect(baseUrlOf(server, direct, null)).toBe("http://127.0.0.1:7373");
  });

  test("a Host that is none is not repeated", () => {
    for (const host of ["a b", "evil.example/x", "<script>", "a:b", "user@evil.example"]) {
      expect(baseUrlOf(server, direct, host)).toBe("http://127.0.0.1:7373");
    }
  });
});
