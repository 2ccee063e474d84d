import type { ProviderError } from "../../providers/contract.ts";
import type { Logger } from "../log/log.ts";

/**
 * Something that the reader of an answer should know. If a model failed, `reason` is what its server said: only admin
 * keys and the log get it.
 */
export type Warning = string | { text: string; reason: string };

/** Who reads a warning, and the request under which the log has the reason; null where it is not known any more. */
export interface WarningReader {
  seesReasons: boolean;
  requestId: string | null;
}

/** @param text what is missing from the answer, as a sentence without its period */
export const failureWarning = (text: string, error: ProviderError): Warning => ({ text, reason: error.message });

export const warningText = (warning: Warning, { seesReasons, requestId }: WarningReader): string => {
  if (typeof warning === "string") return warning;
  if (seesReasons) return `${warning.text}: ${warning.reason}`;
  if (requestId === null) return `${warning.text}.`;
  return `${warning.text}. The server's log holds the reason under the request id ${requestId}.`;
};

/** Logs the reasons under the request: most readers are referred to the log. */
export const logReasons = (log: Logger, requestId: string, warnings: readonly Warning[]): void => {
  for (const warning of warnings)
    if (typeof warning !== "string") log.warn({ requestId, reason: warning.reason }, warning.text);
};
