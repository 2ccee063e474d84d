import type { IconNode } from "lucide";
import { h } from "preact";

/** An icon of Lucide, in the color and size of the text. Words stand beside it, so it is hidden from screen readers. */
export const Icon = ({ icon }: { icon: IconNode }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {icon.map(([tag, attributes], at) => h(tag, { ...attributes, key: at }))}
  </svg>
);
