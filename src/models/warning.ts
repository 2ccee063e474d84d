import type { ProviderError } from "../../providers/contract.ts";
import type { Logger } from "../log.ts";

/**
 * Something that the reader of an answer should know. Where a model failed, `reason` is what its server said: for admin
 * keys and the log alone.
 */
export type Warning = string | { text: string; reason: string };

/** Who reads: whether reasons are for them, and the request under which the log holds these. */
export interface WarningReader {
  isToldReasons: boolean;
  requestId: string;
}

/** @param text what the answer goes without, as a sentence that is not ended */
export const failureWarning = (text: string, error: ProviderError): Warning => ({ text, reason: error.message });

export const warningText = (warning: Warning, { isToldReasons, requestId }: WarningReader): string => {
  if (typeof warning === "string") return warning;
  if (isToldReasons) return `${warning.text}: ${warning.reason}`;
  return `${warning.text}. The server's log holds the reason under the request id ${requestId}.`;
};

/** Writes the reasons down under the request: most readers are referred to the log. */
export const logReasons = (log: Logger, requestId: string, warnings: readonly Warning[]): void => {
  for (const warning of warnings)
    if (typeof warning !== "string") log.warn({ requestId, reason: warning.reason }, warning.text);
};
