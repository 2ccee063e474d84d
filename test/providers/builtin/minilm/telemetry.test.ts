import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { prepareOnnxRuntime } from "../../../../providers/builtin/minilm/runtime.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const isInstalled = await prepareOnnxRuntime(null, "").then(
  () => true,
  () => false,
);
const minilm = new URL("../../../../providers/builtin/minilm/", import.meta.url);

const program = `
  const { createMiniLmEmbedding } = await import(${JSON.stringify(new URL("embedding.ts", minilm).href)});
  const workerUrl = ${JSON.stringify(new URL("worker.ts", minilm).href)};
  const model = await createMiniLmEmbedding({ threads: 1, timeoutMs: 60000, runtime: null, runtimeFolder: "", workerUrl });
  const [vector] = await model.embed(["The reading room"], "document", new AbortController().signal);
  await model.close();
  console.log(vector.length);
  process.exit(0);
`;

/** With its telemetry on, onnxruntime begins by keeping an identifier and a queue of events there. */
test.skipIf(!isInstalled)("onnxruntime notes nothing about the user that it could send", async () => {
  const home = await temporaryFolder("home");
  // Of the environment of a build server nothing is handed on: there it keeps its telemetry off by itself.
  const child = Bun.spawn([process.execPath, "-e", program], {
    env: { PATH: process.env.PATH, HOME: home },
    stdout: "pipe",
    stderr: "inherit",
  });
  expect((await new Response(child.stdout).text()).trim()).toBe("384");
  const ofOthers = (name: string) => name !== ".bun" && !name.startsWith(".bun/");
  expect((await readdir(home, { recursive: true })).filter(ofOthers)).toEqual([]);
});
