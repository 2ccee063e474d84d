import { expect, test } from "bun:test";
import { conversation } from "../../src/answers/gather/conversation.ts";
import type { Question } from "../../src/answers/reading/question.ts";

const again = (text: string, change: "shorten" | "list", question: string): Promise<string> =>
  conversation(
    {
      history: [
        { role: "user", text: "What does it cost?" },
        { role: "assistant", text },
      ],
      lastSnippets: [],
    } as unknown as Question,
    { change, question },
    "english",
  ).quote([]);
const shortened = (text: string): Promise<string> => again(text, "shorten", "shorter please");

test("a shortened answer is its first line with a mark; a table, whose mark stands alone, stays whole", async () => {
  expect(await shortened("It costs 5 euros. [1]\nChildren pay 2. [2]")).toBe("It costs 5 euros. [1]");
  const table = "| who | price |\n| --- | --- |\n| adults | 5 |\n\n[1]";
  expect(await shortened(table)).toBe(table);
});

test("an answer as a table has a row for each line, and one that is a table stays as it is", async () => {
  const asked = (text: string): Promise<string> => again(text, "list", "as a table");
  expect(await asked("- It costs 5 euros. [1]\n- Children pay 2. [2]")).toBe(
    "|  |  |\n| --- | --- |\n| It costs 5 euros. | [1] |\n| Children pay 2. | [2] |",
  );
  const table = "| who | price |\n| --- | --- |\n| adults | 5 |\n\n[1]";
  expect(await asked(table)).toBe(table);
});
