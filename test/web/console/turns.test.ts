import { describe, expect, test } from "bun:test";
import { newTurn, peopleIn, withUnanswered } from "../../../src/web/browser/console/views/chats/turns.ts";

const question = (id: string, userId: string) => newTurn({ id, userId });
const answer = (id: string, userId: string) => newTurn({ id, userId, isAnswer: true });

describe("the turns of a chat", () => {
  test("a question is unanswered if nothing follows it in its own conversation", () => {
    const turns = [question("1", "ann"), question("2", "ben"), answer("3", "ben"), question("4", "ben")];
    expect(withUnanswered(turns).map(({ id, phase }) => [id, phase])).toEqual([
      ["1", "unanswered"],
      ["2", "whole"],
      ["3", "whole"],
      ["4", "unanswered"],
    ]);
  });

  test("people come by their newest message, oneself first, and answers do not count", () => {
    const turns = [question("1", "ann"), answer("2", "ann"), question("3", "ben"), question("4", "ben")];
    expect(peopleIn(turns, "me")).toEqual([
      { userId: "me", messages: 0 },
      { userId: "ben", messages: 2 },
      { userId: "ann", messages: 1 },
    ]);
    expect(peopleIn(turns, "ann").map(({ userId }) => userId)).toEqual(["ann", "ben"]);
  });
});
