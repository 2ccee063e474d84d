import { useSignal } from "@preact/signals";
import { ChevronDown, FileText, FileUp, FolderUp, Globe, Network } from "lucide";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../../../shared/controls.tsx";
import { Menu } from "../../../components/menu.tsx";
import { sizeWords } from "../../../components/words.ts";
import { useCommands } from "../../../state/commands.ts";
import { toast } from "../../../state/messages.ts";
import { usePartitions } from "../../../state/partitions.ts";
import { mayWrite } from "../../../state/session.ts";
import { AddingForm, PageDialog, placeId, SiteDialog, TextDialog } from "./adding-dialogs.tsx";
import { type AddingDialog, addFiles, addingDialog, addingPlace, offeredFiles, offerFiles } from "./adding-state.ts";
import { type ChosenFiles, filesOfDrop, filesOfInput, maxFiles } from "./dropped-files.ts";
import { addingStrings as texts } from "./strings.ts";

const dialogs = { page: PageDialog, site: SiteDialog, text: TextDialog };

/** Takes files that are dropped anywhere on the window, and shows the dialogs of adding. The console shows it once. */
export const Adding = () => {
  const isOver = useDrop();
  const close = () => {
    addingDialog.value = null;
  };
  const Shown = addingDialog.value === null ? null : dialogs[addingDialog.value satisfies AddingDialog];
  const place = addingPlace.value;
  return (
    <>
      {isOver && (
        <div class="drop-here" aria-hidden="true">
          <p dir="auto">{place === null ? texts.drop : texts.dropInto(place.name)}</p>
        </div>
      )}
      {Shown !== null && <Shown onClose={close} />}
      {offeredFiles.value !== null && <FilesDialog offered={offeredFiles.value} />}
    </>
  );
};

/** Whether files are held over the window. */
const useDrop = (): boolean => {
  const isOver = useSignal(false);
  const partitions = usePartitions();
  // Not after the paint: whoever sees the console may drop files on it.
  useLayoutEffect(() => {
    if (!mayWrite()) return;
    const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    // Left for another window, not for another element.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = async (event: DragEvent) => {
      isOver.value = false;
      if (!holdsFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      const found = await filesOfDrop(event.dataTransfer.items);
      if (found.files.length === 0) toast(texts.nothingDropped, "failed");
      else offerFiles(found, partitions.length > 0);
    };
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, [partitions]);
  return isOver.value;
};

/** Asks where files go, where there is a choice. */
const FilesDialog = ({ offered }: { offered: ChosenFiles }) => {
  const close = () => {
    offeredFiles.value = null;
  };
  const bytes = offered.files.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <AddingForm
      title={texts.filesTitle(offered.files.length)}
      isComplete
      onClose={close}
      add={async (_form, place, signal) => {
        addFiles(offered, await placeId(place, signal));
        close();
      }}
    >
      <p class="quiet">{texts.filesSize(offered.files.length, sizeWords(bytes))}</p>
      {offered.isCut && <p>{texts.tooMany(maxFiles)}</p>}
    </AddingForm>
  );
};

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
