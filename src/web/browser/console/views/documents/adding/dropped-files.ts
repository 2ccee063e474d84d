/** A file to add, with the folders that it was chosen with. */
interface ChosenFile {
  file: File;
  /** As in `reports/2025/annual.pdf`; the name alone without a folder. */
  path: string;
}

export interface ChosenFiles {
  files: ChosenFile[];
  /** Whether there were more than may be added at once. */
  isCut: boolean;
}

/** More than that belong into a configured folder. */
export const maxFiles = 10_000;
/** Folders within folders; a link of the file system may lead in a circle. */
const maxDepth = 32;

/** What systems put into folders for themselves. */
const isHidden = (name: string): boolean => /^(?:\.|~\$|Thumbs\.db$|desktop\.ini$|__MACOSX$)/.test(name);

/** The files of an `<input type="file">`, with `webkitdirectory` or without. */
export const filesOfInput = (list: FileList): ChosenFiles => {
  const all = [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  const files = all.filter(({ path }) => !path.split("/").some(isHidden));
  return { files: files.slice(0, maxFiles), isCut: files.length > maxFiles };
};

/**
 * The files that were dropped, those in folders included. Call it in the event itself: the items are gone afterwards.
 * What cannot be read is left out.
 */
export const filesOfDrop = async (items: DataTransferItemList): Promise<ChosenFiles> => {
  const dropped = [...items].filter(({ kind }) => kind === "file");
  const entries = dropped.map((item) => item.webkitGetAsEntry());
  const plain = dropped.map((item) => item.getAsFile());
  const found: ChosenFiles = { files: [], isCut: false };

  const add = (file: File, path: string): void => {
    if (found.files.length >= maxFiles) found.isCut = true;
    else found.files.push({ file, path });
  };
  const visit = async (entry: FileSystemEntry, path: string, depth: number): Promise<void> => {
    if (found.isCut || depth > maxDepth || isHidden(entry.name)) return;
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject)).catch(() => null);
      if (file !== null) add(file, path + entry.name);
      return;
    }
    for (const child of await childrenOf(entry as FileSystemDirectoryEntry))
      await visit(child, `${path}${entry.name}/`, depth + 1);
  };
  for (const [at, entry] of entries.entries()) {
    const file = plain[at];
    if (entry !== null) await visit(entry, "", 0);
    else if (file) add(file, file.name);
  }
  return found;
};

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** A reader gives some hundred entries at a time, and none at the end. */
const childrenOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)).catch(
      () => [],
    );
    if (some.length === 0 || children.length >= maxFiles) return children;
    children.push(...some);
  }
};
