/**
 * The key of the link that the first start prints, `/#key=crl_…`. It is taken out of the address at once: neither the
 * history nor a bookmark keeps it, and a fragment is never sent to a server.
 * @returns null where the address carries none
 */
export const takeKeyFromAddress = (): string | null => {
  const match = /^#key=(.*)$/.exec(location.hash);
  if (match === null) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return match[1] ?? "";
};
