import { callerLeft } from "./call-failure.ts";
import type { Destination } from "./destination.ts";

/**
 * What the work comes to; or a failure as soon as the caller leaves, in the midst of a pause too.
 * @throws ProviderError `aborted` if the signal fires; what the work throws
 */
export const unlessAborted = async <T>(
  work: Promise<T>,
  destination: Pick<Destination, "service">,
  signal: AbortSignal,
): Promise<T> => {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(callerLeft(destination, signal.reason));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
};
