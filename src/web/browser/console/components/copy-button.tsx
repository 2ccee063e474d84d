import { useSignal } from "@preact/signals";
import { Check, Copy } from "lucide";
import { copyText, Icon } from "../../shared/controls.tsx";
import { componentStrings as words } from "./words.ts";

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
