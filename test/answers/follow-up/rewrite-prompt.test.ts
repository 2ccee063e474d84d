import { expect, test } from "bun:test";
import fc from "fast-check";
import { type EarlierTurn, rewritePrompt } from "../../../src/answers/follow-up/rewrite-prompt.ts";

const always = () => true;
const shown = (turns: ReturnType<typeof rewritePrompt>) =>
  JSON.parse(turns?.[1]?.content ?? "null") as { conversation: EarlierTurn[]; lastQuestion: string };

test("shows the conversation and the question, and nothing of them can pass for anything else", () => {
  const role = fc.constantFrom("user" as const, "assistant" as const);
  const turn = fc.record({ role, text: fc.string({ unit: "binary" }) });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), fc.string({ unit: "binary" }), (history, query) => {
      const turns = rewritePrompt(query, history, always);
      expect(turns?.map((one) => one.role)).toEqual(["system", "user"]);
      const { conversation, lastQuestion } = shown(turns);
      expect(lastQuestion).toBe(query);
      expect(conversation.map((one) => one.role)).toEqual(history.map((one) => one.role));
    }),
  );
});

test("shows the last six messages, long ones shortened, answers without their marks", () => {
  const history = Array.from({ length: 9 }, (_, n) => ({ role: "user" as const, text: `${n} ${"x".repeat(2_000)}` }));
  const { conversation } = shown(rewritePrompt("q", [...history, { role: "assistant", text: "At nine [1]." }], always));
  expect(conversation.map(({ text }) => text[0])).toEqual(["4", "5", "6", "7", "8", "A"]);
  expect(conversation[0]?.text).toHaveLength(801);
  expect(conversation.at(-1)?.text).toBe("At nine.");
});

test("leaves out the oldest messages where they do not fit, and asks nothing where none does", () => {
  const history = ["oldest", "older", "old"].map((text) => ({ role: "user" as const, text }));
  const fits = (turns: readonly { content: string }[]) => !turns.some(({ content }) => content.includes("oldest"));
  expect(shown(rewritePrompt("q", history, fits)).conversation.map(({ text }) => text)).toEqual(["older", "old"]);
  expect(rewritePrompt("q", history, () => false)).toBeNull();
});
