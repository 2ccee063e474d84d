import { Dialog } from "../components/dialog.tsx";
import { commands } from "../state/commands.ts";
import { Keys } from "./keys.tsx";
import { frameStrings as words } from "./strings.ts";

/** The keys of all commands that can be run now. */
export const ShortcutList = ({ onClose }: { onClose(): void }) => {
  // A view's command takes the keys of the frame's.
  const shown = new Map(commands.value.filter(({ keys }) => keys !== undefined).map((each) => [each.keys, each]));
  return (
    <Dialog title={words.shortcuts} onClose={onClose}>
      <dl class="shortcuts">
        {[...shown.values()].map(({ id, title, keys = "" }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
        <div>
          <dt>{words.closeOpen}</dt>
          <dd>
            <Keys keys="Escape" />
          </dd>
        </div>
      </dl>
    </Dialog>
  );
};
