import { existsSync } from "node:fs";

/** Where Chromium is, if it is installed: `CHROMIUM`, else the usual names and places. */
export const chromiumPath: string | null =
  [
    process.env.CHROMIUM ?? null,
    ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map((name) => Bun.which(name)),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ].find((path) => path !== null && existsSync(path)) ?? null;

export const whyNoBrowser = "no Chromium is installed (or set CHROMIUM to where it is)";
