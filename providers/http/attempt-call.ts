import { connectionFailure } from "./call-failure.ts";
import type { Destination } from "./destination.ts";
import { refusalOf } from "./refusal.ts";
import { watchBody } from "./watch-body.ts";
import { createWatchdog } from "./watchdog.ts";

/** An answer that is read whole may take this many times the longest silence. */
const maxSilences = 10;
const maxStreamMs = 6 * 60 * 60 * 1000;

/**
 * Sends one request and gives its answer, with a body that is limited in size and time.
 * @throws ProviderError if the connection fails or the answer is not a 2xx
 */
export const attemptCall = async (
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit,
  signal: AbortSignal,
  isStream: boolean,
): Promise<Response> => {
  const silence = new AbortController();
  const signals = [signal, silence.signal, ...(init.signal ? [init.signal] : [])];
  const giveUp = () => silence.abort();
  const watchdog = createWatchdog(destination.timeoutMs, giveUp);
  const whole = setTimeout(giveUp, isStream ? maxStreamMs : maxSilences * destination.timeoutMs);
  const onEnd = () => {
    watchdog.pause();
    clearTimeout(whole);
  };
  const either = AbortSignal.any(signals);
  // A caller that leaves may never read the answer to its end.
  either.addEventListener("abort", onEnd, { once: true });
  let hasBegun = false;
  const translate = (error: unknown) =>
    connectionFailure(error, destination, { isAborted: signal.aborted, isSilent: silence.signal.aborted, hasBegun });
  try {
    watchdog.wait();
    // A Request's body can be read only once, and the call may have to be repeated.
    const response = await fetch(input instanceof Request ? (input.clone() as Request) : input, {
      ...init,
      ...headersOf(destination, input, init),
      redirect: "manual",
      // A server that answered 500 may close the socket without notice; the next call on it would fail.
      keepalive: false,
      signal: either,
      // Bun would give up after 360 s; the watchdog above is the only limit.
      timeout: false,
    } as RequestInit);
    if (!response.ok) throw await refusalOf(response, destination);
    hasBegun = true;
    watchdog.pause();
    watchdog.heard();
    return watchBody(response, { destination, watchdog, isStream, onEnd, translate });
  } catch (error) {
    onEnd();
    throw translate(error);
  }
};

/** The headers that the caller set, with those that belong to each call. */
const headersOf = (
  { callHeaders }: Destination,
  input: string | URL | Request,
  init: RequestInit,
): Pick<RequestInit, "headers"> => {
  const added = Object.entries(callHeaders?.() ?? {});
  if (added.length === 0) return {};
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  for (const [name, value] of added) headers.set(name, value);
  return { headers };
};
