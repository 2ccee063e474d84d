import type { IssuedKey } from "../../../shared/api.ts";
import { serverAddress } from "../../../shared/prefix.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { keysStrings as words } from "./strings.ts";

/** A command that uses the key; for a POSIX shell. */
const commandWith = (key: string): string =>
  `curl ${serverAddress()}/api/query \\
  -H "Authorization: Bearer ${key}" \\
  -d '{"query": "What is in these documents?"}'`;

/** The new key. It is shown this once, so only its own button closes it. */
export const IssuedKeyDialog = ({ issued, onClose }: { issued: IssuedKey; onClose(): void }) => {
  const actions = (
    <button type="button" class="primary" onClick={onClose}>
      {words.issuedDone}
    </button>
  );
  const command = commandWith(issued.key);
  return (
    <Dialog title={words.issuedTitle} onClose={onClose} actions={actions} mustBeDismissed>
      <p>{words.issuedLead}</p>
      <div class="code-box">
        <code class="issued-key">{issued.key}</code>
        <div class="actions">
          <CopyButton text={issued.key} label={words.copyKey} />
        </div>
      </div>
      <h3>{words.issuedUse}</h3>
      <div class="code-box">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <pre tabIndex={0}>{command}</pre>
        <div class="actions">
          <CopyButton text={command} label={words.copyCommand} />
        </div>
      </div>
    </Dialog>
  );
};
