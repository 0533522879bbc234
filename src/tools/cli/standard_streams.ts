/** The standard output and the standard error, as the log writes to them. */

import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import { findRuntimeName } from "../../server/runtime/runtime_name.ts";

export interface StandardStreams {
  /** Returns how many octets it has written. Throws `EAGAIN` if the stream is a full pipe that does not block. */
  write(name: "stdout" | "stderr", octets: Uint8Array): number;
  /** Lets a write to a full pipe fail. Node and Bun do so always, and Deno blocks the whole process. */
  unblock(): void;
}

// A pipe takes so many octets whole or not at all (POSIX, PIPE_BUF).
const leastPipe = 512;
const lineFeed = 10;

export function createStandardStreams(): StandardStreams {
  let isUnblocked = false;
  return {
    write(name, octets) {
      const stream = process[name];
      if (!stream.isTTY) return writeSync(stream.fd, isUnblocked ? firstLines(octets) : octets);
      // Only the stream writes every letter to a console of Windows.
      stream.write(octets);
      return octets.length;
    },
    unblock() {
      if (findRuntimeName() !== "deno" || process.platform === "win32" || !isPipe(process.stdout.fd)) return;
      // Deno has no other function for this.
      new Socket({ fd: process.stdout.fd, readable: false, writable: true }).unref();
      isUnblocked = true;
    },
  };
}

/**
 * Deno keeps what follows the last line end in a buffer, and if the pipe is full, it neither forgets that nor tells how
 * much it has written. Then the same text would be written twice.
 */
function firstLines(octets: Uint8Array): Uint8Array {
  const last = octets.subarray(0, leastPipe).lastIndexOf(lineFeed);
  const end = last === -1 ? octets.indexOf(lineFeed) : last;
  return end === -1 ? octets : octets.subarray(0, end + 1);
}

function isPipe(descriptor: number): boolean {
  const kind = fstatSync(descriptor);
  return kind.isFIFO() || kind.isSocket();
}
