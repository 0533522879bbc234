/** The issuer of a mock: it moves to the port when the mock begins to listen. */

export interface MovableIssuer {
  readonly url: string;
  readonly origin: string;
  /** The path of the URL, without a slash at its end. */
  readonly basePath: string;
  moveTo(url: string): void;
}

export function createMovableIssuer(first: string): MovableIssuer {
  let url = first;
  // Parsed at the first use, and once, because each request asks: the server that is created before explains a bad URL.
  let parsed: Parsed | undefined;
  const read = () => parsed ??= parse(url);
  return {
    get url() {
      return url;
    },
    get origin() {
      return read().origin;
    },
    get basePath() {
      return read().basePath;
    },
    moveTo(next) {
      url = next;
      parsed = undefined;
    },
  };
}

type Parsed = Pick<MovableIssuer, "origin" | "basePath">;

function parse(issuer: string): Parsed {
  const { origin, pathname } = new URL(issuer);
  return { origin, basePath: pathname.replace(/\/$/, "") };
}
