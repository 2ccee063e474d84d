import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseHTML } from "linkedom";
import type { LicensedPart } from "../../src/commands/licenses.ts";
import { lanceDbAddon } from "../lancedb-addon.ts";
import { onnxRuntimeOfThisSystem } from "../onnx-runtime.ts";
import { readManifest } from "./bundled-packages.ts";
import { text } from "./texts.ts";

/** Data and native code that do not come as packages, or of which a package holds more than its own. */
export const nativeParts = (root: string): LicensedPart[] => [
  {
    name: "all-MiniLM-L6-v2",
    version: null,
    license: "Apache-2.0 AND MIT",
    text: [text("minilm.txt"), text("Apache-2.0"), text("onnxruntime.txt")].join("\n\n"),
  },
  {
    name: "tiktoken (o200k_base)",
    version: null,
    license: "MIT",
    text: `MIT License\n\nCopyright (c) 2022 OpenAI, Shantanu Jain\n\n${text("MIT.txt")}`,
  },
  ...lanceDb(root),
  ...onnxRuntime(root),
];

const lanceDb = (root: string): LicensedPart[] => {
  const { name, version } = readManifest(dirname(lanceDbAddon(join(root, "node_modules"))));
  const crates = readFileSync(join(root, "node_modules/@lancedb/lancedb/RUST_THIRD_PARTY_LICENSES.html"), "utf8");
  return [
    {
      name,
      version,
      license: "Apache-2.0",
      text: `LanceDB and Lance: Copyright The LanceDB Authors\n\n${text("Apache-2.0")}`,
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

const onnxRuntime = (root: string): LicensedPart[] => {
  const nodeModules = join(root, "node_modules");
  if (onnxRuntimeOfThisSystem(nodeModules) === null) return [];
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
