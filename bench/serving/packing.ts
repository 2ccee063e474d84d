/**
 * What the parts of the binary take when they are compressed, and how long unpacking them takes:
 *
 *     bun bench/serving/packing.ts [--levels 3,9,12] [--pieces 1,4,16]
 *
 * Pieces are in MiB; 0 is the whole file at once. Level 19 takes minutes.
 */
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { lanceDbAddon } from "../../tools/lancedb-addon.ts";
import { onnxRuntimeFor } from "../../tools/onnx-runtime.ts";
import { stripSymbols } from "../../tools/release/strip-symbols.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { levels: { type: "string", default: "3,9,12" }, pieces: { type: "string", default: "0,1,4,16" } },
});
const numbers = (list: string): number[] => list.split(",").map(Number);
const root = resolve(import.meta.dir, "../..");
const nodeModules = join(root, "node_modules");

const addon = await Bun.file(lanceDbAddon(nodeModules)).bytes();
const parts = new Map([
  ["LanceDB's addon", addon],
  ["the same without symbols", stripSymbols(addon)],
]);
const others = [
  ...(onnxRuntimeFor(nodeModules)?.libraries ?? []),
  join(root, "providers/builtin/minilm/model.onnx"),
  join(root, "providers/builtin/static/table.bin"),
  join(root, "providers/builtin/wordpiece/vocabulary.txt"),
  join(root, "src/text/word-frequency/frequencies.bin"),
  join(root, "src/text/inflections/inflections.bin"),
  join(nodeModules, "gpt-tokenizer/data/o200k_base.tiktoken"),
];
for (const path of others) parts.set(basename(path), await Bun.file(path).bytes());

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

console.log("| part | MB | level | pieces, MiB | packed, MB | unpacking, CPU ms |\n|---|---|---|---|---|---|");
for (const [name, content] of parts)
  for (const level of numbers(values.levels))
    for (const mebibytes of numbers(values.pieces)) {
      const pieceBytes = mebibytes === 0 ? content.length : mebibytes * 1024 ** 2;
      if (mebibytes !== 0 && pieceBytes >= content.length) continue;
      const packed: Uint8Array<ArrayBuffer>[] = [];
      for (let at = 0; at < content.length; at += pieceBytes)
        packed.push(new Uint8Array(Bun.zstdCompressSync(content.subarray(at, at + pieceBytes), { level })));
      const before = process.cpuUsage();
      for (const piece of packed) Bun.zstdDecompressSync(piece);
      const { user, system } = process.cpuUsage(before);
      const total = packed.reduce((sum, piece) => sum + piece.length, 0);
      console.log(
        `| ${name} | ${megabytes(content.length)} | ${level} | ${mebibytes === 0 ? "whole" : mebibytes} | ${megabytes(total)} | ${((user + system) / 1000).toFixed(0)} |`,
      );
    }
