import { readdirSync } from "node:fs";
import { Counter, Gauge, type Registry } from "prom-client";

/**
 * The process. prom-client's own set is not used: it samples the event loop a hundred times a second for as long as
 * the process runs, which was most of what an idle server did, and its gauges of heap spaces walk the whole heap.
 */
export const registerProcessMetrics = (registry: Registry, version: string): void => {
  const registers = [registry];
  let lastCpuMicroseconds = 0;
  new Counter({
    name: "carrel_process_cpu_seconds_total",
    help: "CPU time of the process, all threads, in seconds.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.inc((user + system - lastCpuMicroseconds) / 1e6);
      lastCpuMicroseconds = user + system;
    },
  });
  new Gauge({
    name: "carrel_process_resident_memory_bytes",
    help: "Memory of the process that is resident, without its parser processes.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "carrel_process_heap_bytes",
    help: "JavaScript heap in use.",
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
  new Gauge({
    name: "carrel_process_open_fds",
    help: "Open files and connections (Linux).",
    registers,
    collect() {
      try {
        this.set(readdirSync("/proc/self/fd").length);
      } catch {
        // The system does not show them.
      }
    },
  });
  new Gauge({
    name: "carrel_process_start_time_seconds",
    help: "When the process was started, in seconds since 1970.",
    registers,
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
  new Gauge({
    name: "carrel_build_info",
    help: "Always 1; its labels name the version of Carrel and of Bun.",
    labelNames: ["version", "bun"],
    registers,
  }).set({ version, bun: Bun.version }, 1);
};
