import { Trash2 } from "lucide";
import type { Document as DocumentRecord, Partition } from "../../../../shared/api.ts";
import { Icon } from "../../../components/icon.tsx";
import { Menu } from "../../../components/menu.tsx";
import { client, session } from "../../../state/session.ts";
import { moveDocuments, retryDocuments } from "../document-actions.ts";
import { documentsStrings as texts } from "../strings.ts";

interface BulkBarProps {
  documents: readonly DocumentRecord[];
  partitions: readonly Partition[];
  /** Selects what matches on the other pages too; null: nothing does. */
  selectMatching: { label: string; isRunning: boolean; run(): void } | null;
  onDone(): void;
  onDelete(): void;
  onReread(): void;
}

/** In place of the filters while rows are selected: what can be done with them. */
export const BulkBar = ({ documents, partitions, selectMatching, onDone, onDelete, onReread }: BulkBarProps) => {
  const act = (run: () => unknown) => () => {
    onDone();
    void run();
  };
  const places = [
    { label: texts.noPartition, run: act(() => moveDocuments(client, documents, null)) },
    ...partitions.map(({ id, name }) => ({ label: name, run: act(() => moveDocuments(client, documents, id)) })),
  ];
  return (
    <div class="filters bulk">
      <span role="status">{texts.selected(documents.length)}</span>
      {selectMatching !== null && (
        <button type="button" class="link" disabled={selectMatching.isRunning} onClick={selectMatching.run}>
          {selectMatching.isRunning ? texts.selecting : selectMatching.label}
        </button>
      )}
      {session.value?.partitionId === null && partitions.length > 0 && <Menu label={texts.move} items={places} />}
      {documents.some(({ status }) => status === "failed") && (
        <button type="button" onClick={act(() => retryDocuments(client, documents))}>
          {texts.retry}
        </button>
      )}
      <button type="button" onClick={onReread}>
        {texts.reread.open}
      </button>
      <button type="button" class="danger" onClick={onDelete}>
        <Icon icon={Trash2} />
        {texts.delete}
      </button>
      <button type="button" class="quiet" onClick={onDone}>
        {texts.clearSelection}
      </button>
    </div>
  );
};
