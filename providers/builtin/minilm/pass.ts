import { messageOf } from "../../../src/domain/thrown.ts";
import { ProviderError } from "../../contract.ts";

/** A forward pass that was asked for. */
export interface Pass {
  pieces: Int32Array;
  result: PromiseWithResolvers<Float32Array>;
  isSettled: boolean;
}

export const failure = (kind: ProviderError["kind"], message: string, cause?: unknown) =>
  new ProviderError("embedding", kind, message, { cause });

/** What a thread threw, as an error of the provider. */
export const failureOf = (error: unknown): ProviderError => {
  if (error instanceof ProviderError) return error;
  return failure("bad_answer", `the built-in model failed: ${messageOf(error)}`, error);
};

export const settle = (pass: Pass, outcome: Float32Array | ProviderError): void => {
  if (pass.isSettled) return;
  pass.isSettled = true;
  if (outcome instanceof ProviderError) pass.result.reject(outcome);
  else pass.result.resolve(outcome);
};
