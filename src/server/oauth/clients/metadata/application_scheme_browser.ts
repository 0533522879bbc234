/** A server inside a page answers that page, and no programs of the machine, so it needs none of their schemes. */

export type Apps = "known" | "all";

export function isApplicationUri(_uri: string): boolean {
  return false;
}

export function unfitForApp(_uri: string, _apps?: Apps): string | undefined {
  return "must be https, http on loopback, or a scheme that is a reversed domain name (com.example.app:)";
}

export function findProgram(_uri: string): string | undefined {
  return undefined;
}

export function adviseScheme(): void {}
