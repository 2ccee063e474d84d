import { useSignal } from "@preact/signals";
import { Check, Copy } from "lucide";
import { copyText } from "../../shared/copy-text.ts";
import { strings } from "../strings.ts";
import { Icon } from "./icon.tsx";

const shownMs = 2_000;

/** Copies a text, and says so. @param label where "Copy" is not enough: "Copy the key" */
export const CopyButton = ({ text, label = strings.frame.copy }: { text: string; label?: string }) => {
  const isCopied = useSignal(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, shownMs);
  };
  return (
    <button type="button" class="copy" onClick={copy}>
      <Icon icon={isCopied.value ? Check : Copy} />
      <span aria-live="polite">{isCopied.value ? strings.frame.copied : label}</span>
    </button>
  );
};
