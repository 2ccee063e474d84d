import { ArrowLeft } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface BackLinkProps {
  href: string;
  class: string;
  children: ComponentChildren;
}

/** A link to the list that a view came from. */
export const BackLink = ({ href, class: name, children }: BackLinkProps) => (
  <a class={name} href={href}>
    <Icon icon={ArrowLeft} />
    {children}
  </a>
);
