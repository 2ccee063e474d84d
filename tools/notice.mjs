// Writes NOTICE: what the one-file program carries beside Carrel's own code. `node tools/notice.mjs`, with everything installed;
// `--check` only says whether it is current.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./install.mjs";

/** Development packages that end up inside the program. */
const embeddedToo = ["@scalar/api-reference", "bun"];

const head = `Carrel
Licensed under the Apache License, Version 2.0 (see LICENSE).

The program that \`npm run build\` makes carries the following.

The model
  all-MiniLM-L6-v2 (sentence-transformers/all-MiniLM-L6-v2), Apache-2.0: its tokenizer's vocabulary, the model itself
  in 8-bit numbers, and the table of word vectors behind \`models.embedding.model: static\`, which was fitted to it
  (tools/static-embedding).

The runtime
  Bun with JavaScriptCore: MIT and others, JavaScriptCore LGPL-2.1; https://bun.com/docs/project/license lists them.

The database
  LanceDB's native addon (@lancedb/lancedb-<system>) with the Rust libraries it is made of: Apache-2.0.

The picture decoders
  In pdfjs-dist, as WebAssembly: jbig2.wasm of PDFium (Copyright The PDFium Authors), BSD-3-Clause and Apache-2.0;
  openjpeg.wasm of OpenJPEG (Copyright Universite catholique de Louvain and others), BSD-2-Clause. Their terms are in
  the folder wasm of that package.

The CMaps
  In pdfjs-dist: what the codes of Chinese, Japanese and Korean fonts mean (Copyright 1990-2009 Adobe Systems
  Incorporated), BSD-3-Clause. Their terms are in the folder cmaps of that package.

The packages
`;

const licenceOf = (path, recorded) => {
  if (typeof recorded === "string") return recorded;
  const { license, licenses } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  return license?.type ?? license ?? licenses?.map((each) => each.type ?? each).join(" or ") ?? "see the package";
};

/** NOTICE as it should be. Packages of other systems than this one carry the same licences as their siblings. */
export const notice = () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const lines = new Set();
  for (const [path, { version, dev, optional, devOptional, license, peer }] of Object.entries(packages)) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const isEmbedded = embeddedToo.includes(name) && path === `node_modules/${name}`;
    if (path === "" || (!isEmbedded && (dev || optional || devOptional || peer))) continue;
    lines.add(`  ${name} ${version}: ${licenceOf(path, license)}`);
  }
  return `${head}${[...lines].sort().join("\n")}\n`;
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = join(root, "NOTICE");
  if (!process.argv.includes("--check")) writeFileSync(file, notice());
  else if (readFileSync(file, "utf8") !== notice()) {
    console.error("NOTICE is not current: run `node tools/notice.mjs`.");
    process.exitCode = 1;
  }
}
