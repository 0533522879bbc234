/** Reads a pasted curl command: splits it into words like a shell, reads curl's options, and makes the request. */

/** The request that the command sends. Throws where a shell or curl would read it in another way. */
export function readCurlCommand(command: string): Request {
  const [program, ...words] = splitWords(command);
  if (program !== "curl") throw new Error(`the program is ${program} instead of curl`);
  const headers = new Headers();
  const form: string[] = [];
  let url: string | undefined;
  let method = "POST";
  while (words.length > 0) {
    const word = words.shift()!;
    if (!word.startsWith("-")) {
      if (url !== undefined) throw new Error(`a second URL: ${word}`);
      url = word;
      continue;
    }
    if (word === "--globoff") continue;
    const value = words.shift();
    if (value === undefined) throw new Error(`${word} has no value`);
    switch (word) {
      case "--request":
        method = value;
        break;
      case "--user":
        headers.set("authorization", `Basic ${btoa(value)}`);
        break;
      case "--header": {
        const colon = value.indexOf(":");
        headers.set(value.slice(0, colon), value.slice(colon + 1).trim());
        break;
      }
      case "--data":
        form.push(value);
        break;
      case "--data-urlencode": {
        const equals = value.indexOf("=");
        form.push(`${value.slice(0, equals)}=${encodeURIComponent(value.slice(equals + 1))}`);
        break;
      }
      default:
        throw new Error(`unknown option: ${word}`);
    }
  }
  if (url === undefined) throw new Error("no URL");
  return new Request(url, { method, headers, body: form.join("&") });
}

/** POSIX: single quotes keep all characters, a backslash keeps one, and a backslash at a line's end joins lines. */
export function splitWords(command: string): readonly string[] {
  const words: string[] = [];
  const piece = /'([^']*)'|\\(\n)|\\([^\n])|([\w.:/=@%+,-]+)|([ \t\n]+)/y;
  let word: string | undefined;
  while (piece.lastIndex < command.length) {
    const at = piece.lastIndex;
    const match = piece.exec(command);
    if (match === null) throw new Error(`a shell would expand ${command.slice(at, at + 20)}`);
    const [, quoted, joined, escaped, plain, space] = match;
    if (joined !== undefined) continue;
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + (quoted ?? escaped ?? plain ?? "");
  }
  return word === undefined ? words : [...words, word];
}
