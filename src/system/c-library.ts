import { dlopen, type FFIFunction } from "bun:ffi";

const names: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
};

/**
 * Functions of the C library that Node's API lacks, with the library's name.
 * @returns null where there is no such library (Windows), or none that has all of them
 */
export const openCLibrary = <Functions extends Record<string, FFIFunction>>(functions: Functions) => {
  for (const name of names[process.platform] ?? []) {
    try {
      return { name, symbols: dlopen(name, functions).symbols };
    } catch {
      // Another name may be found.
    }
  }
  return null;
};

/** Sets a variable for JavaScript, for children that are given `process.env`, and for native code, which does not see it. */
export const setNativeVariable = (name: string, value: string): void => {
  process.env[name] = value;
  const library = openCLibrary({ setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
  library?.symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
};
