import { familySync, MUSL } from "detect-libc";

/** A system that the program can be made for. */
export interface Target {
  /** As in `--target linux-x64`. */
  name: string;
  platform: "linux" | "darwin" | "win32";
  arch: "x64" | "arm64";
  isMusl: boolean;
  /** Packages that hold LanceDB's addon and Bun. */
  lanceDb: string;
  bun: string;
}

const target = (platform: Target["platform"], arch: Target["arch"], isMusl = false): Target => {
  const musl = isMusl ? "-musl" : "";
  const lanceDbLibc = { linux: isMusl ? "-musl" : "-gnu", darwin: "", win32: "-msvc" }[platform];
  const bunSystem = platform === "win32" ? "windows" : platform;
  return {
    name: `${bunSystem}-${arch}${musl}`,
    platform,
    arch,
    isMusl,
    lanceDb: `@lancedb/lancedb-${platform}-${arch}${lanceDbLibc}`,
    bun: `@oven/bun-${bunSystem}-${arch === "arm64" ? "aarch64" : arch}${musl}`,
  };
};

/** What a release holds. */
export const releaseTargets: readonly Target[] = [
  target("linux", "x64"),
  target("linux", "arm64"),
  target("darwin", "arm64"),
  target("win32", "x64"),
];

/** Can be made, but is in no release: MiniLM does not run there. */
const otherTargets: readonly Target[] = [target("linux", "x64", true), target("linux", "arm64", true)];

/** What no program is made for, and why: the build says it, and docs/install.md. */
export const unsupportedTargets: readonly { name: string; reason: string }[] = [
  { name: "darwin-x64 (Intel Macs)", reason: "LanceDB publishes no addon for it" },
  { name: "windows-arm64", reason: "not tried" },
  {
    name: "linux-x64-musl, linux-arm64-musl (Alpine)",
    reason: "onnxruntime has no library for musl: `--target linux-x64-musl` makes a program without MiniLM",
  },
];

/**
 * The system that this process runs on. On Linux the C library is the one that Bun runs on, for the program is made of it:
 * a second one may be installed beside it, as Debian's package `musl` does.
 * @throws Error on a system that nothing is made for
 */
export const thisTarget = (): Target => {
  const { platform, arch } = process;
  const isMusl = platform === "linux" && familySync() === MUSL;
  const found = [...releaseTargets, ...otherTargets].find(
    (one) => one.platform === platform && one.arch === arch && one.isMusl === isMusl,
  );
  if (found === undefined) throw new Error(`Nothing can be built for ${platform} ${arch}.`);
  return found;
};

/** @throws Error that lists the names */
export const targetNamed = (name: string): Target => {
  const all = [...releaseTargets, ...otherTargets];
  const found = all.find((one) => one.name === name);
  if (found === undefined)
    throw new Error(`There is no target ${name}; there are ${all.map((one) => one.name).join(", ")}.`);
  return found;
};
