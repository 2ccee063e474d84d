/** What OAuth calls a failure. */
type OAuthError =
  | "invalid_request"
  | "invalid_grant"
  | "invalid_client"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** A failure that is answered in OAuth's own shape, not as a problem document; the message is its description. */
export class OAuthFailure extends Error {
  override readonly name = "OAuthFailure";
  constructor(
    readonly code: OAuthError,
    description: string,
  ) {
    super(description);
  }
}
