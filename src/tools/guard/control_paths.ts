/** The paths of the control plane. */

/** No tenant can have the name "_postern". */
export const controlPath = "/_postern";

export const documentPath: string = `${controlPath}/openapi.json`;

/** `undefined` means the server itself. */
export function controlBase(tenantName: string | undefined): string {
  return tenantName === undefined ? controlPath : `${controlPath}/tenants/${encodeURIComponent(tenantName)}`;
}
