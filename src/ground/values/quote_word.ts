/** Quotes text of others for the shells of a printed command, and says what a command leaves out. */

import { hiddenCharacters } from "./hidden_characters.ts";

/**
 * The shells for which a command is: `posix` such as bash, or `all`: these and PowerShell. A text at the command names
 * them. Windows users also paste commands of the first kind into PowerShell, so a word is the same in all of them.
 */
export type Shells = "posix" | "all";

// PowerShell takes a comma for a list. At the beginning, zsh takes `=` for the name of a program, and PowerShell `@` for
// a variable.
const bare = /^(?:-[A-Za-z]|[A-Za-z\d_./][\w.:/@+=%-]*)$/;

// All four end a text of PowerShell (about_Quoting_Rules), and only the first one a text of POSIX (XCU §2.2.2).
const singleQuotes = /['‘’‚‛]/;

// What a POSIX shell or PowerShell replaces between double quotes, and what ends them.
const notBetweenDoubleQuotes = /["“”„$`!]|\\(?=\\|$)/;

// Windows PowerShell 5.1 drops an empty word, and ends one at a double quote. A batch file such as npx.cmd reads its words
// once more.
const notOnWindows = /^$|["&|<>^]|\\$/;

/** Returns what all of these shells read back as the text. `undefined`: they would need different quotes. */
export function quoteWord(text: string, shells: Shells): string | undefined {
  return bare.test(text) ? text : quoteText(text, shells);
}

/** The same, with quotes also where no shell needs them. */
export function quoteText(text: string, shells: Shells): string | undefined {
  // A terminal obeys some of them, and what prints the command shows them in another form.
  if (text.search(hiddenCharacters) !== -1 || shells === "all" && notOnWindows.test(text)) return undefined;
  if (!singleQuotes.test(text)) return `'${text}'`;
  return notBetweenDoubleQuotes.test(text) ? undefined : `"${text}"`;
}

/** The words of one command. */
export interface CommandWords {
  /** Returns the text as a word. If that is not possible, returns `name` in its place, and `notes` says so. */
  quote(text: string, name: string, place: string): string;
  /** Lines that say where the texts are that the command leaves out. */
  readonly notes: readonly string[];
}

/** `place` and `name` of its words are never text of others. */
export function createCommandWords(shells: Shells): CommandWords {
  const notes: string[] = [];
  return {
    notes,
    quote(text, name, place) {
      // The program would take it for a flag.
      const word = text.startsWith("-") ? undefined : quoteWord(text, shells);
      if (word !== undefined) return word;
      const note = `# ${name}: ${place}. Not all shells read it as it is.`;
      if (!notes.includes(note)) notes.push(note);
      return `'${name}'`;
    },
  };
}
