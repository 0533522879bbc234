/** Flags: how they are read, and the one-line message for a wrong one. */

import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import { type Flag, type Flags, readFlags } from "../../../src/tools/cli/terminal/flags.ts";
import { assertKept, readList } from "./assert_kept.ts";
import { commands } from "../../../src/tools/cli/commands/commands.ts";
import { nearest } from "../../../src/ground/schema/nearest.ts";
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
});

test("flags: a wrong flag is refused with one sentence that says what was expected", () => {
  const complaints: readonly (readonly [args: readonly string[], message: string])[] = [
    [["--prot", "1"], "there is no flag --prot: did you mean --port?"],
    [["--verbose"], "there is no flag --verbose: --help lists them"],
    [["--port"], "--port needs a value: a number"],
    [["--port", "--open"], "--port needs a value: a number"],
    [["--port", "http"], '--port must be a number, not "http"'],
    [["--port", "http://ann:a@b@as.test"], '--port must be a number, not "http://…@as.test"'],
    [["--port", "ann:a@b@as.test"], '--port must be a number, not "ann:…@as.test"'],
    [["--open=yes"], "--open takes no value"],
    [["--constructor"], "there is no flag --constructor: --help lists them"],
    [["alice"], 'unexpected argument "alice"'],
    [["--port", "1", "--port", "2"], "--port is given more than once: give it once"],
    [["--port", "1", "--open", "--port=1"], "--port is given more than once: give it once"],
    [["--open", "--open"], "--open is given more than once: give it once"],
    [["--open", "--no-open"], "there is no flag --no-open: --help lists them"],
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

for (const [name, load] of Object.entries(commands)) {
  const { flags } = await load();

  test(`flags: one of ${name} that is given twice is a list, or refused`, () => {
    for (const [flag, { accepts: _accepts, ...terms }] of Object.entries(flags)) {
      const { value, optional, separator } = terms;
      const forms = [...(value === undefined || optional ? [`--${flag}`] : []), `--${flag}=a`, `--${flag}=b`];
      const given = value === undefined ? forms.slice(0, 1) : forms;
      const table: Flags = { [flag]: terms };
      const read = (...args: readonly string[]): unknown => readFlags(args, table).flags[flag];
      for (const args of given.flatMap((first) => given.map((second) => [first, second]))) {
        if (separator === undefined) {
          const { message } = assertThrows(() => read(...args), CommandError, undefined, `${args}`);
          assertEquals(message, `--${flag} is given more than once: give it once`);
        } else {
          const values = args.map((each) => each.slice(-1));
          assertEquals(read(...args), values.join(separator));
          assertEquals(read(...args, `--${flag}`, `c${separator}d`), [...values, "c", "d"].join(separator));
        }
      }
    }
  });

  test(`flags: the help of ${name} says which flags take several values`, () => {
    const said = {
      ",": /several with commas|names with commas/,
      " ": /several with spaces|such as "\w+ \w+"/,
    };
    for (const [flag, { separator, help, expected = "" }] of Object.entries(flags)) {
      const found = Object.entries(said).find(([, form]) => form.test(help + expected))?.[0];
      assertEquals([flag, found], [flag, separator]);
    }
  });
}

const values = readList("flag_values")[0]!;
const shorten = (text: string) => text.length < 20 ? `"${text}"` : `"${text.slice(-4)}" of ${text.length}`;

function describeFlag(name: string, { accepts, readOption, help: _help, ...facts }: Flag): string {
  const taken = accepts === undefined ? [] : values.filter(accepts).map(shorten);
  const read = readOption === undefined ? "" : `a,b is ${JSON.stringify(readOption("a,b"))}`;
  return [`--${name}`, JSON.stringify(facts), read, ...taken].filter((part) => part !== "").join(" ");
}

test("flags: each has its facts, and takes the values that it says", () => {
  assertEquals(readList("flags").map(([name]) => name), Object.keys(commands));
  return assertKept("flags", async (name) => {
    const { flags } = await commands[name]!();
    return Object.entries(flags).map((each) => describeFlag(...each)).join("\n");
  });
});
