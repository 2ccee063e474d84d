import { describe, expect, test } from "bun:test";
import { brandOf, withBrand } from "../../../src/web/browser/console/views/chats/brand.ts";

describe("the brand of a chat", () => {
  test("is read under any of its names; what is no text counts as not set", () => {
    expect(brandOf({ primaryColor: "#123456", placeholder: "Ask" })).toEqual({ color: "#123456", placeholder: "Ask" });
    expect(brandOf({ color: 7, accentColor: "#abcdef" })).toEqual({ color: "#abcdef", placeholder: "" });
    expect(brandOf(null)).toEqual({ color: "", placeholder: "" });
  });

  test("is written under one name, and what belongs to other programs stays", () => {
    const settings = { primaryColor: "#123456", placeholder: "Ask", theme: { own: true } };
    expect(withBrand(settings, { color: " #ffee00 ", placeholder: "" })).toEqual({
      theme: { own: true },
      color: "#ffee00",
    });
    expect(withBrand({ color: "#ffee00" }, { color: "", placeholder: " " })).toBeNull();
  });
});
