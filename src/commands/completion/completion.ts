import type { Command } from "commander";
import type { Environment } from "../../program/environment.ts";
import { bashCompletion } from "./bash.ts";
import { commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export type Shell = keyof typeof scripts;

/** `carrel completion SHELL`: prints the script that completes the commands and options of `program`. */
export const printCompletion = (shell: Shell, program: Command, { write }: Pick<Environment, "write">): void =>
  write(scripts[shell](commandTree(program)));
