import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Config } from "../../config/schema.ts";
import type { ChatModel, ChatTurn } from "../../providers/contract.ts";
import { type ApiError, rateLimited } from "../domain/errors.ts";
import type { KeyLimits, Principal } from "../domain/records.ts";
import type { KeyLimitStore } from "../store/contract.ts";

/** Who is limited: a key of an organization; null for visitors of its public chats. */
interface LimitedCaller {
  readonly organizationId: string;
  readonly keyId: string | null;
}

export interface LimitSources {
  /** Read at each use, so that a reload applies at once. */
  settings: Pick<Config, "limits">;
  keyLimits: Pick<KeyLimitStore, "get">;
}

/** No limit at all. */
export const noLimits: KeyLimits = {
  requestsPerMinute: null,
  tokensPerDay: null,
  maxDocuments: null,
  maxBytes: null,
};

/** What a key may use: its own values, and those of the settings where it has none. */
export const limitsOfKey = ({ settings, keyLimits }: LimitSources, { keyId }: LimitedCaller): KeyLimits => {
  if (keyId === null) return noLimits;
  const own = keyLimits.get(keyId) ?? noLimits;
  const { key } = settings.limits;
  return {
    requestsPerMinute: own.requestsPerMinute ?? key.requestsPerMinute,
    tokensPerDay: own.tokensPerDay ?? key.tokensPerDay,
    maxDocuments: own.maxDocuments ?? key.maxDocuments,
    maxBytes: own.maxBytes ?? key.maxBytes,
  };
};

/** One limit over a window of time, and how much of it a caller has used. */
interface WindowState {
  /** As in the headers: `key-requests`. */
  name: string;
  limit: number;
  used: number;
  windowSeconds: number;
  /** Until the window ends; the whole window where nothing was used yet. */
  resetMs: number;
  unit: "requests" | "tokens";
}

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-10: an item for each limit, with the
 * quota `q`, its window `w` and its unit `qu` (requests where left out), and with what remains `r` and the seconds to
 * its reset `t`.
 */
const windowHeaders = (windows: readonly WindowState[]): Record<string, string> => {
  if (windows.length === 0) return {};
  const policy = windows.map(
    ({ name, limit, windowSeconds, unit }) =>
      `"${name}";q=${limit};w=${windowSeconds}${unit === "requests" ? "" : `;qu="${unit}"`}`,
  );
  const state = windows.map(
    ({ name, limit, used, resetMs }) => `"${name}";r=${Math.max(0, limit - used)};t=${Math.ceil(resetMs / 1_000)}`,
  );
  return { "ratelimit-policy": policy.join(", "), ratelimit: state.join(", ") };
};

const minuteSeconds = 60;
const daySeconds = 86_400;

/** A request compared with the limits of its caller. */
interface Admission {
  /** For the answer, whatever it is; empty for a caller without limits. */
  headers: Record<string, string>;
  /** Null: the request is accepted. */
  refusal: ApiError | null;
}

/** Counts requests and model tokens, in memory: a restart resets the counts. */
export interface Rates {
  /** Counts a request; a refused one does not count. */
  admit(principal: Principal): Promise<Admission>;
  /** @throws ApiError rate_limited where the tokens of the day are used up */
  checkTokens(caller: LimitedCaller): Promise<void>;
  /** Counts tokens that a model has read and written. An answer that began is finished, even beyond the limit. */
  spendTokens(caller: LimitedCaller, tokens: number): Promise<void>;
}

/** A counter for each key and each organization; its limit is looked up at each use. */
interface Windows {
  name: "requests" | "tokens";
  seconds: number;
  ofKey: RateLimiterMemory;
  ofOrganization: RateLimiterMemory;
}

interface Used extends WindowState {
  counter: RateLimiterMemory;
  counted: string;
  /** What a refusal says. */
  detail: string;
}

const notAsked: Admission = { headers: {}, refusal: null };

const createWindows = (name: Windows["name"], seconds: number): Windows => {
  // The limit is compared here: it differs from key to key.
  const counter = () => new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: seconds });
  return { name, seconds, ofKey: counter(), ofOrganization: counter() };
};

/**
 * The rates of keys and organizations. The operator's socket is never limited. The rate of an organization does not
 * hold back its admin keys, which must be able to revoke the key that used it up; they count.
 */
