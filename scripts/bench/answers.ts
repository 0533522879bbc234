/** Reads the answers of a server, and describes a wrong one. */
import { findHeader, type HttpAnswer } from "./http_connection.ts";

export type Members = Readonly<Record<string, unknown>>;

/** Returns the members of the JSON object in a 200 response, and no members for any other status. */
export function readMembers({ status, body }: HttpAnswer): Members {
  return status === 200 ? JSON.parse(body) as Members : {};
}

export function isJwt(value: unknown): value is string {
  return typeof value === "string" && value.split(".").length === 3;
}

export function wrongAnswer(exchange: string, expected: string, answer: HttpAnswer): Error {
  const { status, body } = answer;
  const location = findHeader(answer, "location");
  const received = `${status} ${location ? `to ${location} ` : ""}${body}`.replace(/\s+/g, " ").trim();
  return new Error(`${exchange}: expected ${expected}, received ${received.slice(0, 300)}`);
}
