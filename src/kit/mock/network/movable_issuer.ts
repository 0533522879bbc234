/** The issuer of a mock, which changes to the origin of the port when the mock starts to listen. */

export interface MovableIssuer {
  readonly url: string;
  readonly place: IssuerPlace;
  moveTo(url: string): void;
}

interface IssuerPlace {
  readonly origin: string;
  /** The URL of a tenant is this URL, a slash and the name of the tenant. */
  readonly tenantsUrl: string;
  readonly tenantsPath: string;
  /** The name of the mock itself, if its issuer is beside those of its tenants. */
  readonly ownName: string | undefined;
}

/** With `namesIssuers`, the issuers of tenants are beside the issuer of the mock, and not below it. */
export function createMovableIssuer(first: string, namesIssuers: boolean): MovableIssuer {
  let url = first;
  // Parsed at the first use: by then, the server has reported a mistake with a better message.
  let parsed: IssuerPlace | undefined;
  return {
    get url() {
      return url;
    },
    get place() {
      return parsed ??= parse(url, namesIssuers);
    },
    moveTo(next) {
      url = next;
      parsed = undefined;
    },
  };
}

function parse(issuer: string, namesIssuers: boolean): IssuerPlace {
  const { origin, pathname } = new URL(issuer);
  const basePath = pathname.replace(/\/$/, "");
  const hasSiblings = namesIssuers && basePath !== "";
  const tenantsPath = hasSiblings ? basePath.slice(0, basePath.lastIndexOf("/")) : basePath;
  return {
    origin,
    tenantsUrl: origin + tenantsPath,
    tenantsPath,
    ownName: hasSiblings ? basePath.slice(tenantsPath.length + 1) : undefined,
  };
}