export const createRates = (sources: LimitSources): Rates => {
  const requests = createWindows("requests", minuteSeconds);
  const tokens = createWindows("tokens", daySeconds);

  /** The limits that a caller has in these windows, with nothing spent (null) or with what spending came to. */
  const windowsOf = async (
    windows: Windows,
    caller: LimitedCaller,
    spent: number,
  ): Promise<{ key: Used | null; organization: Used | null }> => {
    const setting = windows.name === "requests" ? "requestsPerMinute" : "tokensPerDay";
    const period = windows.name === "requests" ? "a minute" : "a day";
    const unit = windows.name === "requests" ? "requests" : "tokens of the answering model";
    const use = async (who: "key" | "organization", limit: number | null, id: string | null): Promise<Used | null> => {
      if (limit === null || id === null) return null;
      const counter = who === "key" ? windows.ofKey : windows.ofOrganization;
      const now = spent === 0 ? await counter.get(id) : await counter.penalty(id, spent);
      const isOver = now === null || now.msBeforeNext <= 0;
      return {
        name: `${who}-${windows.name}`,
        limit,
        used: isOver ? 0 : now.consumedPoints,
        windowSeconds: windows.seconds,
        resetMs: isOver ? windows.seconds * 1_000 : now.msBeforeNext,
        unit: windows.name,
        counter,
        counted: id,
        detail: `This ${who} may use ${limit.toLocaleString("en")} ${unit} ${period} (${
          who === "key" ? `${setting} of the key, or limits.key.${setting}` : `limits.organization.${setting}`
        }), and has used them up.`,
      };
    };
    return {
      key: await use("key", limitsOfKey(sources, caller)[setting], caller.keyId),
      organization: await use("organization", sources.settings.limits.organization[setting], caller.organizationId),
    };
  };

  const isUsedUp = (window: Used | null): window is Used => window !== null && window.used >= window.limit;
  const refusalOf = ({ detail, resetMs }: Used): ApiError => rateLimited(detail, resetMs);

  return {
    async admit(principal) {
      if (principal.keyId === null) return notAsked;
      const { key, organization } = await windowsOf(requests, principal, 1);
      const counted = [key, organization].filter((each) => each !== null);
      const daily = Object.values(await windowsOf(tokens, principal, 0)).filter((each) => each !== null);
      if (counted.length + daily.length === 0) return notAsked;
      const binding = principal.role === "admin" ? [key] : [key, organization];
      const exceeded = binding.filter((each) => each !== null).find(({ used, limit }) => used > limit);
      if (exceeded === undefined) return { headers: windowHeaders([...counted, ...daily]), refusal: null };
      for (const { counter, counted: id } of counted) await counter.reward(id, 1);
      const before = counted.map((each) => ({ ...each, used: each.used - 1 }));
      return { headers: windowHeaders([...before, ...daily]), refusal: refusalOf(exceeded) };
    },
    async checkTokens(caller) {
      const { key, organization } = await windowsOf(tokens, caller, 0);
      for (const window of [key, organization]) if (isUsedUp(window)) throw refusalOf(window);
    },
    async spendTokens(caller, spent) {
      // Whole numbers of at least one: zero would only look.
      if (spent > 0) await windowsOf(tokens, caller, Math.ceil(spent));
    },
  };
};

/**
 * The model for one caller: what it reads and writes counts against the caller's tokens. Tokens that its server did not
 * count, and those of an answer that was cut off, are estimated.
 */
const meterModel = (model: ChatModel, spend: (tokens: number) => void): ChatModel => ({
  ...model,
  async *chat(turns, signal, options) {
    let written = "";
    let tokens: number | null = null;
    try {
      for await (const event of model.chat(turns, signal, options)) {
        if (event.type === "delta") written += event.text;
        else {
          tokens =
            (event.promptTokens ?? promptTokens(model, turns)) + (event.outputTokens ?? model.estimateTokens(written));
        }
        yield event;
      }
    } finally {
      if (tokens !== null) spend(tokens);
      // A model that refused before it wrote anything costs nothing.
      else if (written !== "") spend(promptTokens(model, turns) + model.estimateTokens(written));
    }
  },
});

const promptTokens = (model: ChatModel, turns: readonly ChatTurn[]): number =>
  turns.reduce((sum, { content }) => sum + model.estimateTokens(content), 0);

interface Metered {
  answerModel: ChatModel | null;
  rates: Rates;
}

/**
 * The dependencies for a caller's question: its model is metered. Call it before the question is worked on.
 * @param caller null: the operator's socket, which is not limited
 * @throws ApiError rate_limited where a model would answer and the tokens of the day are used up
 */
export const meterFor = async <D extends Metered>(deps: D, caller: LimitedCaller | null): Promise<D> => {
  const { answerModel, rates } = deps;
  if (answerModel === null || caller === null) return deps;
  await rates.checkTokens(caller);
  return { ...deps, answerModel: meterModel(answerModel, (tokens) => void rates.spendTokens(caller, tokens)) };
};
