/** A bucket's name as Amazon allows it, and a prefix without special characters. */
const s3Address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/;

/** Whether a text is an address, and not the path of a folder; `s3:bucket` is meant as one too. */
export const isAddress = (text: string): boolean => /^(?:[a-z0-9+]+:\/\/|s3:)/i.test(text);

/** The bucket and prefix of `s3://bucket/prefix`; null if the text is no such address. */
export const parseS3Address = (text: string): { bucket: string; prefix: string } | null => {
  const match = s3Address.exec(text);
  if (match === null) return null;
  const prefix = (match[2] ?? "").split("/").filter((part) => part !== "");
  if (prefix.some((part) => part === "." || part === "..")) return null;
  return { bucket: match[1] ?? "", prefix: prefix.join("/") };
};
