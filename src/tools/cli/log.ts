/** What `postern start` prints while it runs: lines for people, or one JSON object in each line for programs. */

import type { Journal } from "../../server/oauth/journal.ts";
import type { Colours } from "./colours.ts";
import { createLineWriter } from "./line_writer.ts";
import { describeRequest, isWorthALine } from "./request_line.ts";
import { recordRequest } from "./request_record.ts";
import { createStandardStreams, type StandardStreams } from "./standard_streams.ts";

/** The forms of the log, as `--log` names them. */
export const logForms = ["text", "json"] as const;
export type LogForm = typeof logForms[number];

export interface LogEvent {
  readonly level: "info" | "warn" | "error";
  /** What has happened, in one line. */
  readonly message: string;
  /** What people read. Default for a warning or an error: the message. An `info` event without it is for programs only. */
  readonly text?: string;
  /** More members of the JSON object. */
  readonly members?: Readonly<Record<string, unknown>>;
}

export interface Log {
  readonly write: (event: LogEvent) => void;
  /** Writes what happened to a request. */
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
      const line = text ?? `postern: ${message}`;
      if (level === "info") return out.write(line);
      // Both streams may be one file.
      out.flush();
      errors.write(line);
    },
    writeRequest(entry) {
      if (isWorthALine(entry)) out.push(() => describeRequest(entry, colours));
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
  return escapeInvisible(JSON.stringify({ time: new Date(now).toISOString(), ...members }));
}

/** Escapes what JSON allows in a string, but a terminal or a reader of lines could take for a control or a line end. */
export function escapeInvisible(json: string): string {
  return json.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
