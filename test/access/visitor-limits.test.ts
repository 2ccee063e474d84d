import { describe, expect, test } from "bun:test";
import { createVisitorLimits } from "../../src/access/visitor-limits.ts";
import type { ApiError } from "../../src/domain/errors.ts";

const settings = {
  allowedOrigins: [],
  addressRequestsPerMinute: 4,
  visitorMessagesPerMinute: 3,
  chatMessagesPerMinute: 100,
  chatMessagesPerDay: 1000,
  visitorTokenDays: 1,
};
const message = { visitorId: "v1", isKnown: true, clientAddress: "192.0.2.1", chatId: "c1" };
type Message = typeof message;

/** How many of these in a row are let through before the first refusal, and that refusal. */
const spendAll = async (limits: ReturnType<typeof createVisitorLimits>, messages: Message[]) => {
  for (const [index, one] of messages.entries()) {
    try {
      await limits.spend(one);
    } catch (error) {
      return { passed: index, error: error as ApiError };
    }
  }
  return { passed: messages.length, error: null };
};
const many = (count: number, make: (index: number) => Partial<Message> = () => ({})): Message[] =>
  Array.from({ length: count }, (_, index) => ({ ...message, ...make(index) }));

describe("visitor limits", () => {
  test("slow an address down that asks for chats, and no other", async () => {
    const limits = createVisitorLimits(settings);
    for (let count = 0; count < 4; count++) await limits.admit("2001:db8:1:2::1");
    const refused = (await limits.admit("2001:db8:1:2::ffff").catch((error: unknown) => error)) as ApiError;
    expect(refused.code).toBe("rate_limited");
    expect(Number(refused.headers["Retry-After"])).toBeWithin(1, 61);
    await limits.admit("2001:db8:1:3::1");
    expect(
      (
        await spendAll(
          limits,
          many(1, () => ({ clientAddress: "2001:db8:1:2::1" })),
        )
      ).passed,
    ).toBe(1);
  });

  test("count one who throws the token away as one visitor, by address", async () => {
    const limits = createVisitorLimits(settings);
    const newcomers = many(5, (index) => ({ visitorId: `new${index}`, isKnown: false }));
    expect((await spendAll(limits, newcomers)).passed).toBe(3);
    const elsewhere = many(3, (index) => ({ visitorId: `far${index}`, isKnown: false, clientAddress: "192.0.2.2" }));
    expect((await spendAll(limits, elsewhere)).passed).toBe(3);
  });

  test("count a newcomer's message against the token it was given", async () => {
    const limits = createVisitorLimits(settings);
    await limits.spend({ ...message, isKnown: false });
    expect((await spendAll(limits, many(5))).passed).toBe(2);
  });

  test("stop many visitors of one address, in either notation, and of one IPv6 network", async () => {
    const v4 = createVisitorLimits(settings);
    const alternating = many(20, (index) => ({
      visitorId: `v${index}`,
      clientAddress: index % 2 === 0 ? "192.0.2.1" : "::ffff:192.0.2.1",
    }));
    expect((await spendAll(v4, alternating)).passed).toBe(15);
    const v6 = createVisitorLimits(settings);
    const network = many(20, (index) => ({ visitorId: `v${index}`, clientAddress: `2001:db8:1:2::${index + 1}` }));
    expect((await spendAll(v6, network)).passed).toBe(15);
  });

  test("stop a chat by the minute and by the day, and no other chat", async () => {
    const perVisitor = (chatId: string) => (index: number) => ({
      visitorId: `v${index}`,
      clientAddress: `192.0.2.${index}`,
      chatId,
    });
    const byMinute = createVisitorLimits({ ...settings, chatMessagesPerMinute: 4 });
    expect((await spendAll(byMinute, many(9, perVisitor("c1")))).passed).toBe(4);
    expect((await spendAll(byMinute, many(4, perVisitor("c2")))).passed).toBe(4);
    const byDay = createVisitorLimits({ ...settings, chatMessagesPerDay: 4 });
    const { passed, error } = await spendAll(byDay, many(9, perVisitor("c1")));
    expect(passed).toBe(4);
    expect(Number(error?.headers["Retry-After"])).toBeGreaterThan(60);
  });

  test("count nothing for a message that is refused", async () => {
    const limits = createVisitorLimits({ ...settings, chatMessagesPerMinute: 4 });
    // Refused for its visitor: the chat's own budget is not touched.
    expect((await spendAll(limits, many(4))).passed).toBe(3);
    for (let i = 0; i < 10; i++) await spendAll(limits, many(1));
    const other = many(2, () => ({ visitorId: "v2", clientAddress: "192.0.2.9" }));
    expect((await spendAll(limits, other)).passed).toBe(1);
  });
});
