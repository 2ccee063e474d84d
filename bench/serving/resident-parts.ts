import { readFileSync } from "node:fs";

/** What the resident set of a server consists of, in MB (Linux). */
export interface ResidentParts {
  /** Pages of files: code of Bun and LanceDB, which the system can drop at any time. */
  code: number;
  /** Bun's allocator (mimalloc): JavaScript's objects, and everything of Bun's own. */
  bun: number;
  /** The C library's heaps: what LanceDB and onnxruntime hold, and what they freed that is still there. */
  native: number;
  /** Compiled JavaScript. */
  jit: number;
  /** Stacks of threads, large single pieces of memory. */
  other: number;
}

const heading = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)$/;
const megabyte = 1_048_576;
/** The C library's heaps of threads begin at multiples of this; neighbors are listed as one. */
const cHeapBytes = 64 * megabyte;
/** Bun's allocator reserves a gigabyte at a time. */
const bunReservesBytes = 512 * megabyte;

const partOf = (address: number, bytes: number, rights: string, name: string): keyof ResidentParts => {
  if (name.startsWith("/")) return "code";
  if (rights.includes("x")) return "jit";
  if (name === "[heap]") return "native";
  if (bytes >= bunReservesBytes) return "bun";
  if (address % cHeapBytes === 0 && name === "") return "native";
  return "other";
};

export const residentParts = (pid: number): ResidentParts => {
  const parts: ResidentParts = { code: 0, bun: 0, native: 0, jit: 0, other: 0 };
  let part: keyof ResidentParts = "other";
  for (const line of readFileSync(`/proc/${pid}/smaps`, "utf8").split("\n")) {
    const found = heading.exec(line);
    if (found !== null) {
      const [, from = "", to = "", rights = "", name = ""] = found;
      const address = Number.parseInt(from, 16);
      part = partOf(address, Number.parseInt(to, 16) - address, rights, name);
    }
    const [, kilobytes] = /^Rss: +(\d+) kB$/.exec(line) ?? [];
    if (kilobytes !== undefined) parts[part] += Number(kilobytes) / 1024;
  }
  return parts;
};

/** Names of the parts, as they are printed. */
export const partNames: Record<keyof ResidentParts, string> = {
  code: "code",
  bun: "Bun",
  native: "native",
  jit: "JIT",
  other: "other",
};

export const describeParts = (parts: ResidentParts): string => {
  const mb = (value: number) => value.toFixed(0);
  const total = Object.values(parts).reduce((sum, value) => sum + value, 0);
  const each = Object.entries(partNames).map(([part, name]) => `${name} ${mb(parts[part as keyof ResidentParts])}`);
  return `${mb(total)} MB: ${each.join(", ")}`;
};
