import workerFile from "pdfjs-dist/build/pdf.worker.min.mjs" with { type: "file" };

/** Beside this script. */
const workerPath = new URL(workerFile, import.meta.url).href;

/** As the page's policy names it (src/web/page-response.ts). */
const policyName = "carrel-worker";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): unknown };
}

let address: unknown = null;

/** The worker's file as the policy of the page wants it: this one address, whatever is asked for. */
const workerAddress = (): string => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  address ??= trustedTypes?.createPolicy(policyName, { createScriptURL: () => workerPath }).createScriptURL("");
  return (address ?? workerPath) as string;
};

/** A new worker that reads PDFs. End it with `terminate`. */
export const startPdfWorker = (): Worker => new Worker(workerAddress(), { type: "module" });
