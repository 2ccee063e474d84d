import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isTooLong, sizesIn } from "../../../providers/http/too-long.ts";
import { threadCpuMs } from "../../thread-cpu.ts";

/** What servers say, as their documentation, sources and issue trackers show it. */
const refusals: [server: string, words: string, limit: number | null, prompt: number | null][] = [
  ["Ollama", "the input length exceeds the context length", null, null],
  [
    "OpenAI",
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 5012 tokens. Please reduce the length of the messages.",
    4097,
    5012,
  ],
  [
    "OpenAI, with the answer's share",
    "This model's maximum context length is 4097 tokens. However, you requested 5500 tokens (4500 in the messages, 1000 in the completion).",
    4097,
    4500,
  ],
  [
    "OpenAI's newer models",
    "Input tokens exceed the configured limit of 272,000 tokens. Your messages resulted in 300,120 tokens. Please reduce the length of the messages.",
    272_000,
    300_120,
  ],
  [
    "vLLM",
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 3000 input tokens (2000 > 4096 - 3000).",
    4096,
    3000,
  ],
  [
    "vLLM, the prompt alone",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
    4096,
    5000,
  ],
  [
    "llama.cpp",
    'the request exceeds the available context size, try increasing it {"n_prompt_tokens":5000,"n_ctx":4096}',
    4096,
    5000,
  ],
  [
    "llama.cpp, in words",
    "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
    4096,
    5000,
  ],
  ["llama-cpp-python", "Requested tokens (5012) exceed context window of 4096", 4096, 5012],
  [
    "llama-cpp-python, as OpenAI",
    "This model's maximum context length is 4096 tokens, however you requested 5012 tokens (5000 in your prompt; 12 for the completion). Please reduce your prompt; or completion length.",
    4096,
    5000,
  ],
  [
    "LM Studio",
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    4096,
    null,
  ],
  ["TEI", "Input validation error: `inputs` must have less than 512 tokens. Given: 600", 512, 600],
  [
    "TGI",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 1000 `max_new_tokens`",
    4096,
    5000,
  ],
  [
    "OpenRouter",
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (139000 of text input, 1000 in the output).",
    131_072,
    139_000,
  ],
  ["Anthropic", "prompt is too long: 210000 tokens > 200000 maximum", 200_000, 210_000],
  ["Mistral", "Prompt contains 33000 tokens, too large for model with 32768 maximum context length", 32_768, 33_000],
  ["Cohere", "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000", 4081, 5000],
  [
    "Google",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    1_048_576,
    1_200_000,
  ],
  ["Bedrock", "Input is too long for requested model.", null, null],
];

describe("a refusal for its length", () => {
  test.each(refusals)("as %s words it", (_server, words, limitTokens, promptTokens) => {
    expect(isTooLong(400, words)).toBe(true);
    const sizes = limitTokens === null && promptTokens === null ? null : { limitTokens, promptTokens };
    expect(sizesIn(words)).toEqual(sizes);
  });

  test.each([
    [413, "Request Entity Too Large", true],
    [429, "Request too large: tokens per minute exceed the context length", false],
    [401, "context length", false],
    [400, "unknown field: max_tokens", false],
    [500, "model requires more system memory (9.1 GiB) than is available", false],
    [500, "unexpected EOF", false],
    [400, '"parrot" does not support thinking', false],
  ])("%i %s: %p", (status, words, expected) => {
    expect(isTooLong(status, words)).toBe(expected);
  });

  test("any text is read at once, and sizes are positive", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), fc.nat(), (text, number) => {
        const sizes = sizesIn(`${text}context length ${number}${text}`);
        for (const size of [sizes?.limitTokens, sizes?.promptTokens]) expect(size == null || size > 0).toBe(true);
      }),
    );
    const began = threadCpuMs();
    for (const piece of ["context length ", "tokens ", "1,", "prompt contains ", "`inputs` tokens + "])
      isTooLong(400, piece.repeat(65_536 / piece.length)) && sizesIn(piece.repeat(65_536 / piece.length));
    expect(threadCpuMs() - began).toBeLessThan(5_000);
  });
});
