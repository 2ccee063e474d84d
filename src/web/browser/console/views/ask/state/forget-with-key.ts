import { effect } from "@preact/signals";
import { session } from "../../../state/session.ts";

/** Calls `forget` when another key signs in, or nobody is signed in any more: what was read is not the next one's. */
export const forgetWithKey = (forget: () => void): void => {
  let keyId: string | null = null;
  effect(() => {
    const now = session.value === undefined ? keyId : (session.value?.id ?? null);
    if (keyId !== null && now !== keyId) forget();
    keyId = now;
  });
};
