import { text } from "./texts.ts";

const mit = (copyright: string) => ({ license: "MIT", text: `MIT License\n\n${copyright}\n\n${text("MIT.txt")}` });
const microsoft = { license: "MIT", text: text("onnxruntime.txt") };

/**
 * Terms of packages that come without a file of them: the license they declare (snowball-stemmers: that of its
 * repository), with the copyright notice of the project's repository, README or sibling packages. Where none was at hand
 * (boolbase, standardwebhooks) the author is named instead.
 */
export const fallbacks: Readonly<Record<string, { license: string; text: string }>> = {
  "@asciidoctor/core": mit(
    "Copyright (C) 2012-present Dan Allen, Sarah White, Ryan Waldron, and the individual contributors to Asciidoctor.",
  ),
  "@lancedb/lancedb": { license: "Apache-2.0", text: `Copyright The LanceDB Authors\n\n${text("Apache-2.0")}` },
  "@tokenizer/token": mit("Copyright (c) 2020 Borewit"),
  boolbase: { license: "ISC", text: `ISC License\n\nCopyright (c) Felix Boehm\n\n${text("ISC.txt")}` },
  "onnxruntime-common": microsoft,
  "snowball-stemmers": { license: "BSD-3-Clause", text: text("snowball-stemmers.txt") },
  standardwebhooks: mit("Copyright (c) Standard Webhooks"),
};

/** Licenses of packages that ship the text and do not name it in package.json. */
export const undeclared: Readonly<Record<string, string>> = { "unstructured-client": "MIT" };
