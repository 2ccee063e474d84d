import { ChevronDown, FileText, FileUp, FolderUp, Globe, Network } from "lucide";
import { useRef } from "preact/hooks";
import { Icon } from "../../../components/icon.tsx";
import { Menu } from "../../../components/menu.tsx";
import { useCommands } from "../../../state/commands.ts";
import { usePartitions } from "../../../state/partitions.ts";
import { addingDialog, offerFiles } from "./adding-state.ts";
import { filesOfInput } from "./dropped-files.ts";
import { addingStrings as texts } from "./strings.ts";

/** Every browser knows it; the types of Preact do not. */
const wholeFolder = { webkitdirectory: true };

/** The one primary action of the view: adds files, folders, pages, sites and texts. */
export const AddMenu = () => {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const partitions = usePartitions();
  useCommands(() => [{ id: "documents.add", title: texts.add, keys: "a", run: () => files.current?.click() }]);
  const take = (event: { currentTarget: HTMLInputElement }) => {
    const input = event.currentTarget;
    if (input.files !== null) offerFiles(filesOfInput(input.files), partitions.length > 0);
    // The same file can be chosen again.
    input.value = "";
  };
  const open = (dialog: typeof addingDialog.value) => () => {
    addingDialog.value = dialog;
  };
  return (
    <div class="add">
      <Menu
        label={texts.add}
        class="primary"
        items={[
          { label: texts.files, icon: FileUp, run: () => files.current?.click() },
          { label: texts.folder, icon: FolderUp, run: () => folder.current?.click() },
          { label: texts.page, icon: Globe, run: open("page") },
          { label: texts.site, icon: Network, run: open("site") },
          { label: texts.text, icon: FileText, run: open("text") },
        ]}
      >
        <span>
          {texts.addShort}
          <span class="on-wide"> {texts.documents}</span>
        </span>
        <Icon icon={ChevronDown} />
      </Menu>
      <input ref={files} type="file" multiple hidden aria-label={texts.files} onChange={take} />
      <input ref={folder} type="file" {...wholeFolder} hidden aria-label={texts.folder} onChange={take} />
    </div>
  );
};
