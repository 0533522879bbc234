/** A server in a web page has no clients but those of the page, so a weaker check puts no other client at risk. */

export const losses: Readonly<Record<string, string>> = {};

export function whoMayOmitPkce(): string {
  return "";
}

export const otherLibrary = "use another library";
