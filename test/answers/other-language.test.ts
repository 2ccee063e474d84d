import { afterAll, expect, setSystemTime, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import { startTestServer } from "../start-server.ts";
import { type AnswerBody, call } from "./client.ts";
import { createScriptedModel } from "./scripted-model.ts";

const model = createScriptedModel();

const server = await startTestServer({}, { parts: { answerModel: model } });
const key = await server.issueKey();
const text =
  "# Hausordnung\n\nDie Waschküche ist werktags von 7 bis 20 Uhr geöffnet. Fahrräder stehen im Keller.\n\n# Müll\n\nDie Tonnen werden am Montag geleert, und der Hof bleibt frei.";
await call(`${server.url}/api/ingest`, { key, body: { text, name: "Hausordnung" } });
afterAll(() => {
  setSystemTime();
  return server.stop();
});

const ask = async (query: string) => {
  model.prompts.splice(0);
  return (await call<AnswerBody>(`${server.url}/api/query`, { key, body: { query } })).body;
};
const isTranslating = (at: number): boolean => model.prompts[at]?.[0]?.content.includes("into German") === true;
const english = "When may I use the laundry room on weekdays?";

test("a question in another language than the documents is also searched for as the model translates it", async () => {
  model.say({ steps: ["Wann ist die Waschküche werktags geöffnet?"] }, { steps: ["From 7 to 20 on weekdays [1]."] });
  const { answer, receipt } = await ask(english);
  expect(isTranslating(0)).toBe(true);
  expect(model.options[0]).toMatchObject({ temperature: 0, think: false });
  expect(receipt.understood).toContain("Waschküche");
  expect(answer).toStartWith("From 7 to 20 on weekdays");
});

test("one in their language is not translated", async () => {
  model.say({ steps: ["Von 7 bis 20 Uhr [1]."] });
  await ask("Wann ist die Waschküche werktags geöffnet?");
  expect(model.prompts.some((_, at) => isTranslating(at))).toBe(false);
});

test("a translation that fails costs a warning, and is not tried again for five minutes", async () => {
  model.say({ steps: [new ProviderError("answer", "bad_answer", "It broke.")] }, { steps: ["Nobody knows."] });
  const { receipt } = await ask(english);
  expect(receipt.warnings.join()).toContain("not searched for in German");
  await ask(english);
  expect(isTranslating(0)).toBe(false);
  setSystemTime(Date.now() + 6 * 60_000);
  await ask(english);
  expect(isTranslating(0)).toBe(true);
});
