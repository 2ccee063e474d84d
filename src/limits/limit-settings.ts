import type { Config } from "../../config/schema.ts";
import type { KeyLimits } from "../domain/records.ts";
import type { KeyLimitStore } from "../store/contract.ts";

/** Who is limited: a key of an organization; null for visitors of its public chats. */
export interface LimitedCaller {
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
