import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCLibrary } from "../../src/system/libc.ts";
import { createServiceNotices } from "../../src/system/service-notices.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-notices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A socket as systemd makes it, which Bun itself cannot: bound to `name` (`@…` is the abstract namespace). */
const listen = (name: string) => {
  const library = openCLibrary({
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    recv: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  if (library === null) throw new Error("no C library");
  const { socket, bind, recv, close } = library.symbols;
  const descriptor = socket(1, 2, 0);
  const address = Buffer.from(`\x01\0${name.replace(/^@/, "\0")}${name.startsWith("@") ? "" : "\0"}`, "latin1");
  expect(bind(descriptor, address, address.length)).toBe(0);
  return {
    /** The next message; null where none waits. */
    read(): string | null {
      const buffer = Buffer.alloc(4096);
      const length = Number(recv(descriptor, buffer, buffer.length, 0x40));
      return length < 0 ? null : buffer.toString("utf8", 0, length);
    },
    close: () => close(descriptor),
  };
};

describe.skipIf(process.platform !== "linux")("the service manager", () => {
  for (const name of [join(folder, "notify"), `@carrel-test-${process.pid}`])
    test(`is told at ${name.startsWith("@") ? "an abstract socket" : "a socket in a folder"}`, () => {
      const manager = listen(name);
      const notices = createServiceNotices({ NOTIFY_SOCKET: name });
      expect(manager.read()).toBeNull();
      notices.ready();
      expect(manager.read()).toBe("READY=1\nSTATUS=Serving\n");
      notices.stopping();
      expect(manager.read()).toBe("STOPPING=1\nSTATUS=Stopping\n");
      expect(manager.read()).toBeNull();
      manager.close();
    });

  test("may be absent, or gone", () => {
    for (const NOTIFY_SOCKET of [undefined, "", "vsock:2:1234", join(folder, "nowhere"), `/${"x".repeat(200)}`]) {
      const notices = createServiceNotices({ NOTIFY_SOCKET });
      notices.ready();
      notices.stopping();
    }
  });

  test("hears of the running server: ready when it answers, stopping when it is asked to end", async () => {
    const name = join(folder, "serve");
    const manager = listen(name);
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts"), "serve"], {
      cwd: folder,
      env: {
        ...process.env,
        NOTIFY_SOCKET: name,
        CARREL_DATA_DIR: join(folder, "data"),
        CARREL_SERVER_PORT: "0",
        CARREL_MODELS_EMBEDDING_MODEL: "static",
        CARREL_LOG_LEVEL: "silent",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const next = async (): Promise<string> => {
      for (;;) {
        const message = manager.read();
        if (message !== null) return message;
        await Bun.sleep(20);
      }
    };
    expect(await next()).toStartWith("READY=1\n");
    let out = "";
    for await (const chunk of child.stdout) {
      out += new TextDecoder().decode(chunk);
      if (out.includes("\n")) break;
    }
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await next()).toStartWith("STOPPING=1\n");
    expect(await child.exited).toBe(0);
    expect(manager.read()).toBeNull();
    manager.close();
  });
});
