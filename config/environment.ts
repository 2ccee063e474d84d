import { resolve } from "node:path";
import { readSmallFile, UnreadableFile } from "../src/system/read-small-file.ts";
import { type Entry, setEntry } from "./entry.ts";
import { ConfigError, type ConfigFault, nearestName } from "./fault.ts";
import { type Shape, settingsOf } from "./shape.ts";

/** Variables that begin with `CARREL_` and are not settings; the last two are for clients, which may run beside a server. */
const otherVariables = ["CARREL_ADMIN_KEY", "CARREL_ADMIN_KEY_FILE", "CARREL_CONFIG", "CARREL_KEY", "CARREL_URL"];

/** Variables that Kubernetes adds to every container if there is a service named `carrel`. */
const kubernetesVariable =
  /^CARREL_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

/** After a variable's name: the file that holds its value, as containers are given their secrets. */
const fileSuffix = "_FILE";

/** A setting takes less; a wrong path may lead to another file that is longer. */
const maxFileBytes = 1_048_576;

type Variables = Record<string, string | undefined>;

/** `models.answer.baseUrl` is set by `CARREL_MODELS_ANSWER_BASE_URL`. */
export const variableOf = (path: readonly string[]): string =>
  `CARREL_${path.map((name) => name.replace(/([A-Z])/g, "_$1").toUpperCase()).join("_")}`;

/** Whether a setting was read from the file that a variable names: its value is then as secret as the file. */
export const isFromFile = (origin: string | null): boolean => origin?.endsWith(fileSuffix) ?? false;

/** Puts the settings of the environment in place of those of the file. @returns faults: variables that set nothing */
export const readEnvironment = async (
  shape: Shape,
  root: Entry & { kind: "section" },
  env: Variables,
  cwd: string,
): Promise<ConfigFault[]> => {
  const settings = new Map(settingsOf(shape).map(({ path }) => [variableOf(path), path]));
  const faults: ConfigFault[] = [];
  for (const name of Object.keys(env).sort()) {
    const value = env[name];
    if (!name.startsWith("CARREL_") || value === undefined || otherVariables.includes(name)) continue;
    const variable = !settings.has(name) && name.endsWith(fileSuffix) ? name.slice(0, -fileSuffix.length) : name;
    const path = settings.get(variable);
    if (path !== undefined) {
      const read = name === variable ? value : await valueOfFile(env, variable, cwd, faults);
      if (read === null || (read === "" && leavesDefault(shape, path))) continue;
      setEntry(root, path, { kind: "scalar", origin: name, value: read, untyped: true });
    } else if (!kubernetesVariable.test(name) && !(name === "CARREL_PORT" && /^(tcp|udp|sctp):/.test(value))) {
      const meant = nearestName(variable, [...settings.keys(), ...otherVariables]);
      const ending = meant !== null && settings.has(meant) ? name.slice(variable.length) : "";
      const hint =
        meant === null
          ? "`carrel init` writes a carrel.yaml with all settings, and a variable of your own may not begin with CARREL_"
          : `did you mean ${meant}${ending}?`;
      faults.push({ where: name, path: "", message: `is not a setting; ${hint}` });
    }
  }
  return faults;
};

/**
 * The value of a variable that is no setting, or of the file that `NAME_FILE` names; null where neither is set.
 * @throws ConfigError
 */
export const readVariable = async (env: Variables, name: string, cwd: string): Promise<string | null> => {
  const faults: ConfigFault[] = [];
  const value = (await valueOfFile(env, name, cwd, faults)) ?? env[name] ?? null;
  if (faults.length > 0) throw new ConfigError(faults);
  return value === "" ? null : value;
};

/** @returns the content of the file that `NAME_FILE` names, without the line end of an editor; null where none is named */
const valueOfFile = async (
  env: Variables,
  name: string,
  cwd: string,
  faults: ConfigFault[],
): Promise<string | null> => {
  const where = `${name}${fileSuffix}`;
  const file = env[where];
  if (file === undefined || file === "") return null;
  const refuse = (message: string): null => {
    faults.push({ where, path: "", message });
    return null;
  };
  if (env[name] !== undefined && env[name] !== "") return refuse(`is set, and so is ${name}: keep one of them`);
  try {
    const bytes = await readSmallFile(resolve(cwd, file), { maxBytes: maxFileBytes, what: "a setting" });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (error) {
    return refuse(`names ${file}, which ${error instanceof UnreadableFile ? error.message : "is not UTF-8 text"}`);
  }
};

/** An empty variable empties what can be empty (null, no items); for anything else it counts as not set. */
const leavesDefault = (shape: Shape, path: readonly string[]): boolean => {
  const setting = settingsOf(shape).find((each) => each.path.join(".") === path.join("."))?.shape;
  return setting !== undefined && !setting.nullable && setting.kind !== "list";
};
