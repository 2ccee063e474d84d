import { connectionFailure } from "./call-failure.ts";
import type { Destination } from "./outbound.ts";
import { refusalOf } from "./refusal.ts";
import { createWatchdog } from "./watchdog.ts";
import { watchedBody } from "./watched-body.ts";

/** Longest time for a whole answer: of one read whole as a multiple of the longest silence, and of a stream. */
const MOST_SILENCES = 10;
const LONGEST_STREAM_MS = 6 * 60 * 60 * 1000;

/**
 * Sends one request and gives its answer, whose body is bounded and watched over.
 * @throws ProviderError over a connection that fails and over everything that is not a 2xx
 */
export const attemptCall = async (
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit,
  signal: AbortSignal,
  isStream = false,
): Promise<Response> => {
  const silence = new AbortController();
  const signals = [signal, silence.signal, ...(init.signal ? [init.signal] : [])];
  const giveUp = () => silence.abort();
  const watchdog = createWatchdog(destination.timeoutMs, giveUp);
  const whole = setTimeout(giveUp, isStream ? LONGEST_STREAM_MS : MOST_SILENCES * destination.timeoutMs);
  const onEnd = () => {
    watchdog.pause();
    clearTimeout(whole);
  };
  const either = AbortSignal.any(signals);
  // Whoever leaves may leave the answer unread.
  either.addEventListener("abort", onEnd, { once: true });
  let hasBegun = false;
  const translate = (error: unknown) =>
    connectionFailure(error, destination, { isAborted: signal.aborted, isSilent: silence.signal.aborted, hasBegun });
  try {
    watchdog.wait();
    // A Request's body can be read once only, and the call may have to be repeated.
    const response = await fetch(input instanceof Request ? (input.clone() as Request) : input, {
      ...init,
      redirect: "manual",
      // A server that answered 500 may close the socket without a word; the next call on it would fail.
      keepalive: false,
      signal: either,
      // Bun gives up after 360 s of its own accord; the watchdog above is the only limit.
      timeout: false,
    } as RequestInit);
    if (!response.ok) throw await refusalOf(response, destination);
    hasBegun = true;
    watchdog.pause();
    watchdog.heard();
    return watchedBody(response, { destination, watchdog, isStream, onEnd, translate });
  } catch (error) {
    onEnd();
    throw translate(error);
  }
};
