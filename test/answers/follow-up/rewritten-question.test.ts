import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readRewrittenQuestion } from "../../../src/answers/follow-up/rewritten-question.ts";

const history = [
  { role: "user" as const, text: "When does the reading room open in summer?" },
  { role: "assistant" as const, text: "In summer the reading room opens at eight [1]." },
];
const query = "And in winter?";
const rewritten = "When does the reading room open in winter?";
const read = (written: string, asked = query) => readRewrittenQuestion(written, asked, history);

describe("a rewritten question", () => {
  test.each([
    ["alone", rewritten],
    ["with white space", `\n\n  ${rewritten}  \n`],
    ["in quotation marks", `"${rewritten}"`],
    ["in curly ones", `“${rewritten}”`],
    ["in bold", `**${rewritten}**`],
    ["as code", `\`\`\`\n${rewritten}\n\`\`\``],
    ["behind a label", `Rewritten question: ${rewritten}`],
    ["behind a label, quoted", `Question: "${rewritten}"`],
    ["below an announcement", `Here is the rewritten question:\n\n${rewritten}`],
    ["above an explanation", `${rewritten}\n\nI put in the reading room.`],
  ])("%s", (_name, written) => {
    expect(read(written)).toEqual({ question: rewritten });
  });

  test("keeps what the question itself has around it", () => {
    const asked = '"AB-1204/7"';
    expect(readRewrittenQuestion(asked, asked, history)).toEqual({ question: asked });
    const two = '"reading room" or "winter"';
    expect(read(two, two)).toEqual({ question: two });
  });

  test("may be in any language", () => {
    const asked = "そして冬は？";
    const earlier = [{ role: "user" as const, text: "夏の間、閲覧室は何時に開きますか？" }];
    expect(readRewrittenQuestion("冬の間、閲覧室は何時に開きますか？", asked, earlier)).toEqual({
      question: "冬の間、閲覧室は何時に開きますか？",
    });
  });

  test.each([
    ["nothing", "", "it wrote nothing"],
    ["white space", " \n\t ", "it wrote nothing"],
    ["a lecture", `${rewritten} ${"And more of it. ".repeat(40)}`, "it wrote far more than a question"],
    ["an answer with a mark", "In winter the reading room opens at nine [1].", "it answered instead of rewriting"],
    ["its last answer", "In summer the reading room opens at eight.", "it repeated an earlier answer"],
    ["something else", "I am a helpful assistant, ask me anything!", "it wrote about something else"],
  ])("is not %s", (_name, written, fault) => {
    expect(read(written)).toEqual({ fault });
  });

  test("keeps passages in quotation marks and codes", () => {
    const asked = 'And "opening hours" of AB-1204/7?';
    expect(read("What of the reading room in winter?", asked)).toMatchObject({
      fault: expect.stringContaining("it left out"),
    });
  });

  test("whatever is written: a line of bounded length, or a fault", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (written, asked) => {
        const found = readRewrittenQuestion(written, asked, history);
        if ("fault" in found) return found.fault !== "";
        expect(found.question).toBe(found.question.trim());
        expect(found.question).not.toMatch(/[\r\n]/);
        expect(found.question.length).toBeLessThanOrEqual(asked.length + 400);
        return found.question !== "";
      }),
    );
  });
});
