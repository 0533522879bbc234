/** Reads and writes the place of a request in a trace (W3C Trace Context §3.2). */

/** Both ids are lower-case hexadecimal text. */
export interface Trace {
  /** 32 characters. All requests of the trace have it. */
  readonly traceId: string;
  /** 16 characters: the step of the caller that sent the request. */
  readonly parentId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
}

// §3.2.2: a later version may add fields after the ones of version 00.
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Returns `undefined` for a header that is invalid, which is ignored (§3.2.2.3, §4.3). */
export function readTraceparent(text: string | undefined): Trace | undefined {
  const [, version, traceId, parentId, flags = "", more] = text === undefined ? [] : form.exec(text) ?? [];
  if (traceId === undefined || parentId === undefined || version === "00" && more !== undefined) {
    return undefined;
  }
  return { traceId, parentId, isSampled: (parseInt(flags, 16) & 1) === 1 };
}

/** Formats the header of a request that this server sends as a part of the trace. `parent` has eight random octets. */
export function formatTraceparent({ traceId, isSampled }: Trace, parent: Uint8Array): string {
  const parentId = [...parent].map((octet) => octet.toString(16).padStart(2, "0")).join("");
  return `00-${traceId}-${parentId}-${isSampled ? "01" : "00"}`;
}
