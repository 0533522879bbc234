/** The `fetch` that a developer gives. Apart from the requests, so that its declaration needs no types of Node. */

/** A function with the signature of `fetch`, for the requests of the server to other servers. */
export type FetchOthers = (input: string | Request, init?: RequestInit) => Promise<Response>;
