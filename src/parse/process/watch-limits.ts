import { readFileSync } from "node:fs";
import { ApiError } from "../../domain/errors.ts";
import { unreadable } from "../blocks/failure.ts";

/**
 * Memory of a process and its children together, in bytes; of the process alone where the system does not list
 * children.
 */
const residentBytesOfAll = (pid: number): number => {
  let children: string[] = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
  } catch {
    // The process has ended, or the kernel was built without the list.
  }
  return children.reduce((sum, child) => sum + residentBytes(Number(child)), residentBytes(pid));
};

/** Memory a process holds, in bytes (proc(5), VmRSS); 0 if the process has ended or the system does not say. */
export const residentBytes = (pid: number): number => {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? "0") * 1024;
  } catch {
    return 0;
  }
};

const memoryCheckMs = 50;

export interface WatchedLimits {
  timeoutMs: number;
  /** Additional time for OCR. */
  ocrTimeoutMs: number;
  maxMemoryBytes: number;
}

interface LimitWatch {
  /** Gives the reading more time for its pictures, up to `ocrTimeoutMs`. */
  grant(ocrMs: number): void;
  end(): void;
}

/** Watches the time and the memory of a process that reads a file. @param onExceeded may be called more than once */
export const watchLimits = (
  pid: number,
  { timeoutMs, ocrTimeoutMs, maxMemoryBytes }: WatchedLimits,
  onExceeded: (error: ApiError) => void,
): LimitWatch => {
  const began = performance.now();
  let grantedMs = 0;
  const expire = () => onExceeded(tookTooLong(timeoutMs, grantedMs));
  let timer = setTimeout(expire, timeoutMs);
  const memory = setInterval(() => {
    if (residentBytesOfAll(pid) > maxMemoryBytes) onExceeded(needsTooMuchMemory(maxMemoryBytes));
  }, memoryCheckMs);
  return {
    grant(ocrMs) {
      clearTimeout(timer);
      grantedMs = Math.round(Math.min(ocrMs, ocrTimeoutMs));
      timer = setTimeout(expire, began + timeoutMs + grantedMs - performance.now());
    },
    end() {
      clearTimeout(timer);
      clearInterval(memory);
    },
  };
};

const tookTooLong = (timeoutMs: number, grantedMs: number): ApiError =>
  new ApiError(
    "parser_timeout",
    grantedMs === 0
      ? `The file took longer than ${timeoutMs} ms to read.`
      : `The file took longer than ${timeoutMs} ms to read, besides the ${grantedMs} ms that its pictures may take.`,
  );

const needsTooMuchMemory = (maxMemoryBytes: number): ApiError =>
  unreadable(`Reading the file needs too much memory (more than ${Math.round(maxMemoryBytes / 1_048_576)} MiB).`);
