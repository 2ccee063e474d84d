/** The value of a cookie in a `Cookie` header; null if it is not there. */
export const cookieNamed = (header: string | null, wanted: string): string | null => {
  for (const pair of (header ?? "").split(";")) {
    const [name = "", value = ""] = pair.split("=", 2);
    if (name.trim() === wanted) return value.trim();
  }
  return null;
};
