import { signal } from "@preact/signals";
import { relativeTime } from "./time-words.ts";

const tickMs = 30_000;
const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, tickMs);

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** A time as it is spoken of ("2 min. ago"), in the reader's zone; the whole of it on hover. @param at ISO 8601 */
export const RelativeTime = ({ at }: { at: string }) => {
  const time = new Date(at);
  return (
    <time dateTime={at} title={whole.format(time)}>
      {relativeTime(time.getTime(), Math.max(now.value, Date.now()))}
    </time>
  );
};
