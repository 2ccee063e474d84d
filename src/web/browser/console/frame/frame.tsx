import type { ComponentChildren } from "preact";
import { Toasts } from "../components/toasts.tsx";
import { strings } from "../strings.ts";

const views = ["documents", "ask", "chats", "partitions", "keys", "settings"] as const;

/** The rail at the left, and the view. */
export const Frame = ({ children }: { children: ComponentChildren }) => (
  <div class="frame">
    <nav class="rail" aria-label="Carrel">
      {views.map((view) => (
        <a key={view} href={`/${view}`}>
          {strings.frame.views[view]}
        </a>
      ))}
    </nav>
    <main>{children}</main>
    <Toasts />
  </div>
);
