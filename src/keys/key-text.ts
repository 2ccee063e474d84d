import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const digits = 43;

/** A new key: `crl_` and 256 random bits as 43 digits of base62 (62^43 > 2^256). */
export const generateKey = (): string => {
  let number = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let text = "";
  for (let digit = 0; digit < digits; digit += 1) {
    text = alphabet.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return `crl_${text}`;
};

/** Whether it has the form of a key: what `CARREL_ADMIN_KEY` must have. */
export const isKey = (text: string): boolean => /^crl_[0-9A-Za-z]{43}$/.test(text);

/** Begins the name of the key that the variable gives. A start with another value of it finds, and revokes, it by that. */
export const variableKeyName = "CARREL_ADMIN_KEY";

export const isNameOfVariable = (name: string): boolean =>
  name === variableKeyName || name.startsWith(`${variableKeyName} (`);

/** SHA-256 in hex: only this is stored of a key. 256 random bits need no salt and no slow hash. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");
