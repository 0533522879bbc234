/**
 * What the sources use and the oldest runtimes lack: the sources look whether the runtime has it, or catch the error. Also
 * what Node 20 has and its types lack.
 */

declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.svg" {
  const text: string;
  export default text;
}

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.jsonc" {
  const text: string;
  export default text;
}

declare module "node:tls" {
  /** Node 22.15, and Deno. Only Deno calls it. */
  function getCACertificates(type: "bundled" | "default" | "extra"): string[];
}

/** Node 20 has it. */
interface Atomics {
  waitAsync(
    cell: Int32Array,
    index: number,
    value: number,
    timeout: number,
  ): { readonly value: Promise<string> };
}

/** Only files that run on Deno alone call it. */
declare namespace Deno {
  interface TcpConn {
    close(): void;
  }
  interface TlsConn extends TcpConn {
    handshake(): Promise<unknown>;
    read(octets: Uint8Array): Promise<number | null>;
    write(octets: Uint8Array): Promise<number>;
  }
  interface Child {
    readonly status: Promise<{ readonly code: number }>;
    unref(): void;
  }
  const permissions: { query(permission: object): Promise<{ readonly state: string }> };
  const Command: new (name: string, terms: object) => { spawn(): Child };
  const errors: { readonly UnexpectedEof: new () => Error };
  function connect(terms: { hostname: string; port: number; signal: AbortSignal }): Promise<TcpConn>;
  function startTls(connection: TcpConn, terms: object): Promise<TlsConn>;
}
