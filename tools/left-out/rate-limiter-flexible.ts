/** Only the limiter that is used: the package's entry also holds those of a dozen databases. Its types name the entry alone. */
// @ts-expect-error
export { default as RateLimiterMemory } from "../../node_modules/rate-limiter-flexible/lib/RateLimiterMemory.js";
// @ts-expect-error
export { default as RateLimiterRes } from "../../node_modules/rate-limiter-flexible/lib/RateLimiterRes.js";
