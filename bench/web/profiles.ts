import type { CDPSession } from "playwright-core";

/** How a page is reached, and on how fast a machine it is shown. */
export interface Profile {
  name: string;
  /** Bits in a second, to the page. */
  downBitsPerS: number;
  upBitsPerS: number;
  roundTripMs: number;
  /** How many times slower than this machine. */
  slowdown: number;
}

/** WebPageTest's "4G": https://github.com/WPO-Foundation/webpagetest, `connectivity.ini`. */
const fourG = { name: "4G, 9 Mbit/s, 170 ms", downBitsPerS: 9e6, upBitsPerS: 9e6, roundTripMs: 170 };
/** Lighthouse's "slow 4G": `throttling.mobileSlow4G` of its constants. */
const slowFourG = { name: "slow 4G, 1.6 Mbit/s, 150 ms", downBitsPerS: 1.6e6, upBitsPerS: 0.75e6, roundTripMs: 150 };

/** The goal is held against slow 4G at this machine's speed; 4 is Lighthouse's slowdown for a middling phone. */
export const profiles: readonly Profile[] = [fourG, slowFourG].flatMap((network) =>
  [1, 4].map((slowdown) => ({ ...network, name: `${network.name}, processor 1/${slowdown}`, slowdown })),
);

const bitsPerByte = 8;

/** Slows the page of the session down. The browser adds the round trip to each request. */
export const applyProfile = async (session: CDPSession, profile: Profile): Promise<void> => {
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: profile.roundTripMs,
    downloadThroughput: profile.downBitsPerS / bitsPerByte,
    uploadThroughput: profile.upBitsPerS / bitsPerByte,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: profile.slowdown });
};
