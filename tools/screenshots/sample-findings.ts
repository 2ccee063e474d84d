import type { Page } from "playwright-core";
import type { Finding } from "../../src/health/checkup.ts";

const fine = (check: string, detail: string): Finding => ({ check, status: "ok", detail, fix: null });

/** Of a machine that is made up: the real one's paths and figures are nobody's business. */
const findings: Finding[] = [
  fine("processor", "The processor has AVX2."),
  fine("memory", "Carrel may use 8192 MB, 5210 MB are free now."),
  fine("data folder", "/srv/carrel is writable, and other users have no access."),
  fine("file system", "The data folder is on ext4, mounted at /srv."),
  {
    check: "disk space",
    status: "warning",
    detail: "The disk is nearly full: 812 MB of 40 GB are left on the disk of /srv/carrel.",
    fix: "Free some space, enlarge the disk, or move the data folder to a larger one.",
  },
  fine("store", "A server runs on the store, and is ready."),
  {
    check: "models",
    status: "failed",
    detail: "models.answer: Ollama at http://127.0.0.1:11434 cannot be reached (connection refused).",
    fix: "Start it with `ollama serve` or correct models.answer.baseUrl.",
  },
  fine("models", "models.embedding: static of builtin answers, with vectors of 256 numbers."),
  fine("parser", "The built-in parser reads files."),
  {
    check: "backup",
    status: "warning",
    detail: "There is no backup.",
    fix: "Set backup.path and backup.every, or run `carrel backup TARGET`.",
  },
];

/** Has the settings look at everything, on that machine. */
export const showFindings = async (page: Page): Promise<void> => {
  await page.route("**/api/doctor", (route) =>
    route.fulfill({ json: { checkedAt: new Date().toISOString(), findings } }),
  );
  await page.getByRole("button", { name: "Check everything" }).click();
  await page.locator(".findings").first().waitFor();
};
