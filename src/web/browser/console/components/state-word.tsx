import { Circle, CircleAlert, CircleCheck, Clock, type IconNode, TriangleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

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
