import { useLayoutEffect, useRef } from "preact/hooks";
import { renderMarkdown } from "../shared/markdown.ts";
import { strings } from "../shared/strings.ts";

interface AnswerTextProps {
  text: string;
  sources: number;
  onSource(number: number): void;
}

/** The Markdown of an answer, with marks that lead to its sources, and code that can be copied. */
export const AnswerText = ({ text, sources, onSource }: AnswerTextProps) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const fragment = renderMarkdown(text, sources);
    for (const mark of fragment.querySelectorAll<HTMLButtonElement>("button.mark")) {
      const number = Number(mark.dataset.source);
      mark.setAttribute("aria-label", strings.source(number));
      mark.addEventListener("click", () => onSource(number));
    }
    for (const code of fragment.querySelectorAll("pre")) code.append(copyButton(code.textContent ?? ""));
    place.current?.replaceChildren(fragment);
  }, [text, sources]);
  return <div class="text" dir="auto" ref={place} />;
};

const copyButton = (code: string): HTMLButtonElement => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy-code";
  button.textContent = strings.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code);
    button.textContent = strings.copied;
  });
  return button;
};
