/** The guides in the order that a reader meets them, in groups; by the name of the file without `.md`. */
export const guideGroups: readonly { title: string; guides: readonly string[] }[] = [
  { title: "Start", guides: ["readme", "install", "console", "cli", "configuration"] },
  { title: "Documents", guides: ["formats", "folders-and-sites", "deletion", "export"] },
  { title: "Answers", guides: ["asking", "models", "quality", "evaluation", "public-chats"] },
  { title: "Running it", guides: ["deploy", "operations", "metrics", "backup", "recovery", "doctor", "threat-model"] },
  { title: "From programs", guides: ["mcp", "api", "errors", "webhooks", "bad-input", "architecture"] },
];

/** Where a guide stands; null for one that no group names. */
export const placeOf = (slug: string): { group: string; at: number } | null => {
  const at = guideGroups.flatMap(({ guides }) => guides).indexOf(slug);
  const group = guideGroups.find(({ guides }) => guides.includes(slug));
  return group === undefined ? null : { group: group.title, at };
};
