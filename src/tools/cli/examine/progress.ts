/** Shows how far an examination is: in one line of a terminal that moves, and elsewhere in one line after the other. */

import { printNotice } from "../terminal/print_text.ts";

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Progress {
  /** Writes a line that stays. */
  readonly say: (line: string) => void;
  /** Writes a line that the next one replaces in a terminal. */
  readonly move: (line: string) => void;
  /** Deletes the last line that moves. */
  readonly end: () => void;
}

// Goes to the begin of the line, and deletes it.
const deletesLine = "\r\x1b[K";

export function createProgress(
  stream: Terminal & { write(text: string): unknown },
  print: (line: string) => void = printNotice,
): Progress {
  const end = () => void (stream.isTTY && stream.write(deletesLine));
  return {
    end,
    say(line) {
      end();
      print(line);
    },
    move(line) {
      if (!stream.isTTY) print(line);
      // A line that is wider would not be deleted as a whole.
      else stream.write(deletesLine + line.slice(0, (stream.columns || 80) - 1));
    },
  };
}
