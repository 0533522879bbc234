/** Words of commands: real POSIX shells read them back, and so does PowerShell by its documented rules. */

import { assert, assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { createCommandWords, quoteWord, type Shells } from "../../../src/ground/values/quote_word.ts";
import { test } from "../../runner.ts";

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

/** Each character alone, at the beginning, in the middle, at the end and twice, and what shells interpret. */
const texts: readonly string[] = [
  ...printable.flatMap((
    each,
  ) => [each, `${each}b`, `a${each}b`, `a${each}`, `a ${each}${each} b`, `it's${each}`]),
  ..."$(id) ${HOME} `id` $'\\x41' !! !id ~root a=~ {a,b} {1..3} [a-z] *.ts a;id a|id a&&id a>b a<b #a a#b \\n -x --x"
    .split(" "),
  ..."@args @(id) &{id} --% %PATH% ,a a,b 1kb 0x10 .. ./a a:b -a:b $env:HOME $(id) `n “a” ‘a’ ’a ‚a‛ –a"
    .split(" "),
  ...[
    "it's $HOME",
    "it's “a”",
    "a\\b's\\c",
    "a's\\\\b",
    "a's\\",
    "",
    " ",
    "ü 🗝",
    "a\nb",
    "a\tb",
    "\u001b[2J",
    "\u202ea",
  ],
];

/** What a shell gives a program, for words without control characters. */
function readBack(shell: string, words: readonly string[]): readonly string[] | undefined {
  const { stdout, stderr, status, error } = spawnSync(shell, ["-c", `printf '%s\\0' ${words.join(" ")}`], {
    encoding: "utf8",
  });
  if (error !== undefined) return undefined;
  assertEquals([status, stderr], [0, ""]);
  return stdout.split("\0").slice(0, -1);
}

const quoted = (shells: Shells) =>
  texts.flatMap((text) => {
    const word = quoteWord(text, shells);
    return word === undefined ? [] : [[text, word] as const];
  });

for (const shell of ["bash", "sh"]) {
  const name = `quotes: ${shell} reads each word back as its text, and replaces nothing in it`;
  if (readBack(shell, ["a"]) === undefined) test.skip(name, `there is no ${shell}`);
  else {
    test(name, () => {
      for (const shells of ["posix", "all"] as const) {
        const all = quoted(shells);
        assertEquals(readBack(shell, all.map(([, word]) => word)), all.map(([text]) => text));
      }
    });
  }
}

/**
 * Reads a word as PowerShell does (about_Quoting_Rules, about_Parsing, about_Special_Characters). Throws where it would
 * not give a program exactly this text, also through Windows PowerShell 5.1 and a batch file.
 */
function readByPowerShell(word: string): string {
  const [, single, double, plain] =
    /^(?:'([^'‘’‚‛]*)'|"([^"“”„$`]*)"|(-[A-Za-z]|[A-Za-z\d_./][\w.:/@+=%-]*))$/.exec(word) ?? [];
  const text = single ?? double ?? plain;
  if (text === undefined) throw new Error(`PowerShell would interpret ${word}`);
  if (text === "" || /["&|<>^]|\\$/.test(text)) {
    throw new Error(`a program would read ${word} in another way`);
  }
  return text;
}

test("quotes: PowerShell reads each word of a command for all shells as a POSIX shell does", () => {
  for (const [text, word] of quoted("all")) assertEquals(readByPowerShell(word), text);
});

test("quotes: what a person types is not left out, and text that no quotes keep is", () => {
  const kept = [
    "alice",
    "o'neil",
    "my file.json",
    "https://id.example/a?b=c",
    "*",
    "$(id)",
    "`id`",
    "a;b",
    "C:\\a b\\c",
  ];
  for (const text of kept) assert(quoteWord(text, "all") !== undefined, text);
  const texts = [
    "'$(id)",
    "a\nb",
    "\u202e",
    "\ud800",
    "a\u3164b",
    "\ufdd0",
    "\ufe0f",
    "’`id`",
    "it's !x",
    "'\"",
  ];
  for (const text of texts) {
    for (const shells of ["posix", "all"] as const) assertEquals(quoteWord(text, shells), undefined, text);
  }
  for (const text of ["", 'a"b', "a&b", "a|b", "a<b", "a>b", "a^b", "a\\"]) {
    assertEquals([quoteWord(text, "posix") === undefined, quoteWord(text, "all")], [false, undefined], text);
  }
});

test("quotes: a command names once what it leaves out, and takes no text for a flag", () => {
  const { quote, notes } = createCommandWords("all");
  const words = ["alice", "--issuer=https://evil.test", "'$(id)", "'`id`"]
    .map((text) => quote(text, "USERNAME", "the first person"));
  assertEquals(words, ["alice", "'USERNAME'", "'USERNAME'", "'USERNAME'"]);
  assertEquals(notes, ["# USERNAME: the first person. Not all shells read it as it is."]);
});
