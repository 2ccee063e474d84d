import { isatty } from "node:tty";
import { messageOf } from "../../domain/errors.ts";
import type { EmbeddedParts } from "../../runtime/embedded-parts.ts";
import { restartWithSmallHeap } from "../../system/memory-limit.ts";
import { isServe } from "./arguments.ts";

/** The signals that concern the whole process. */
interface Signals {
  /** Fires at the first signal that asks the process to end; a second one ends it at once. The reason is its name. */
  readonly stop: AbortSignal;
  /**
   * From now on SIGHUP calls the listener and ends nothing. It still ends the process when it comes because the
   * terminal was closed, as it does without a listener.
   */
  onReload(listener: () => void): void;
}

/**
 * One Ctrl-C can arrive twice: from the terminal, and from the program that started this one, later where the machine
 * is busy.
 */
export const sameSignalMs = 1_000;

const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

const watchSignals = (): Signals => {
  const stop = new AbortController();
  const isTerminalGone = watchTerminal();
  let firstAt = 0;
  let reload: (() => void) | null = null;

  const end = (signal: keyof typeof numbers): void => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort(signal);
    } else if (performance.now() - firstAt > sameSignalMs) process.exit(128 + numbers[signal]);
  };

  process.on("SIGINT", () => end("SIGINT"));
  process.on("SIGTERM", () => end("SIGTERM"));
  process.on("SIGHUP", () => {
    if (reload === null || stop.signal.aborted || isTerminalGone()) end("SIGHUP");
    else reload();
  });
  return {
    stop: stop.signal,
    onReload(listener) {
      reload = listener;
    },
  };
};

/** Those of standard input, output and error that are a terminal now: one that was closed no longer is. */
const watchTerminal = (): (() => boolean) => {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  // Windows sends it only when the console is closed.
  return () => process.platform === "win32" || terminals.some((descriptor) => !isatty(descriptor));
};

/**
 * The program: reads `process.argv`, runs the command, sets the exit status. Commands are loaded when called, so that
 * the parsing child starts without the store and the server.
 * @param embedded native parts that the compiled binary carries; null where they lie in node_modules
 */
export const runCommandLine = async (embedded: EmbeddedParts | null): Promise<void> => {
  const argv = process.argv.slice(2);
  if (argv[0] === "parse-worker") {
    const { runParseWorker } = await import("../../parse/worker.ts");
    await runParseWorker();
    return;
  }
  if (argv[0] === "upkeep-worker") {
    const { runUpkeepWorker } = await import("../../store/upkeep/upkeep-worker.ts");
    await runUpkeepWorker(argv[1] ?? "");
    return;
  }
  if (embedded !== null && argv[0] === "unpack-addon") return unpack(embedded.lancedb, argv[1] ?? "");
  // Before signals are watched: their handlers would not outlive it.
  if (embedded !== null && isServe(argv)) restartWithSmallHeap(argv);
  // The reader of the output may leave early (`carrel key list | head -1`): a command ends, a server goes on without it.
  const endsWithReader = !isServe(argv);
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: { code?: string }) => {
      if (error.code === "EPIPE" && endsWithReader) process.exit(0);
    });
  const { runProgram } = await import("./program.ts");
  const { createOutput, messageText } = await import("../output/output.ts");
  const output = createOutput(process.stdout);
  const signals = watchSignals();
  const status = await runProgram(argv, {
    env: process.env,
    cwd: workingDirectory(),
    write: output.write,
    writeError: (text) => void process.stderr.write(messageText(text)),
    // A terminal may not know how wide it is: it says 0 then.
    columns: (process.stdout.isTTY === true && process.stdout.columns) || Number.POSITIVE_INFINITY,
    isTerminal: process.stderr.isTTY === true,
    embedded,
    ...signals,
  });
  const failure = await output.finish();
  if (failure !== null) process.stderr.write(`carrel: the output could not be written (${failure}).\n`);
  // A timer that a library left running must not keep a finished command alive.
  await flushed();
  process.exit(failure === null ? status : Math.max(status, 1));
};

const unpack = async (addon: EmbeddedParts["lancedb"], path: string): Promise<void> => {
  const { unpackAddon } = await import("../../runtime/native-addon.ts");
  await unpackAddon(addon, path).catch((error: unknown) => {
    process.stderr.write(messageOf(error));
    process.exitCode = 1;
  });
};

/** The working directory may have been removed, or may not be readable. */
const workingDirectory = (): string => {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
};

const flushed = () =>
  Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))),
  );
