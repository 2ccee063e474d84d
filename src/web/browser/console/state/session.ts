import { effect, signal } from "@preact/signals";
import type { Key } from "../../shared/api.ts";
import { at } from "../../shared/prefix.ts";
import { type Client, createClient, RequestFailure, Unreachable } from "./client.ts";
import { markDone } from "./first-steps.ts";

/** The key that is signed in; null: nobody; undefined: not known yet. */
export const session = signal<Key | null | undefined>(undefined);

/** Whether a session ended by itself: the key was revoked or expired, or nobody used the session for long. */
export const hasEnded = signal(false);

/** Why signing in failed; null if it did not. */
export const signInFailure = signal<unknown>(null);

/** Whether the server did not answer when it was asked who is signed in. */
export const isOutOfReach = signal(false);

/** The one client of the console. */
export const client: Client = createClient({
  onSignedOut() {
    if (session.peek()) hasEnded.value = true;
    session.value = null;
  },
  onAsked: () => markDone("asked"),
});

/** Whether the key that is signed in may change documents and chats. */
export const mayWrite = (): boolean => session.value?.role === "writer" || session.value?.role === "admin";

/** Whether it may manage keys. */
export const isAdmin = (): boolean => session.value?.role === "admin";

/** Whether it may see settings and what else concerns the whole server. */
export const isOperator = (): boolean => isAdmin() && session.value?.partitionId === null;

/** Signs in with a key; the view that was open is shown again. A failure is left in `signInFailure`. */
export const signIn = async (key: string): Promise<void> => {
  signInFailure.value = null;
  try {
    // Not through the client: here a 401 means a wrong key, not the end of a session.
    const answer = await fetch(at("/api/session"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key: key.trim() }),
      cache: "no-store",
    }).catch(() => {
      throw new Unreachable("The server cannot be reached.");
    });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new RequestFailure(answer.status, body);
    hasEnded.value = false;
    isOutOfReach.value = false;
    session.value = body as Key;
  } catch (error) {
    signInFailure.value = error;
    session.value ??= null;
  }
};

export const signOut = async (): Promise<void> => {
  await client.send("DELETE", "/api/session").catch(() => {});
  hasEnded.value = false;
  session.value = null;
};

/** Who is signed in, as the page was delivered: known from its first moment, in the form of `session`. */
export const sessionOfPage = (): Key | null | undefined => {
  const told = document.querySelector<HTMLElement>("#console")?.dataset.session;
  return told === undefined ? undefined : (JSON.parse(told) as Key | null);
};

/** Asks the server who is signed in. Sets `isOutOfReach` while it cannot be asked. */
export const resumeSession = async (): Promise<void> => {
  try {
    session.value = await client.get<Key>("/api/session");
    isOutOfReach.value = false;
  } catch (error) {
    const mayComeBack = error instanceof Unreachable || (error instanceof RequestFailure && error.status >= 500);
    isOutOfReach.value = mayComeBack;
    if (!mayComeBack) session.value = null;
  }
};

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

/** Calls `forget` when another key signs in, or nobody is signed in any more: what was read is not the next one's. */
export const forgetWithKey = (forget: () => void): void => {
  let keyId: string | null = null;
  effect(() => {
    const now = session.value === undefined ? keyId : (session.value?.id ?? null);
    if (keyId !== null && now !== keyId) forget();
    keyId = now;
  });
};
