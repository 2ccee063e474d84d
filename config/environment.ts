import { type Entry, setEntry } from "./entry.ts";
import { type ConfigFault, nearestName } from "./fault.ts";
import { type Shape, settingsOf } from "./shape.ts";

/** Variables that begin with `CARREL_` and are not settings. */
const otherVariables = ["CARREL_ADMIN_KEY", "CARREL_CONFIG"];

/** What Kubernetes puts into every container beside a service named `carrel`: not meant for us. */
const kubernetesVariable =
  /^CARREL_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

/** `models.answer.baseUrl` is set by `CARREL_MODELS_ANSWER_BASE_URL`. */
export const variableOf = (path: readonly string[]): string =>
  `CARREL_${path.map((name) => name.replace(/([A-Z])/g, "_$1").toUpperCase()).join("_")}`;

/** Writes what the environment sets over what the file says. @returns faults: variables that set nothing */
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
      const hint = meant === null ? "carrel.yaml as `carrel init` writes it names them all" : `did you mean ${meant}?`;
      faults.push({ where: name, path: "", message: `sets nothing that there is; ${hint}` });
    }
  }
  return faults;
};

/** An empty variable clears what can be empty (null, no items); of anything else it is as good as not set. */
const leavesDefault = (shape: Shape, path: readonly string[]): boolean => {
  const setting = settingsOf(shape).find((each) => each.path.join(".") === path.join("."))?.shape;
  return setting !== undefined && !setting.nullable && setting.kind !== "list";
};
