/** Flags: how they are read, and the one-line message for a wrong one. */

import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../../../src/tools/cli/command_error.ts";
import { readFlags } from "../../../src/tools/cli/flags.ts";
import { nearest } from "../../../src/server/schema/nearest.ts";
import { test } from "../../runner.ts";

const table = {
  port: {
    value: "PORT",
    help: "Port.",
    accepts: (value: string) => /^\d+$/.test(value),
    expected: "a number",
  },
  host: { value: "HOST", help: "Port." },
  open: { help: "Open." },
} as const;

test("flags: values, switches and operands are distinguished", () => {
  assertEquals(readFlags(["--port", "1", "--open", "--host=::1"], table), {
    flags: { port: "1", open: true, host: "::1" },
    operands: [],
  });
  assertEquals(readFlags(["alice", "--open"], table, { operands: 1 }).operands, ["alice"]);
  assertEquals(readFlags(["--port", "1", "--port", "2"], table).flags, { port: "2" });
});

test("flags: a wrong flag is refused with one sentence that says what was expected", () => {
  const complaints: readonly (readonly [args: readonly string[], message: string])[] = [
    [["--prot", "1"], "there is no flag --prot: did you mean --port?"],
    [["--verbose"], "there is no flag --verbose: --help lists them"],
    [["--port"], "--port needs a value: a number"],
    [["--port", "--open"], "--port needs a value: a number"],
    [["--port", "http"], '--port must be a number, not "http"'],
    [["--open=yes"], "--open takes no value"],
    [["--constructor"], "there is no flag --constructor: --help lists them"],
    [["alice"], 'unexpected argument "alice"'],
  ];
  for (const [args, message] of complaints) {
    const error = assertThrows(() => readFlags(args, table), CommandError);
    assertEquals([error.message, error.exitCode], [message, 2]);
  }
});

test("flags: the suggested name differs in few letters", () => {
  const known = ["port", "issuer", "config", "login"];
  assertEquals(["prot", "ports", "prt", "isuer", "configure", "logn"].map((word) => nearest(word, known)), [
    "port",
    "port",
    "port",
    "issuer",
    undefined,
    "login",
  ]);
  assertEquals(nearest("", known), undefined);
});

test("flags: an optional value is the next argument, or follows an equals sign", () => {
  const table = {
    control: { value: "[TOKEN]", optional: true, help: "Control." },
    port: { value: "PORT", help: "Port." },
    open: { help: "Open." },
  } as const;
  const read = (...args: string[]) => readFlags(args, table, { operands: 1 });
  assertEquals(read("--control").flags, { control: true });
  assertEquals(read("--control", "--port", "1").flags, { control: true, port: "1" });
  assertEquals(read("--control", "abc", "--open").flags, { control: "abc", open: true });
  assertEquals(read("--control=abc", "word"), { flags: { control: "abc" }, operands: ["word"] });
  assertEquals(read("--control=-x", "--open", "word"), {
    flags: { control: "-x", open: true },
    operands: ["word"],
  });
});
