import { isWhole } from "./until-sent.ts";

/** The answer to HEAD: what GET would have answered, without its body; a stream is canceled. */
export const withoutBody = async (response: Response): Promise<Response> => {
  const headers = new Headers(response.headers);
  if (isWhole(response)) {
    headers.set("content-length", String((await response.arrayBuffer()).byteLength));
  } else {
    await response.body?.cancel();
  }
  return new Response(null, { status: response.status, headers });
};
