/**
 * Puts a text into the clipboard. Browsers offer their clipboard only over TLS and on the machine itself; elsewhere, as on
 * `http://nas:7373`, the text is selected and copied as by hand.
 * @returns whether it was copied
 */
export const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard !== undefined) {
    const isWritten = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (isWritten) return true;
  }
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  field.readOnly = true;
  // In a modal dialog, nothing outside can be selected.
  (before?.closest("dialog") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
};
