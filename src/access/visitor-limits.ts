import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../../config/schema.ts";
import { rateLimited } from "../domain/errors.ts";
import { networkOf } from "../domain/web-address.ts";

/** How many visitors' worth of messages one client address may send: several people share one behind a router. */
const visitorsPerAddress = 5;
/** Over all visitors and chats. These also bound how many counters can be alive at once. */
const maxMessagesPerMinute = 6_000;
const maxRequestsPerMinute = 60_000;
const minuteSeconds = 60;
const daySeconds = 86_400;

/** Counts the requests and messages of visitors, in memory: a restart resets the counts. */
export interface VisitorLimits {
  /**
   * Counts one request without a key, whether the chat exists or not: guessing ids is slowed down.
   * @throws ApiError rate_limited with `Retry-After`; nothing is then counted
   */
  admit(clientAddress: string): Promise<void>;
  /**
   * Counts one message about to be sent.
   * @throws ApiError rate_limited with `Retry-After`; nothing is then counted
   */
  spend(message: { visitorId: string; isKnown: boolean; clientAddress: string; chatId: string }): Promise<void>;
}

interface Limit {
  limiter: RateLimiterMemory;
  key: string;
  detail: string;
}

export const createVisitorLimits = (settings: Config["publicChats"]): VisitorLimits => {
  const perMinute = (points: number) => new RateLimiterMemory({ points, duration: minuteSeconds });
  const serverRequests = perMinute(maxRequestsPerMinute);
  const addressRequests = perMinute(settings.addressRequestsPerMinute);
  const server = perMinute(maxMessagesPerMinute);
  const address = perMinute(settings.visitorMessagesPerMinute * visitorsPerAddress);
  // A client that discards its token after each message is counted as one visitor, by address.
  const newcomers = perMinute(settings.visitorMessagesPerMinute);
  const visitor = perMinute(settings.visitorMessagesPerMinute);
  const chat = perMinute(settings.chatMessagesPerMinute);
  const chatDay = new RateLimiterMemory({ points: settings.chatMessagesPerDay, duration: daySeconds });
  /** The settings can change while the server runs; what was counted stays. */
  const followSettings = (): void => {
    addressRequests.points = settings.addressRequestsPerMinute;
    address.points = settings.visitorMessagesPerMinute * visitorsPerAddress;
    for (const limiter of [newcomers, visitor]) limiter.points = settings.visitorMessagesPerMinute;
    chat.points = settings.chatMessagesPerMinute;
    chatDay.points = settings.chatMessagesPerDay;
  };

  return {
    admit(clientAddress) {
      followSettings();
      return spendAll([
        { limiter: serverRequests, key: "all", detail: "Too many requests come without a key." },
        {
          limiter: addressRequests,
          key: networkOf(clientAddress),
          detail: "Too many requests come from your network without a key.",
        },
      ]);
    },
    async spend({ visitorId, isKnown, clientAddress, chatId }) {
      followSettings();
      const network = networkOf(clientAddress);
      const tooFast = "You have sent too many messages in a minute.";
      await spendAll([
        { limiter: server, key: "all", detail: "Too many messages are being sent." },
        { limiter: address, key: network, detail: "Too many messages come from your network." },
        isKnown
          ? { limiter: visitor, key: visitorId, detail: tooFast }
          : { limiter: newcomers, key: network, detail: tooFast },
        { limiter: chat, key: chatId, detail: "This chat gets too many messages at the moment." },
        { limiter: chatDay, key: chatId, detail: "This chat has reached its limit of messages for today." },
      ]);
      // What a newcomer sent counts against the token handed out with the answer.
      if (!isKnown) await visitor.penalty(visitorId);
    },
  };
};

/** Spends one of each, or none where a limit is reached. @throws ApiError rate_limited */
const spendAll = async (limits: readonly Limit[]): Promise<void> => {
  const spent: Limit[] = [];
  for (const limit of limits) {
    try {
      await limit.limiter.consume(limit.key);
      spent.push(limit);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      await Promise.all([limit, ...spent].map(({ limiter, key }) => limiter.reward(key)));
      throw rateLimited(limit.detail, refusal.msBeforeNext);
    }
  }
};
