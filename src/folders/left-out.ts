import { normalForm } from "../text/clean-text.ts";

/** Tells whether a file or folder is left out. @param path relative to the folder, with `/` */
export type LeftOut = (path: string, isFolder: boolean) => boolean;

/** Folders that systems and programs keep beside what people put there: recycle bins, snapshots, thumbnails. */
const systemFolders = [
  "#recycle",
  "@recycle",
  "$recycle.bin",
  "recycler",
  "network trash folder",
  ".trash*",
  "lost+found",
  "#snapshot",
  "~snapshot",
  "@recently-snapshot",
  "@eadir",
  "@tmp",
  "@transcode",
  "system volume information",
  "temporary items",
  "*.download",
  "__macosx",
];

/** Lock, swap and partial files of programs, and what systems note beside files. */
const temporaryFiles = [
  "~$*",
  "*~",
  "*.sw[nop]",
  "#*#",
  "*.tmp",
  "*.temp",
  "*.part",
  "*.partial",
  "*.filepart",
  "*.crdownload",
  "*.opdownload",
  "*.download",
  "*.kate-swp",
  "*.aria2",
  "*.!ut",
  "*.!qb",
  "*.bc!",
  "*.crswap",
  "*.ffs_tmp",
  "*.sb-????????-??????",
  "*.{lock,lck}",
  "thumbs.db",
  "ehthumbs*.db",
  "desktop.ini",
  "icon\r",
];

/** Films, sound, images of disks, programs and fonts: no reader finds text in them, whatever their bytes are. */
const withoutText = [
  "*.{mkv,mp4,m4v,avi,mov,wmv,flv,webm,mpg,mpeg,m2ts,3gp,ogv,vob}",
  "*.{mp3,m4a,aac,flac,wav,ogg,oga,opus,wma,aif,aiff,mid,midi}",
  "*.{iso,img,dmg,vmdk,vdi,vhd,vhdx,qcow2,ova}",
  "*.{exe,dll,msi,so,dylib,deb,rpm,apk,class,o,obj,pyc}",
  "*.{ttf,otf,woff,woff2,eot}",
];

/** Of one form, whatever the case and whether the system composes accents: `THUMBS.DB` is `thumbs.db`. */
const fold = (text: string): string => normalForm(text, "NFC").toLowerCase();

interface Rule {
  /** Null: files and folders. */
  of: "files" | "folders" | null;
  takesBack: boolean;
  matches(name: string, path: string): boolean;
}

/** As in a .gitignore: without a slash inside, a pattern is compared with names at any depth. */
const ruleOf = (written: string): Rule => {
  const takesBack = written.startsWith("!");
  const ofFolders = written.endsWith("/");
  const pattern = fold(written.slice(takesBack ? 1 : 0, ofFolders ? -1 : undefined));
  const glob = new Bun.Glob(pattern.replace(/^\//, ""));
  const ofNames = !pattern.includes("/");
  return {
    of: ofFolders ? "folders" : null,
    takesBack,
    matches: (name, path) => glob.match(ofNames ? name : path),
  };
};

const usualRules: readonly Rule[] = [
  ...systemFolders.map((pattern): Rule => ({ ...ruleOf(pattern), of: "folders" })),
  ...[...temporaryFiles, ...withoutText].map((pattern): Rule => ({ ...ruleOf(pattern), of: "files" })),
];

/**
 * What of a folder is left out: hidden files, what nobody means to be read (above), and what the patterns name. The last
 * pattern that matches counts; one that begins with `!` takes something back in.
 * @param patterns `folders[].exclude`
 */
export const createLeftOut = (patterns: readonly string[] = []): LeftOut => {
  const rules = [...usualRules, ...patterns.map(ruleOf)].reverse();
  return (path, isFolder) => {
    const folded = fold(path);
    const name = folded.slice(folded.lastIndexOf("/") + 1);
    if (name.startsWith(".")) return true;
    const kind = isFolder ? "folders" : "files";
    const rule = rules.find(({ of, matches }) => (of === null || of === kind) && matches(name, folded));
    return rule !== undefined && !rule.takesBack;
  };
};
