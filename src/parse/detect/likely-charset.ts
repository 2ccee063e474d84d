import { readFileSync } from "node:fs";
import path from "chardetng-wasm/dist/chardetng_wasm_bg.wasm" with { type: "file" };

/** Functions of the module; pointers are offsets into its memory, and a flag is 0 or 1. */
interface Detector {
  memory: WebAssembly.Memory;
  __wbindgen_malloc(bytes: number): number;
  __wbindgen_free(pointer: number, bytes: number): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  encodingdetector_new(): number;
  /** Takes the bytes over and frees them. */
  encodingdetector_feed(detector: number, bytes: number, length: number, isLast: number): number;
  encodingdetector_guess(result: number, detector: number, domain: number, length: number, allowUtf8: number): void;
  __wbg_encodingdetector_free(detector: number): void;
}

let loaded: Detector | null = null;

/** Compiled with the first text that is not UTF-8; the package's own binding cannot be compiled into a binary. */
const load = (): Detector => {
  const module = new WebAssembly.Module(readFileSync(path) as Uint8Array<ArrayBuffer>);
  const fail = () => {
    throw new Error("The charset detector failed.");
  };
  const { exports } = new WebAssembly.Instance(module, { "./chardetng_wasm_bg.js": { __wbindgen_throw: fail } });
  return exports as unknown as Detector;
};

/**
 * The charset of bytes that are not UTF-8, by its name in the WHATWG Encoding Standard: Firefox's detector decodes them
 * in every legacy charset and compares how likely the letters then stand beside each other, so that one line of text
 * suffices.
 */
export const likelyCharset = (bytes: Uint8Array): string => {
  loaded ??= load();
  const { memory, ...wasm } = loaded;
  const detector = wasm.encodingdetector_new();
  const data = wasm.__wbindgen_malloc(bytes.length);
  new Uint8Array(memory.buffer, data, bytes.length).set(bytes);
  wasm.encodingdetector_feed(detector, data, bytes.length, 1);
  const result = wasm.__wbindgen_add_to_stack_pointer(-16);
  wasm.encodingdetector_guess(result, detector, 0, 0, 0);
  const [name = 0, length = 0] = new Int32Array(memory.buffer, result, 2);
  const charset = new TextDecoder().decode(new Uint8Array(memory.buffer, name, length));
  wasm.__wbindgen_add_to_stack_pointer(16);
  wasm.__wbindgen_free(name, length);
  wasm.__wbg_encodingdetector_free(detector);
  return charset;
};
