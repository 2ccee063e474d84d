import { type Entry, setEntry } from "./entry.ts";
import { type ConfigFault, nearestName } from "./fault.ts";
import { type Shape, settingsOf } from "./shape.ts";

/** Variables that begin with `CARREL_` and are not settings. */
const otherVariables = ["CARREL_ADMIN_KEY", "CARREL_CONFIG"];

/** Variables that Kubernetes adds to every container if there is a service named `carrel`. */
const kubernetesVariable =
  /^CARREL_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

/** `models.answer.baseUrl` is set by `CARREL_MODELS_ANSWER_BASE_URL`. */
export const variableOf = (path: readonly string[]): string =>
  `CARREL_${path.map((name) => name.replace(/([A-Z])/g, "_$1").toUpperCase()).join("_")}`;

/** Puts the settings of the environment in place of those of the file. @returns faults: variables that set nothing */
export const readEnvironment = (
  shape: Shape,
  root: Entry & { kind: "section" },
  env: Record<string, string | undefined>,
): ConfigFault[] => {
  const settings = new Map(settingsOf(shape).map(({ path }) => [variableOf(path), path]));
  const faults: ConfigFault[] = [];
  for (const name of Object.keys(env).sort()) {
    const value = env[name];
    if (!name.startsWith("CARREL_") || value === undefined || otherVariables.includes(name)) continue;
    const path = settings.get(name);
    if (path !== undefined) {
      if (value === "" && leavesDefault(shape, path)) continue;
      setEntry(root, path, { kind: "scalar", origin: name, value, untyped: true });
    } else if (!kubernetesVariable.test(name) && !(name === "CARREL_PORT" && /^(tcp|udp|sctp):/.test(value))) {
      const meant = nearestName(name, [...settings.keys(), ...otherVariables]);
      const hint = meant === null ? "`carrel init` writes a carrel.yaml with all settings" : `did you mean ${meant}?`;
      faults.push({ where: name, path: "", message: `is not a setting; ${hint}` });
    }
  }
  return faults;
};

/** An empty variable empties what can be empty (null, no items); for anything else it counts as not set. */
const leavesDefault = (shape: Shape, path: readonly string[]): boolean => {
  const setting = settingsOf(shape).find((each) => each.path.join(".") === path.join("."))?.shape;
  return setting !== undefined && !setting.nullable && setting.kind !== "list";
};
