/** What `postern start` prints while it runs: lines for people, or one JSON object in each line for programs. */

import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import type { Advice, Journal, JournalEntry, Refusal } from "../../../server/oauth/contracts/journal.ts";
import { readResource } from "../../../kit/mock/journal/recorded_request.ts";
import { outcomeOf } from "../../../kit/mock/journal/outcome_of.ts";
import type { Colours } from "../terminal/colours.ts";
import { createLineWriter } from "./line_writer.ts";
import { disarm, showText } from "../terminal/print_text.ts";
import { describeFault, describeRequest, isWorthALine } from "./request_line.ts";
import type { Members } from "../../../ground/values/members.ts";
import { redactFacts, redactText } from "../../../server/oauth/secrets/redaction.ts";
import { quote, visibleLines } from "../../../ground/values/visible.ts";
import { escapeHidden } from "../../../ground/values/hidden_characters.ts";
import { present } from "../../../ground/values/present.ts";
import { findRuntimeName } from "../../../server/runtime/runtime_name.ts";

export const logForms = ["text", "json"] as const;
export type LogForm = typeof logForms[number];

export interface LogEvent {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** What people read. Default for a warning or an error: the message. An `info` event without it is for programs only. */
  readonly text?: string;
  readonly members?: Readonly<Record<string, unknown>>;
}

export interface Log {
  readonly write: (event: LogEvent) => void;
  readonly writeRequest: Journal;
}

export function createLog(
  form: LogForm,
  colours: Colours,
  streams: StandardStreams = createStandardStreams(),
): Log {
  return form === "json" ? createJsonLog(streams) : createTextLog(colours, streams);
}

function createTextLog(colours: Colours, { write, unblock }: StandardStreams): Log {
  const describeLoss = (lines: number) => `postern: ${nameLoss(lines)}`;
  const out = createLineWriter({ write: (octets) => write("stdout", octets), describeLoss, begin: unblock });
  const errors = createLineWriter({ write: (octets) => write("stderr", octets), describeLoss });
  return {
    write({ level, message, text }) {
      if (level === "info" && text === undefined) return;
      const line = text === undefined ? showText(`postern: ${message}`) : disarm(text);
      if (level === "info") return out.write(line);
      // Both streams may be one file.
      out.flush();
      errors.write(line);
    },
    writeRequest(entry) {
      if (isWorthALine(entry)) out.push(() => disarm(describeRequest(entry, colours)));
    },
  };
}

/** Everything goes to standard output, because two streams have no common order. */
function createJsonLog({ write, unblock }: StandardStreams): Log {
  const out = createLineWriter({
    write: (octets) => write("stdout", octets),
    describeLoss: (lines) => describeEvent({ level: "warn", message: nameLoss(lines), lost_lines: lines }),
    begin: unblock,
  });
  return {
    write: ({ level, message, members }) => out.write(describeEvent({ level, message, ...members })),
    writeRequest(entry) {
      if (!isWorthALine(entry)) return;
      const now = Date.now();
      out.push(() => describeEvent(recordRequest(entry), now));
    },
  };
}

function nameLoss(lines: number): string {
  const what = lines === 1 ? "1 line is" : `${lines} lines are`;
  return `${what} missing here, because the output did not take them in time`;
}

function describeEvent(members: Readonly<Record<string, unknown>>, now = Date.now()): string {
  // RFC 3339. It is the time of the event, because a test may turn the clock of the server.
  return disarm(escapeHidden(JSON.stringify({ time: new Date(now).toISOString(), ...members })));
}

/** Without secrets. A member without a value is absent. */
export function recordRequest(entry: JournalEntry): Members {
  const { id, request, response: { status }, duration, trace } = entry;
  // The other members have no secrets.
  const path = quote(redactText(request.path)), facts = redactFacts(entry.facts);
  const { api } = readResource(facts);
  const url = api && quote(api);
  const { refusal, advice, altered, fault } = facts;
  const outcome = outcomeOf(entry);
  const reason = refusal === undefined ? "" : ` ${refusal.error} (${refusal.reason})`;
  return {
    level: outcome === "failed" ? "error" : outcome === "refused" || advice !== undefined ? "warn" : "info",
    message: `${request.method} ${url ?? path} ${status}${reason}`,
    method: request.method,
    path,
    ...present({ url }),
    status,
    duration_ms: Math.round(duration * 1_000_000) / 1000,
    outcome,
    ...(refusal === undefined ? {} : describeReason(refusal)),
    ...present({ advice: advice && describeReason(advice) }),
    ...quoted({ client_id: facts.clientId, subject: facts.subject, grant_type: facts.grantType }),
    ...present({ client_is_unknown: facts.clientIsUnknown || undefined }),
    ...present({ subject_is_new: facts.subjectIsNew || undefined }),
    ...quoted({ flow: facts.flow, request_id: id, trace_id: trace?.traceId, parent_id: trace?.parentId }),
    ...present({ altered_by: altered?.map(({ by }) => quote(by)) }),
    ...present({ fault: status >= 500 && fault !== undefined ? describeFault(fault) : undefined }),
  };
}

// Characters. A remedy that is cut could not be pasted.
const longestRemedy = 1000;

function describeReason(
  { description, spec, expected, redirectUris: _, received, looksLike, instead, remedy, ...names }:
    | Refusal
    | Advice,
): Members {
  return {
    ...names,
    ...quoted({ description, rule: spec, expected, received }),
    ...present({ looks_like: looksLike, instead }),
    ...present({
      remedy: remedy === undefined || remedy.length > longestRemedy ? undefined : visibleLines(remedy),
    }),
  };
}

/** Returns the members that have a value. Text of a request is cut after some hundred characters. */
function quoted(members: Readonly<Record<string, string | undefined>>): Members {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, text]) => text === undefined ? [] : [[name, quote(text)]]),
  );
}

export interface StandardStreams {
  /** Returns how many octets it has written. Throws `EAGAIN` if the stream is a full pipe that does not block. */
  write(name: "stdout" | "stderr", octets: Uint8Array): number;
  /** Lets a write to a full pipe fail. Node and Bun do so always, and Deno blocks the whole process. */
  unblock(): void;
}

// A pipe takes so many octets whole or not at all (POSIX, PIPE_BUF).
const leastPipe = 512;
const lineFeed = 10;

function createStandardStreams(): StandardStreams {
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
