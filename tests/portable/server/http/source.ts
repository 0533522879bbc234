/** A stream that a test writes to, and that tells when it is cancelled. */

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
