import type { LicensedPart } from "../../src/commands/licenses.ts";
import { text } from "./texts.ts";

const apache = "Apache-2.0";
const mit = "MIT";

/** What Bun says it is linked with (LICENSE.md of its repository), and the texts in `texts/bun/`. */
const libraries: readonly (readonly [name: string, license: string, file?: string])[] = [
  ["boringssl", "Apache-2.0 AND ISC AND MIT AND BSD-3-Clause"],
  ["brotli", mit],
  ["c-ares", mit],
  ["esbuild", mit],
  ["highway", "Apache-2.0 OR BSD-3-Clause", apache],
  ["libarchive", "BSD-2-Clause AND LicenseRef-libarchive"],
  ["libbase64", "BSD-2-Clause"],
  ["libdeflate", mit],
  ["libicu", "Unicode-DFS-2016 AND LicenseRef-icu-third-party"],
  ["libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib"],
  ["libspng", "BSD-2-Clause"],
  ["libwebp", "BSD-3-Clause"],
  ["lol-html", "BSD-3-Clause"],
  ["ls-hpack", mit],
  ["ls-qpack", mit],
  ["lsquic", "MIT AND BSD-3-Clause"],
  ["mimalloc", mit],
  ["picohttp", mit],
  ["simdutf", "Apache-2.0 OR MIT", apache],
  ["tigerbeetle (parts)", apache, apache],
  ["uSockets", apache, apache],
  ["uWebSockets", apache, apache],
  ["uucode", mit],
  ["zlib-ng", "Zlib"],
  ["zstd", "BSD-3-Clause OR GPL-2.0-only"],
];

/** Packages that Bun embeds for modules of Node and of browsers. */
const polyfills = `acorn acorn-walk assert browserify-zlib buffer constants-browserify crypto-browserify domain-browser
events https-browserify os-browserify path-browserify process punycode querystring-es3 stream-browserify stream-http
string_decoder timers-browserify tty-browserify url util vm-browserify`.split(/\s+/);

const within = (name: string): string => `Bun: ${name}`;
const lgpl = (notice: string): string => [notice, text("LGPL-2.0.txt"), text("LGPL-2.1.txt")].join("\n\n");

/** Bun, which the program is made of, with everything in it. */
export const runtimeParts = (version: string): LicensedPart[] => [
  { name: "Bun", version, license: mit, text: text("bun.txt") },
  {
    name: within("JavaScriptCore and WebKit"),
    version: null,
    license: "LGPL-2.0-or-later AND LGPL-2.1-or-later AND BSD-2-Clause",
    text: lgpl(text("webkit.txt")),
  },
  {
    name: within("tinycc"),
    version: null,
    license: "LGPL-2.1-or-later",
    text: lgpl("Copyright (c) 2001-2004 Fabrice Bellard and others\n\nSources: https://github.com/tinycc/tinycc"),
  },
  {
    name: within("libc++abi of LLVM (parts)"),
    version: null,
    license: "Apache-2.0 WITH LLVM-exception",
    text: `${text(apache)}\n\n${text("LLVM-exception.txt")}`,
  },
  ...libraries.map(([name, license, file]) => ({
    name: within(name),
    version: null,
    license,
    text: text(file ?? `bun/${name}.txt`),
  })),
  ...polyfills.map((name) => ({ name: within(name), version: null, license: mit, text: text(`bun/${name}.txt`) })),
];
