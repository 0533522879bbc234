/** The issuer of a mock, which changes to the origin of the port when the mock starts to listen. */

export interface MovableIssuer {
  readonly url: string;
  readonly origin: string;
  /** The path of the URL without a trailing slash. */
  readonly basePath: string;
  moveTo(url: string): void;
}

export function createMovableIssuer(first: string): MovableIssuer {
  let url = first;
  // Parsed once, because each request reads the origin. Parsed at the first use, because by then the server has checked
  // the URL and has reported a mistake with a better message.
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
