/** The redirect statuses (Fetch Standard §2.2.3). */

/** A `Location` with any other status, such as 201, is no redirect. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
