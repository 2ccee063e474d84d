import { expect, test } from "bun:test";
import { ProviderError } from "../../../providers/contract.ts";
import { learnTokens } from "../../../providers/tokens/estimate-tokens.ts";
import { createScriptedModel } from "../../answers/scripted-model.ts";

const signal = new AbortController().signal;
const turns = [{ role: "user" as const, content: "word ".repeat(1_000) }];

const setUp = () => {
  const scripted = createScriptedModel();
  const model = learnTokens(scripted);
  const estimated = scripted.estimateTokens(turns[0]?.content ?? "") + 8;
  const ask = async (promptTokens: number | null, prompt = turns) => {
    scripted.say({ steps: ["Yes."], promptTokens });
    for await (const _ of model.chat(prompt, signal));
    return model.learnedFactor?.() ?? 0;
  };
  return { scripted, model, estimated, ask };
};

test("learns that a server counts more, never that it counts less, and forgets slowly", async () => {
  const { estimated, ask } = setUp();
  expect(await ask(null)).toBe(1);
  expect(await ask(Math.round(estimated / 2))).toBe(1);
  expect(await ask(estimated * 3)).toBeCloseTo(3, 5);
  expect(await ask(estimated)).toBeCloseTo(3 * 0.95, 5);
  for (let n = 0; n < 100; n++) await ask(estimated);
  expect(await ask(estimated)).toBe(1);
  expect(await ask(estimated * 1e6)).toBe(8);
});

test("a short prompt, whose template counts for more than its text, teaches nothing", async () => {
  const { ask } = setUp();
  expect(await ask(400, [{ role: "user", content: "Hi" }])).toBe(1);
});

test("learns from a refusal that tells sizes", async () => {
  const { scripted, model, estimated } = setUp();
  const sizes = { limitTokens: 4_096, promptTokens: estimated * 2 };
  scripted.say({ steps: [new ProviderError("answer", "too_long", "too long", { sizes })] });
  const work = (async () => {
    for await (const _ of model.chat(turns, signal));
  })();
  await expect(work).rejects.toThrow("too long");
  expect(model.learnedFactor?.()).toBeCloseTo(2, 5);
});
