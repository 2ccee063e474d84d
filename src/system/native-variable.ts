import { openCLibrary } from "./c-library.ts";

/** Sets a variable for JavaScript, for children that are given `process.env`, and for native code, which does not see it. */
export const setNativeVariable = (name: string, value: string): void => {
  process.env[name] = value;
  const library = openCLibrary({ setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
  library?.symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
};
