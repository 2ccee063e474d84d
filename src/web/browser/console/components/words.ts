const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** From here on the day itself says more than how long ago it was. */
const maxRelativeMs = 7 * dayMs;

const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** How long ago or ahead a time is; its day where that is more than a week. Both in epoch milliseconds. */
export const relativeTime = (at: number, now: number): string => {
  const distanceMs = at - now;
  const size = Math.abs(distanceMs);
  if (size >= maxRelativeMs) return day.format(at);
  if (size < minuteMs / 2) return words.format(0, "second");
  if (size < hourMs) return words.format(Math.round(distanceMs / minuteMs), "minute");
  if (size < dayMs) return words.format(Math.round(distanceMs / hourMs), "hour");
  return words.format(Math.round(distanceMs / dayMs), "day");
};

/** A length of time in one unit: "1.2 s", "48 ms", "3 min". */
export const durationWords = (ms: number): string => {
  const unit = (value: number, name: string, digits = 0) =>
    new Intl.NumberFormat(undefined, {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: digits,
    }).format(value);
  if (ms < secondMs) return unit(ms, "millisecond");
  if (ms < minuteMs) return unit(ms / secondMs, "second", 1);
  if (ms < hourMs) return unit(ms / minuteMs, "minute");
  return unit(ms / hourMs, "hour", 1);
};

/** A size in bytes, as people say it: "1.4 MB". */
export const sizeWords = (bytes: number): string => {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const at = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[at] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: at === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** at);
};

/** A number with its noun or verb: "1 document", "2 documents". */
export const counted = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;

/** Texts of the components. */
export const componentStrings = {
  notLoaded: "This view could not be loaded: the server cannot be reached, or was upgraded in the meantime.",
  roles: { reader: "Reader", writer: "Writer", admin: "Admin" },
  roleSentence: (role: string) => `${role}: what this key may do.`,
  rights: {
    reader: "Read documents, ask questions, send messages",
    writer: "Add, change and delete documents, chats and partitions",
    admin: "Issue and revoke keys, see settings and webhooks",
  },
  notAllowed: "Not allowed:",
  limited: "It sees one partition only; everything elsewhere does not exist for it.",
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  loading: "Loading …",
  more: (shown: number, total: number) => `Show more (${shown.toLocaleString()} of ${total.toLocaleString()})`,
  newestFirst: "newest first",
  oldestFirst: "oldest first",
  sort: (column: string, order: string) => `${column}, ${order}. Turn the order round`,
  tryAgain: "Try again",
};
