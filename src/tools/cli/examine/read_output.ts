/** Reads what a test runner or a program printed: the lines that say what failed. */

import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { findRootFolder } from "./github.ts";

// A card shows less.
const longestLine = 5000;

/** Returns the lines without counts, durations and the members of printed objects, which may hold secrets. */
export function readOutput(output: string): readonly string[] {
  const text = shortenPaths(stripVTControlCharacters(output).replaceAll("\t", "    "));
  const plain = /^TAP version/m.test(text) ? readTap(text) : text;
  return plain.split("\n").map((line) => line.trimEnd()).filter((line) =>
    line !== "" && !isBoilerplate(line) && !isDumped(line)
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
  return text.replace(
    /^( *)---\n((?:(?!\1---$).*\n)*?)\1\.\.\.$/gm,
    (_, indent, block) => describeFailure(block, indent),
  )
    .split("\n").map((line) => isBoilerplate(line) ? "" : line.replace(/^# /, "")).join("\n");
}

function describeFailure(block: string, indent: string): string {
  const lines = block.split("\n");
  const read = (name: string) => {
    const start = `${indent}${name}: `;
    const at = lines.findIndex((line) => line.startsWith(start));
    const value = lines[at]?.slice(start.length) ?? "";
    if (value === "|-") {
      const below = lines.slice(at + 1);
      const end = below.findIndex((line) => line !== "" && !line.startsWith(`${indent}  `));
      return below.slice(0, end === -1 ? undefined : end).join("\n").trim();
    }
    const [, , quoted = ""] = /^(['"`])(.*)\1$/.exec(value) ?? [];
    return quoted.replaceAll(/\\(?=['"`\\])/g, "");
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
const ownLine =
  /^\s*(?:---|\.\.\.|\d+\.\.\d+|TAP version \d+|test at \S+|✖ failing tests:|(?:# )?Node\.js v\S+|[#ℹ] (?:Subtest: .*|[a-z_]+ [\d.]+))$/;
const ownFrame = /^\s*at .*\bnode:internal\//;
const isFrame = /^\s+at /;

function isBoilerplate(line: string): boolean {
  return ownLine.test(line) || ownFrame.test(line);
}

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
const quotedError = /^([A-Z][\w$]*)?(Error|Exception)([[(].*)?:$/;
const words = /[\w$]+(?:[[(][^\s[\]()]*[\])])?:?/g;
const thrown = /^\s*(?:Uncaught )?(?:\[cause\]: )?(?=[A-Z][\w$]*(?: \[\w+\])*: )/;
const isSummary = /^(?:FAIL|PASS|ok|exit status|---|===)\b/;

/** Finds what failed, because the last line of a test runner is often only a count. */
export function findTellingLine(lines: readonly string[]): string {
  const found = lines.findLast((line) => marked.test(line) && namesError.test(line)) ??
    lines.findLast((line) => marked.test(line)) ??
    findThrown(lines) ??
    lines.findLast((line) => [...line.matchAll(words)].some(([word]) => quotedError.test(word))) ??
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
