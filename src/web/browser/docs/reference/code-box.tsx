import { useSignal } from "@preact/signals";
import { copyText } from "../../shared/copy-text.ts";
import { strings } from "../strings.ts";

const shownMs = 2_000;

interface CodeBoxProps {
  title: string;
  code: string;
}

/** A text to copy, with a title: a call, an answer. */
export const CodeBox = ({ title, code }: CodeBoxProps) => {
  const isCopied = useSignal(false);
  const copy = async () => {
    if (!(await copyText(code))) return;
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, shownMs);
  };
  return (
    <figure class="code-box">
      <figcaption>
        <span>{title}</span>
        <button type="button" class="quiet" onClick={copy} aria-label={`${strings.operation.copy}: ${title}`}>
          <span aria-live="polite">{isCopied.value ? strings.operation.copied : strings.operation.copy}</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled to by keyboard */}
      <pre tabIndex={0} dir="ltr">
        <code>{code}</code>
      </pre>
    </figure>
  );
};
