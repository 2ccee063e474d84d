import { expect, test } from "bun:test";
import { defaultConfig } from "../../config/load.ts";
import { prepareOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import { chooseBuiltin } from "../../src/runtime/configured-models.ts";
import type { EmbeddedParts } from "../../src/runtime/embedded-parts.ts";

const { embedding } = defaultConfig().models;
const isInstalled = await prepareOnnxRuntime(null, "").then(
  () => true,
  () => false,
);
const part = (name: string) => ({ name, file: name, bytes: 0, sha256: "", pieces: [] });
const onnxRuntime = { binding: part("a"), libraries: [part("b")] };
const binary = (own: EmbeddedParts["onnxRuntime"]) => ({ onnxRuntime: own }) as EmbeddedParts;

test("auto is the default, and MiniLM on one thread where it runs", async () => {
  expect(embedding.model).toBe("auto");
  for (const model of ["auto", null]) {
    const { settings, ...rest } = await chooseBuiltin({ ...embedding, model }, binary(onnxRuntime), 2e9);
    expect([settings.model, settings.threads, rest]).toEqual(["minilm", 1, { isOptional: true, reason: null }]);
  }
});

test("with less than 2 GB of memory, or no runtime, auto is static and says why", async () => {
  const small = await chooseBuiltin(embedding, binary(onnxRuntime), 1_999_999_999);
  expect(small).toMatchObject({ settings: { model: "static" }, isOptional: false });
  expect(small.reason).toContain("1999 MB of memory");
  const lacking = await chooseBuiltin(embedding, binary(null), 8e9);
  expect(lacking).toMatchObject({ settings: { model: "static" }, isOptional: false });
  expect(lacking.reason).toContain("onnxruntime");
  const fromSource = await chooseBuiltin(embedding, null, 8e9);
  expect(fromSource.settings.model).toBe(isInstalled ? "minilm" : "static");
});

test("a model that is named is taken as it is", async () => {
  for (const change of [{ model: "static" }, { model: "minilm", threads: 3 }] as const)
    expect(await chooseBuiltin({ ...embedding, ...change }, binary(null), 1e8)).toEqual({
      settings: { ...embedding, ...change },
      isOptional: false,
      reason: null,
    });
  const ollama = { ...embedding, provider: "ollama" as const, model: "auto" };
  expect((await chooseBuiltin(ollama, binary(onnxRuntime), 8e9)).settings).toEqual(ollama);
});
