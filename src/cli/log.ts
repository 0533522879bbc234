/** What `postern start` prints while it runs: lines for people, or one JSON object in each line for programs. */

import type { Journal } from "../oauth/journal.ts";
import type { Colours } from "./colours.ts";
import { describeRequest, isWorthALine } from "./request_line.ts";
import { recordRequest } from "./request_record.ts";

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

export function createLog(form: LogForm, colours: Colours): Log {
  return form === "json" ? createJsonLog() : createTextLog(colours);
}

function createTextLog(colours: Colours): Log {
  return {
    write({ level, message, text }) {
      if (level !== "info") console.error(text ?? `postern: ${message}`);
      else if (text !== undefined) console.log(text);
    },
    writeRequest(entry) {
      if (isWorthALine(entry)) console.log(describeRequest(entry, colours));
    },
  };
}

/** Everything goes to standard output, because two streams have no common order. */
function createJsonLog(): Log {
  return {
    write: ({ level, message, members }) => printJson({ level, message, ...members }),
    writeRequest(entry) {
      if (isWorthALine(entry)) printJson(recordRequest(entry));
    },
  };
}

function printJson(members: Readonly<Record<string, unknown>>): void {
  // RFC 3339. It is the time of the line, because a test may turn the clock of the server.
  const text = JSON.stringify({ time: new Date().toISOString(), ...members });
  console.log(escapeInvisible(text));
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
