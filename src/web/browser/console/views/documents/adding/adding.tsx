import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { sizeWords } from "../../../components/time-words.ts";
import { toast } from "../../../components/toasts.tsx";
import { usePartitions } from "../../../state/partitions.ts";
import { mayWrite } from "../../../state/session.ts";
import { PageDialog, placeId, SiteDialog, TextDialog } from "./adding-dialogs.tsx";
import { AddingForm } from "./adding-form.tsx";
import { type AddingDialog, addFiles, addingDialog, addingPlace, offeredFiles, offerFiles } from "./adding-state.ts";
import { type ChosenFiles, filesOfDrop, maxFiles } from "./dropped-files.ts";
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
