import { expect, test } from "bun:test";
import { isPublicAddress, literalAddress } from "../../../src/ingest/fetch/address.ts";

test.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  "127.0.0.1",
  "127.8.8.8",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:10.1.2.3",
  "fe80::1",
  "fe80::1%eth0",
  "fc00::1",
  "fd12::1",
  "fec0::1",
  "ff02::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:808:808::",
  "2001:0:4136:e378::1",
  "64:ff9b::7f00:1",
  "64:ff9b::a00:1",
  "64:ff9b:1::808:808",
  "::ffff:0:7f00:1",
  "4000::1",
  "localhost",
  "",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("literal addresses are seen in every form that the URL parser takes", () => {
  for (const form of ["0x7f.1", "2130706433", "017700000001", "127.1", "127.0.0.1.", "①②⑦.0.0.1"]) {
    expect(literalAddress(new URL(`http://${form}/`).hostname)).toBe("127.0.0.1");
  }
  expect(literalAddress(new URL("http://[::ffff:127.0.0.1]/").hostname)).toBe("::ffff:7f00:1");
  expect(literalAddress("example.com")).toBeNull();
});
