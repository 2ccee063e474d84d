import { dlopen } from "bun:ffi";

/** Sets a variable for JavaScript, for children that are given `process.env`, and for native code, which does not see it. */
export const setNativeVariable = (name: string, value: string): void => {
  process.env[name] = value;
  if (process.platform !== "linux" && process.platform !== "darwin") return;
  const musl = `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`;
  for (const library of process.platform === "darwin" ? ["libSystem.B.dylib"] : ["libc.so.6", musl]) {
    try {
      const { symbols } = dlopen(library, { setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
      symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
      return;
    } catch {
      // The next name may be there.
    }
  }
};
