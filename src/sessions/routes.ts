import { Type } from "@sinclair/typebox";
import { noSessionCookie, sessionCookie, sessionIdOf, sessionTokenIn } from "../access/session.ts";
import { ApiError } from "../domain/errors.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse } from "../http/respond.ts";
import { deletedSchema, textField } from "../http/schema/fields.ts";
import { keyExample, keyJson, keyJsonOf, keySchema } from "../keys/schema.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { createSignIn } from "./sign-in.ts";

const path = "/api/session";
const tag = "Sessions";

const signInBody = Type.Object(
  { key: textField({ maxLength: 255, blank: false, description: "The API key.", examples: ["crl_…"] }) },
  { $id: "SignIn" },
);

const nobody = (): ApiError =>
  new ApiError("key_missing", "Nobody is signed in: send an API key to `POST /api/session`.");

/** `/api/session`: signing in to the console with a key. */
export const sessionEndpoints = ({ store, log }: { store: Store; log: Logger }): Endpoint[] => {
  const signIn = createSignIn({ store, log });
  return [
    endpoint({
      method: "POST",
      path,
      operationId: "signIn",
      access: "open",
      tag,
      summary: "Sign in with a key",
      description:
        "Sets the cookie `carrel_session`, which stands for the key on every `/api` route: for 12 hours after its last use, 30 days at most, and as long as the key is valid. A request by cookie that changes something carries the header `X-Carrel-Session: 1`. After ten wrong keys from one address in a minute, or sixty sessions begun with one key, the answer is 429.",
      body: signInBody,
      responses: { 200: keySchema },
      errors: ["key_unknown", "key_expired", "rate_limited"],
      example: { request: { key: "crl_…" }, response: keyExample },
      async handle({ body, clientAddress, requestId, baseUrl }) {
        const client = { address: clientAddress, requestId };
        const { token, key } = await signIn(body.key.trim(), client, Date.now());
        const headers = { "set-cookie": sessionCookie(token, baseUrl), "cache-control": "no-store" };
        return jsonResponse(keyJson(key, store.keyLimits.get(key.id)), { headers });
      },
    }),
    endpoint({
      method: "GET",
      path,
      operationId: "getSession",
      access: "reader",
      tag,
      summary: "Who is signed in",
      description: "The record of the key that the request acts by.",
      responses: { 200: keySchema },
      errors: [],
      example: { response: keyExample },
      handle({ principal }) {
        const key = keyJsonOf(store, principal.keyId);
        if (key === null) throw nobody();
        return jsonResponse(key, { headers: { "cache-control": "no-store" } });
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      operationId: "signOut",
      access: "reader",
      tag,
      summary: "Sign out",
      description: "Ends the session of the cookie, if there is one.",
      responses: { 200: deletedSchema },
      errors: [],
      example: { response: { id: "carrel_session", deleted: true } },
      async handle({ principal, request, baseUrl, audited }) {
        const token = sessionTokenIn(request.headers.get("cookie"));
        const session = token === null ? null : store.sessions.get(sessionIdOf(token));
        // A request with a key of its own may carry the cookie of somebody else.
        const isOwn = session !== null && session.keyId === principal.keyId;
        if (isOwn) await audited({ action: "session.ended", targetId: null }, () => store.sessions.remove(session.id));
        else if (session !== null) await store.sessions.remove(session.id);
        const headers = { "set-cookie": noSessionCookie(baseUrl), "cache-control": "no-store" };
        return jsonResponse({ id: "carrel_session", deleted: true }, { headers });
      },
    }),
  ] as Endpoint[];
};
