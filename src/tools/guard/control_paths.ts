/** The paths of the control plane. */

/** The path of the control plane. No tenant can have the name "_postern". */
export const controlPath = "/_postern";

/** The path of the OpenAPI document. */
export const documentPath: string = `${controlPath}/openapi.json`;

/** Returns the path of the control plane for a tenant. `undefined` means the server itself. */
export function controlBase(tenantName: string | undefined): string {
  return tenantName === undefined ? controlPath : `${controlPath}/tenants/${encodeURIComponent(tenantName)}`;
}
