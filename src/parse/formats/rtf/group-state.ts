/** Where the text of a group goes. */
export type Destination = "text" | "skip" | "fonts" | "styles" | "title" | "info" | "marker" | "note" | "instruction";

/** What the control words of a group set, and its end restores. */
export interface GroupState extends ParagraphFormat {
  destination: Destination;
  /** How many characters after `\u` replace it for readers that do not know it. */
  substitutes: number;
  font: number;
  isHidden: boolean;
  /** Smaller and higher, lower, or only higher. */
  height: "super" | "sub" | "up" | null;
  /** Where the result of a link's field begins in the text, and its target. */
  link: { start: number; target: string } | null;
}

/** What `\pard` resets. */
export interface ParagraphFormat {
  isInTable: boolean;
  /** Level of a heading. */
  level: number | null;
  style: number | null;
  isListItem: boolean;
  listDepth: number;
  /** Left indent of the paragraph, and of its first line against it, in twips. */
  indent: number;
  firstIndent: number;
}

const plainParagraph: ParagraphFormat = {
  isInTable: false,
  level: null,
  style: null,
  isListItem: false,
  listDepth: 0,
  indent: 0,
  firstIndent: 0,
};

export const initialState = (): GroupState => ({
  ...plainParagraph,
  destination: "text",
  substitutes: 1,
  font: 0,
  isHidden: false,
  height: null,
  link: null,
});

const formats: Readonly<Record<string, (state: GroupState, value: number | null) => void>> = {
  pard: (state) => Object.assign(state, plainParagraph),
  plain: (state) => {
    state.isHidden = false;
    state.height = null;
  },
  super: (state, value) => {
    state.height = value === 0 ? null : "super";
  },
  sub: (state, value) => {
    state.height = value === 0 ? null : "sub";
  },
  nosupersub: (state) => {
    state.height = null;
  },
  up: (state, value) => {
    state.height = value === 0 ? null : "up";
  },
  v: (state, value) => {
    state.isHidden = value !== 0;
  },
  deleted: (state, value) => {
    state.isHidden = value !== 0;
  },
  uc: (state, value) => {
    state.substitutes = Math.max(0, value ?? 1);
  },
  li: (state, value) => {
    state.indent = value ?? 0;
  },
  fi: (state, value) => {
    state.firstIndent = value ?? 0;
  },
  intbl: (state) => {
    state.isInTable = true;
  },
  outlinelevel: (state, value) => {
    state.level = value !== null && value < 9 ? value + 1 : null;
  },
  s: (state, value) => {
    state.style = value;
  },
  ls: (state) => {
    state.isListItem = true;
  },
  ilvl: (state, value) => {
    state.listDepth = value ?? 0;
  },
};

/** Sets what a control word formats. @returns whether it was one of those */
export const applyFormat = (state: GroupState, word: string, value: number | null): boolean => {
  const apply = Object.hasOwn(formats, word) ? formats[word] : undefined;
  apply?.(state, value);
  return apply !== undefined;
};

/** Groups whose text is not the document's. */
const ignored = new Set(
  (
    "pict object atnid atnauthor colortbl " +
    "listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl " +
    "filetbl revtbl pgptbl bkmkstart bkmkend tc xe nonshppict mmathPr wgrffmtfilter do"
  ).split(" "),
);
/** Groups that begin with `\*`, by which a reader may ignore them, and are read nevertheless. */
const readThoughStarred = new Set([
  "shppict",
  "pn",
  "listtext",
  "shpinst",
  "nesttableprops",
  "footnote",
  "fldinst",
  "annotation",
]);

export const isIgnoredDestination = (word: string, isStarred: boolean): boolean =>
  ignored.has(word) || (isStarred && !readThoughStarred.has(word));
