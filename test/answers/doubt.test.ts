import { expect, test } from "bun:test";
import { computedWords } from "../../src/answers/computed-words.ts";
import { doubtOf } from "../../src/answers/doubt.ts";
import { sentMessageJsonForVisitor } from "../../src/chats/chat-json.ts";

const model = { provider: "ollama", name: "llama3.2" };
const quotes = { provider: "builtin", name: "quotes" };

test("what a reader should know of an answer: how far it is borne out, before whether it may be there at all", () => {
  expect(doubtOf({ certainty: "sure", model })).toBe(null);
  expect(doubtOf({ certainty: "unsure", model })).toBe("unsure");
  expect(doubtOf({ certainty: "unsure", support: "supported", model })).toBe("unsure");
  expect(doubtOf({ certainty: "unsure", support: "partly", model })).toBe("partly");
  expect(doubtOf({ certainty: "sure", support: "unsupported", model })).toBe("unsupported");
  // Quotations begin with it.
  expect(doubtOf({ certainty: "unsure", model: quotes })).toBe(null);
  expect(doubtOf({ certainty: "none", model: quotes })).toBe(null);
});

test("a visitor reads the doubt and not the receipt", () => {
  const message = {
    id: "1",
    organizationId: "o",
    chatId: "c",
    thread: "t",
    userId: "u",
    isSystem: true,
    message: "At nine.",
    sourceDocuments: [],
    createdAt: 0,
  };
  const receipt = { certainty: "unsure", model } as Parameters<typeof sentMessageJsonForVisitor>[1];
  expect(sentMessageJsonForVisitor(message, receipt)).toMatchObject({ doubt: "unsure", receipt: null, userId: null });
});

test("how an answer was computed is said in a line", () => {
  const computed = { column: null, conditions: ["status: closed"], total: 102 };
  expect(computedWords({ ...computed, operation: "count" }, "Projects.csv")).toBe(
    "Counted over all 102 rows of Projects.csv; status: closed",
  );
  expect(computedWords({ operation: "largest", column: "Budget", conditions: [], total: 1 }, "A")).toBe(
    "Largest value of Budget in the one row of A",
  );
});
