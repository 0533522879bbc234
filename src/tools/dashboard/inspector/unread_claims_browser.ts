/** In a page, the inspector gives no advice about claims: the client is beside it, and its bundle has no room. */

export function adviseUnreadClaims(): undefined {
  return undefined;
}
