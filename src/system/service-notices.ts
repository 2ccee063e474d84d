import { openCLibrary } from "./libc.ts";

/** Tells the service manager what state the program is in: systemd with `Type=notify` waits for `ready`. */
interface ServiceNotices {
  ready(): void;
  stopping(): void;
}

const unixFamily = 1;
/** SOCK_DGRAM | SOCK_CLOEXEC of Linux. */
const datagram = 0o2_000_002;
/** MSG_NOSIGNAL | MSG_DONTWAIT: a manager that does not read holds nothing up. */
const withoutWaiting = 0x4040;
/** Length of sun_path. */
const maxPathBytes = 108;

/** sd_notify(3) by its protocol: a datagram to the socket that NOTIFY_SOCKET names. Without one, and elsewhere than on Linux, nothing happens. */
export const createServiceNotices = (env: Record<string, string | undefined>): ServiceNotices => {
  const address = process.platform === "linux" ? socketAddress(env.NOTIFY_SOCKET ?? "") : null;
  const send = (state: string): void => {
    if (address !== null) sendDatagram(address, Buffer.from(state));
  };
  return { ready: () => send("READY=1\nSTATUS=Serving\n"), stopping: () => send("STOPPING=1\nSTATUS=Stopping\n") };
};

/** sockaddr_un (unix(7)); a leading `@` stands for the abstract namespace's NUL. Null for another kind of address. */
const socketAddress = (socket: string): Buffer | null => {
  const path = Buffer.from(socket);
  if (!/^[@/]/.test(socket) || path.length >= maxPathBytes) return null;
  const isAbstract = socket.startsWith("@");
  if (isAbstract) path[0] = 0;
  const family = Buffer.alloc(2);
  family.writeUInt16LE(unixFamily);
  return Buffer.concat(isAbstract ? [family, path] : [family, path, Buffer.alloc(1)]);
};

const sendDatagram = (address: Buffer, message: Buffer): void => {
  const library = openCLibrary({
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  if (library === null) return;
  const { socket, sendto, close } = library.symbols;
  const descriptor = socket(unixFamily, datagram, 0);
  if (descriptor < 0) return;
  sendto(descriptor, message, message.length, withoutWaiting, address, address.length);
  close(descriptor);
};
