import { signal, useSignal } from "@preact/signals";
import { Check, Circle, CircleAlert, CircleCheck, Clock, Copy, type IconNode, TriangleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { copyText, Icon } from "../../shared/controls.tsx";
import { relativeTime, componentStrings as words } from "./words.ts";

/** `warning`: it works, and something is to be known or done. */
export type Mood = "good" | "wait" | "warning" | "bad" | "quiet";

const icons: Record<Mood, IconNode> = {
  good: CircleCheck,
  wait: Clock,
  warning: TriangleAlert,
  bad: CircleAlert,
  quiet: Circle,
};

/** A state in a word, with an icon and a color that say the same. */
export const StateWord = ({ mood, children }: { mood: Mood; children: ComponentChildren }) => (
  <span class={`state-word ${mood}`}>
    <Icon icon={icons[mood]} />
    <span>{children}</span>
  </span>
);

interface ProgressProps {
  /** What progresses, for screen readers. */
  label: string;
  value: number;
  max: number;
  /** How far it is, in words and numbers: "page 41 of 120". */
  children?: string;
}

/** How far something is: a bar, and words where there are any. */
export const Progress = ({ label, value, max, children }: ProgressProps) => (
  <span class="progress">
    <progress aria-label={label} value={value} max={Math.max(1, max)} />
    {children !== undefined && <span class="quiet">{children}</span>}
  </span>
);

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

/** A text in which code stands between backquotes. */
export const withCode = (text: string) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));

const shownMs = 2_000;

interface CopyButtonProps {
  text: string;
  /** Where "Copy" is not enough: "Copy key". */
  label?: string;
  onCopied?(): void;
}

/** Copies a text, and says so. */
export const CopyButton = ({ text, label = words.copy, onCopied }: CopyButtonProps) => {
  const isCopied = useSignal(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    isCopied.value = true;
    onCopied?.();
    setTimeout(() => {
      isCopied.value = false;
    }, shownMs);
  };
  return (
    <button type="button" class="copy" onClick={copy}>
      <Icon icon={isCopied.value ? Check : Copy} />
      <span aria-live="polite">{isCopied.value ? words.copied : label}</span>
    </button>
  );
};

/** Code with a button that copies it. */
export const CodeBox = ({ code, ...button }: { code: string } & Omit<CopyButtonProps, "text">) => (
  <div class="code-box">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
    <pre tabIndex={0}>{code}</pre>
    <div class="actions">
      <CopyButton text={code} {...button} />
    </div>
  </div>
);
