/** An Express application on a socket. Express and its middleware are for Node, so other runtimes do not load them. */

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface ExpressRequest {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly user?: unknown;
  logout(done: (error?: unknown) => void): void;
}

export interface ExpressResponse {
  json(value: unknown): void;
  redirect(url: string): void;
  status(code: number): ExpressResponse;
}

export type Next = (error?: unknown) => void;
export type Handler<R = ExpressRequest> = (request: R, response: ExpressResponse, next: Next) => unknown;
type ErrorHandler = (error: unknown, request: ExpressRequest, response: ExpressResponse, next: Next) => void;

export interface Application {
  use(handler: Handler | ErrorHandler): void;
  get(path: string, ...handlers: readonly unknown[]): void;
  listen(port: number, host: string, listening: () => void): Server;
}

/** Imports a CommonJS package; the caller gives its type. */
export async function load<T>(name: string): Promise<T> {
  const module = await import(name) as { readonly default: T };
  return module.default;
}

export async function withApplication(
  port: number,
  build: (application: Application) => Promise<void>,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const express = await load<() => Application>("express");
  const application = express();
  await build(application);
  application.use((error: unknown, _request: ExpressRequest, response: ExpressResponse, _next: Next) => {
    response.status(500).json({ failed: error instanceof Error ? error.message : `${error}` });
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = application.listen(port, "localhost", () => resolve(listening));
  });
  try {
    await work(`http://localhost:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
