import type { PromptSizes } from "../contract.ts";

/** Statuses with which servers refuse a prompt for its length. */
const refusals = new Set([400, 413, 422, 500]);

/**
 * How servers say that a prompt does not fit: Ollama, OpenAI, vLLM, llama.cpp, llama-cpp-python, LM Studio, TGI and
 * TEI, OpenRouter, Mistral, Cohere and Google.
 */
const tooLong = [
  /context[ _](length|window|size)/i,
  /maximum (context|model) length/i,
  /too many tokens/i,
  /\b(input|prompt|request) (is )?too (long|large)/i,
  /\btoo large for model\b/i,
  /\btokens\W.{0,40}must be <=/i,
  /must have less than \d+ tokens/i,
  /token count .{0,40}exceeds/i,
  /input tokens exceed/i,
  /reduce the length of the (messages|prompt|input)/i,
];

/** Whether a refusal with these words is about the length of what was sent. */
export const isTooLong = (status: number, words: string): boolean =>
  refusals.has(status) && (status === 413 || tooLong.some((pattern) => pattern.test(words)));

const limits = [
  /"n_ctx"\s*:\s*(\d{1,9})/,
  /(\d{1,9}) maximum context length/i,
  /> (\d{1,9}) maximum/i,
  /(?:context (?:length|window|size)|maximum model length)\D{0,24}(\d{1,9})/i,
  /must be <= (\d{1,9})/i,
  /less than (\d{1,9}) tokens/i,
  /cannot exceed (\d{1,9})/i,
  /configured limit of (\d{1,9})/i,
  /tokens allowed \((\d{1,9})\)/i,
];

const prompts = [
  /"n_prompt_tokens"\s*:\s*(\d{1,9})/,
  /(\d{1,9}) (?:in the messages|in your prompt|in the prompt|of text input)/i,
  /(\d{1,9}) `?input(?:s)?`? tokens/i,
  /messages resulted in (\d{1,9})/i,
  /prompt \(length (\d{1,9})\)/i,
  /request \((\d{1,9}) tokens\)/i,
  /prompt (?:is too long:|contains) (\d{1,9})/i,
  /given:\s*(\d{1,9})/i,
  /received (\d{1,9})/i,
  /token count \((\d{1,9})\)/i,
  /requested tokens \((\d{1,9})\)/i,
  // Includes the tokens reserved for the answer; some servers say no more than this.
  /requested (?:about )?(\d{1,9}) tokens/i,
];

const firstOf = (patterns: readonly RegExp[], text: string): number | null => {
  for (const pattern of patterns) {
    const number = Number(pattern.exec(text)?.[1] ?? 0);
    if (number > 0) return number;
  }
  return null;
};

/** The sizes that a refusal names; null if it names none. */
export const sizesIn = (body: string): PromptSizes | null => {
  const text = body.replace(/(\d),(?=\d{3})/g, "$1");
  const limitTokens = firstOf(limits, text);
  const promptTokens = firstOf(prompts, text);
  return limitTokens === null && promptTokens === null ? null : { limitTokens, promptTokens };
};
