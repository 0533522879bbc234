/** Requests as text, written before the measured time as far as possible. */
import type { BenchClient } from "./clients.ts";
import type { HttpConnection } from "./http_connection.ts";

export function createGet({ host }: HttpConnection, target: string, headers = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
}

/** A form that the client posts with its credentials; `parameters` are URL-encoded and ASCII. `headers` are lines. */
export function createClientPost(
  { host }: HttpConnection,
  path: string,
  { client_id: id, client_secret: secret }: BenchClient,
): (parameters: string, headers?: string) => string {
  const authorization = secret === undefined ? "" : `Authorization: Basic ${btoa(`${id}:${secret}`)}\r\n`;
  const suffix = secret === undefined ? `&client_id=${id}` : "";
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n${authorization}` +
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ";
  return (parameters, headers = "") =>
    `${head}${parameters.length + suffix.length}\r\n${headers}\r\n${parameters}${suffix}`;
}
