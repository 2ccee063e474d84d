import { readFileSync } from "node:fs";

/** A text of `texts/`; `Apache-2.0` is Carrel's own license. */
export const text = (name: string): string =>
  readFileSync(new URL(name === "Apache-2.0" ? "../../LICENSE" : `texts/${name}`, import.meta.url), "utf8").trim();
