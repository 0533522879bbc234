/** Reads what a test runner or a program printed: the lines that say what failed. */

import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { findRootFolder } from "./github.ts";

const longestLine = 300;

/** Returns the lines without counts, durations and the members of printed objects, which may hold secrets. */
export function readOutput(output: string): readonly string[] {
  const text = shortenPaths(stripVTControlCharacters(output).replaceAll("\t", "    "));
  const plain = /^TAP version/m.test(text) ? readTap(text) : text;
  return plain.split("\n").map((line) => line.trimEnd()).filter((line) =>
    line !== "" && !boilerplate.test(line) && !isDumped(line)
  ).map((line) => isFrame.test(line) ? line.replace(/ \{$/, "") : line);
}

/** Writes the paths of this repository relative to its root, as code scanning reads them. */
function shortenPaths(text: string): string {
  const root = resolve(findRootFolder()) + sep;
  // The root of a container is part of each path.
  return root.length < 3 ? text : text.replaceAll(pathToFileURL(root).href, "").replaceAll(root, "");
}

/** Writes the failures in the Test Anything Protocol, which Node prints into a pipe, as Node prints errors elsewhere. */
function readTap(text: string): string {
  return text.replace(/^( *)---\n([^]*?)\n\1\.\.\.$/gm, (_, indent, block) => describeFailure(block, indent))
    .replace(new RegExp(`(?:${boilerplate.source})|^# `, "gm"), "");
}

function describeFailure(block: string, indent: string): string {
  const read = (name: string) => {
    const form = new RegExp(`^${indent}${name}: (?:\\|-((?:\\n(?:${indent}  .*)?)*)|(['"\`])(.*)\\2)$`, "m");
    const [, lines, , quoted = ""] = form.exec(block) ?? [];
    return lines?.trim() ?? quoted.replaceAll(/\\(?=['"`\\])/g, "");
  };
  // The test or the output above it says why.
  if (read("error") === "" || read("failureType") === "subtestsFailed" || /^ *exitCode:/m.test(block)) {
    return "";
  }
  const code = ["", "ERR_TEST_FAILURE"].includes(read("code")) ? "" : ` [${read("code")}]`;
  const stack = read("stack").split("\n").filter(Boolean).map((line) => `    at ${line.trim()}`);
  return [`${read("name") || "Error"}${code}: ${read("error")}`, ...stack].join("\n");
}

/** Of Node and its test runner. */
const boilerplate =
  /^\s*(?:---|\.\.\.|\d+\.\.\d+|TAP version \d+|test at \S+|at .*\bnode:internal\/\S+(?: \{)?|✖ failing tests:|(?:# )?Node\.js v\S+|[#ℹ] (?:Subtest: .*|[a-z_]+ [\d.]+))$/;
const isFrame = /^\s+at /;

/** A member of a printed object, or a part of its value. */
const member =
  /^(?:\s+|\s*[{[]\s*)(?:\[[\w() ]+\]|["']?([\w$-]+)["']?): (?:(["'`])(?:(?!\2).)*\2(?: \+)?|-?[\d.]+n?|true|false|null|undefined|(?:[\w$()]+ )*[[{<].*),?$/;
const partOfValue = /^\s+(["'`])(?:(?!\1).)*\1(?: \+)?,?$|^\s*[[\]{}()]+,?$|^\s*\^+$/;
const tellingMember =
  /^(?:[A-Z].*|code|claim|reason|error|error_description|message|name|operation|status|syscall)$/;

function isDumped(line: string): boolean {
  const [isMember, name = ""] = member.exec(line) ?? [];
  return isMember === undefined ? partOfValue.test(line) : !tellingMember.test(name) || /[[{]$/.test(line);
}

// pytest marks the lines of an error with E, and lines about its parts with +. Go names the file and the line.
const marked = /^(?:E\s+(?!\+)|\s+\S+\.go:\d+: )(?=\S)/;
const namesError = /error|exception/i;
/** A class, so that "storedError is undefined" is none. */
const quotesError = /(?<![\w$])([A-Z][\w$]*)?(Error|Exception)\b\S*:/;
const thrown = /^\s*(?:Uncaught )?(?:\[cause\]: )?(?=[A-Z][\w$]*(?: \[\w+\])*: )/;
const isSummary = /^(?:FAIL|PASS|ok|exit status|---|===)\b/;

/** Finds what failed, because the last line of a test runner is often only a count. */
export function findTellingLine(lines: readonly string[]): string {
  const found = lines.findLast((line) => marked.test(line) && namesError.test(line)) ??
    lines.findLast((line) => marked.test(line)) ??
    findThrown(lines) ??
    lines.findLast((line) => quotesError.test(line)) ??
    lines.findLast((line) => namesError.test(line)) ??
    lines.findLast((line) => !isSummary.test(line)) ??
    lines.at(-1)!;
  return found.replace(marked, "").trim().slice(0, longestLine);
}

/** Finds the message above the last stack, which may have several lines. */
function findThrown(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex((line, index) =>
    isFrame.test(line) && !isFrame.test(lines[index - 1] ?? "")
  );
  const start = lines.slice(0, Math.max(end, 0)).findLastIndex((line) =>
    isFrame.test(line) || thrown.test(line)
  );
  const first = lines[start] ?? "";
  if (!thrown.test(first)) return undefined;
  const message = [first.replace(thrown, "").replace(" [Error]: ", ": "), ...lines.slice(start + 1, end)];
  return message.map((line) => line.trim()).join(" ");
}
