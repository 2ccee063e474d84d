import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { messageOf } from "../../../../../domain/errors.ts";
import { RequestFailure } from "../../state/client.ts";
import { hasEnded, signIn, signInFailure } from "../../state/session.ts";

const words = {
  title: "Carrel",
  lead: "This server reads documents and answers questions over them, with sources.",
  key: "API key",
  hint: "The first start printed one, with a link that signs in by itself. More are made with “carrel key create” or by an admin under Keys.",
  show: "Show",
  hide: "Hide",
  submit: "Sign in",
  running: "Signing in …",
  ended:
    "You were signed out: the key was revoked or has expired, or the session ended. Sign in to go on where you were.",
  wrong: "This key is unknown or was revoked. Check that it was copied whole: crl_ and 43 letters or digits.",
  expired: "This key has expired. An admin can issue a new one under Keys.",
  tooMany: "Too many wrong keys were sent from your address. Wait a minute, then try again.",
  docs: "Guides and API reference",
};

/** What happened and what to do, for a key that was not accepted. */
const reasonFor = (error: unknown): string => {
  if (error instanceof RequestFailure) {
    if (error.problem.code === "key_expired") return words.expired;
    if (error.status === 401) return words.wrong;
    if (error.status === 429) return words.tooMany;
  }
  return messageOf(error);
};

/** Signing in with a key. The address stays, so the view that was asked for follows. */
export const SignInView = () => {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isShown = useSignal(false);
  const isRunning = useSignal(false);
  const failure = signInFailure.value;
  // Not after the paint: whoever sees the field may type.
  useLayoutEffect(() => {
    document.title = "Carrel";
    field.current?.focus();
  }, []);

  const submit = async (event: Event) => {
    event.preventDefault();
    const key = field.current?.value ?? "";
    if (key.trim() === "" || isRunning.value) return;
    isRunning.value = true;
    await signIn(key);
    isRunning.value = false;
    field.current?.select();
  };

  return (
    <main class="sign-in">
      <h1>{words.title}</h1>
      <p class="quiet">{words.lead}</p>
      <form class="form" onSubmit={submit}>
        {hasEnded.value && failure === null && (
          <p class="ended" role="status">
            {words.ended}
          </p>
        )}
        <div class="field">
          <label for={id}>{words.key}</label>
          <div class="key-field">
            <input
              ref={field}
              id={id}
              name="key"
              // The two are one field to browsers, but not to their types.
              type={(isShown.value ? "text" : "password") as "password"}
              autocomplete="current-password"
              placeholder="crl_…"
              spellcheck={false}
              autocapitalize="off"
              maxLength={255}
              required
              aria-invalid={failure !== null}
              aria-describedby={`${id}-hint ${id}-failure`}
            />
            <button type="button" aria-pressed={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
              {isShown.value ? words.hide : words.show}
            </button>
          </div>
          <p id={`${id}-failure`} class="notice" role="alert">
            {failure === null ? "" : reasonFor(failure)}
          </p>
          <p id={`${id}-hint`} class="hint">
            {words.hint}
          </p>
        </div>
        <button type="submit" class="primary" disabled={isRunning.value}>
          {isRunning.value ? words.running : words.submit}
        </button>
      </form>
      <p>
        <a href="/docs">{words.docs}</a>
      </p>
    </main>
  );
};
