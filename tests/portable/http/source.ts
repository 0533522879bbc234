/** A stream that a test writes to, and that tells when it is cancelled. */

import { slowness } from "../../runner.ts";

export interface Source {
  readonly stream: ReadableStream<Uint8Array>;
  push(text: string): void;
  end(): void;
  fail(): void;
  /** Resolves when the reader has cancelled the stream. */
  readonly cancelled: Promise<void>;
}

export function createSource(): Source {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let noteCancelled = () => {};
  const cancelled = new Promise<void>((resolve) => noteCancelled = resolve);
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: () => noteCancelled(),
  });
  return {
    stream,
    push: (text) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
    fail: () => controller.error(new Error("the source failed")),
    cancelled,
  };
}

/** Waits for the work, and rejects if it takes more than a few seconds. `what` names the work in the error. */
export async function within<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not in time`)), 5000 * slowness);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
