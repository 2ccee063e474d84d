import { expect, test } from "bun:test";
import { createChatQueues } from "../../src/chats/send-message.ts";
import { ApiError } from "../../src/domain/errors.ts";

test("a conversation in which too many messages wait refuses more, and says when to try again", async () => {
  const { threads } = createChatQueues();
  const never = new AbortController().signal;
  const turns = Array.from({ length: 101 }, () => threads.take("a", never));
  const refusal = await threads.take("a", never).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ code: "overloaded", headers: { "Retry-After": "5" } });
  for (const turn of turns) (await turn)();
});
