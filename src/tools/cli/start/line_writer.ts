/** Writes lines in batches, so that no request waits for its line. A reader that is slow or gone stops nothing. */

import process from "node:process";
import { attempt } from "../../../ground/values/attempt.ts";

interface LineWriter {
  /** Takes a line, which is put together and written within 50 ms, and before the process ends. */
  push(describe: () => string): void;
  /** Writes a line now, after those that wait. */
  write(line: string): void;
  /** Writes all lines now, or as many of them as the reader takes. */
  flush(): void;
}

interface LineWriterOptions {
  /** Returns how many octets it has written. Throws `EAGAIN` if the reader takes none now. */
  readonly write: (octets: Uint8Array) => number;
  /** Returns the line that stands in the place of lines that are lost. */
  readonly describeLoss: (lines: number) => string;
  /** Called before the first line waits. */
  readonly begin?: () => void;
}

// In milliseconds. A busy process calls a timer late.
const usualDelay = 40;
// A pipe holds 64 KB, so that a quick reader gets 13 MB in a second.
const delayOfFullPipe = 5;
// What a slow reader has when the process ends.
const lastDelay = 500;

const mostLines = 1000;
// Characters.
const mostUnwritten = 4_000_000;

export function createLineWriter({ write, describeLoss, begin }: LineWriterOptions): LineWriter {
  const unwritten = createUnwritten(write);
  let lines: (() => string)[] = [];
  // The numbers of lines that are unwritten, and that are lost.
  let waiting = 0, lost = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasBegun = false, isWatching = false;

  function takeLines(): readonly (() => string)[] {
    const taken = lines;
    lines = [];
    // After a loss, the reader must take the rest first.
    if (unwritten.length() > (lost === 0 ? mostUnwritten : 0)) {
      lost += taken.length;
      return [];
    }
    const missing = lost;
    waiting += missing + taken.length;
    lost = 0;
    return missing === 0 ? taken : [() => describeLoss(missing), ...taken];
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    unwritten.add(takeLines().map(describeLine).join(""));
    const outcome = unwritten.send();
    if (outcome === "full") return flushIn(delayOfFullPipe);
    if (outcome === "failed") lost += waiting;
    else if (lost > 0) flushIn(usualDelay);
    waiting = 0;
    watchEnd();
  }

  function flushIn(delay: number): void {
    timer = setTimeout(flush, delay);
    timer.unref();
    if (!hasBegun) begin?.();
    hasBegun = true;
    watchEnd();
  }

  /** Listens to the process only while lines wait or are lost, because Node warns about many listeners. */
  function watchEnd(): void {
    const isNeeded = timer !== undefined || lost > 0;
    if (isNeeded === isWatching) return;
    isWatching = isNeeded;
    // The second event comes before the runtime prints the error.
    for (const event of ["exit", "uncaughtExceptionMonitor"]) {
      if (isNeeded) process.on(event, flushAtEnd);
      else process.off(event, flushAtEnd);
    }
  }

  function flushAtEnd(): void {
    const end = performance.now() + lastDelay;
    for (flush(); waiting > 0 && performance.now() < end; flush()) sleep(delayOfFullPipe);
    if (lost > 0) flush();
  }

  return {
    push(describe) {
      lines.push(describe);
      if (lines.length >= mostLines) flush();
      else if (timer === undefined) flushIn(usualDelay);
    },
    write(line) {
      lines.push(() => line);
      flush();
    },
    flush,
  };
}

/** A line that cannot be put together is not worth the end of the server. */
function describeLine(describe: () => string): string {
  return attempt(() => `${describe()}\n`) ?? "";
}

interface Unwritten {
  length(): number;
  add(text: string): void;
  /** Forgets everything if the write fails: the reader is gone, or the disk is full. */
  send(): "written" | "full" | "failed";
}

function createUnwritten(write: LineWriterOptions["write"]): Unwritten {
  const encoder = new TextEncoder();
  const none = new Uint8Array();
  let octets: Uint8Array = none, text = "";
  return {
    length: () => octets.length + text.length,
    add: (more) => void (text += more),
    send() {
      try {
        while (octets.length + text.length > 0) {
          if (octets.length === 0) [octets, text] = [encoder.encode(text), ""];
          octets = octets.subarray(write(octets));
        }
        return "written";
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "full";
        [octets, text] = [none, ""];
        return "failed";
      }
    },
  };
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
