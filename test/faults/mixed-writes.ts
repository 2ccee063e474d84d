import { type Client, ConnectionLost } from "./client.ts";
import { type Lane, UnexpectedAnswer } from "./ledger.ts";
import type { Report } from "./report.ts";
import { writeDocument } from "./write-documents.ts";
import { writeOther } from "./write-others.ts";

/** Writes of all kinds, one lane beside the other, until the server is gone. */
export interface MixedWrites {
  /** Resolves when all lanes have noticed that the server is gone, or were told to end. */
  ended: Promise<void>;
  /** From now on a lost connection is expected; each lane ends after the write it is at. */
  end(): void;
}

const shareOfDocuments = 0.75;

export const startMixedWrites = (client: Client, lanes: readonly Lane[], report: Report): MixedWrites => {
  let isEnding = false;
  const write = async (lane: Lane): Promise<void> => {
    while (!isEnding) {
      try {
        await (lane.random.next() < shareOfDocuments ? writeDocument : writeOther)(client, lane);
        report.acknowledged += 1;
      } catch (error) {
        if (error instanceof ConnectionLost) {
          if (!isEnding) report.answers.push(`the server hung up by itself: ${error.message}`);
          return;
        }
        if (!(error instanceof UnexpectedAnswer)) throw error;
        report.answers.push(`a write was answered with ${error.message}`);
      }
    }
  };
  return {
    ended: Promise.all(lanes.map(write)).then(() => undefined),
    end() {
      isEnding = true;
    },
  };
};
