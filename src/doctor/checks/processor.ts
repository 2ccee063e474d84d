import { readFile } from "node:fs/promises";
import { lacksAvx2 } from "../../runtime/native-addon.ts";
import { type Check, failed, fine } from "./finding.ts";

export const processorCheck: Check = {
  name: "processor",
  isQuick: true,
  run: async () => [
    processorFinding(process.platform, process.arch, await readFile("/proc/cpuinfo", "utf8").catch(() => "")),
  ],
};

/** @param information text of /proc/cpuinfo */
export const processorFinding = (platform: string, arch: string, information: string) => {
  if (platform !== "linux" || arch !== "x64") return fine(`${arch} needs nothing special.`);
  return lacksAvx2(information)
    ? failed(
        "This processor has no AVX2, which the database inside Carrel needs.",
        "On a virtual machine, set its CPU type to `host` (Proxmox: Hardware, Processors, Type; libvirt: <cpu mode='host-passthrough'/>); else use a machine of 2013 or later.",
      )
    : fine("The processor has AVX2.");
};
