/** A browser at an application: it keeps the cookies, and does not follow redirects. */

export type Open = (path: string, body?: string) => Promise<Response>;

/** Returns a function that opens a path of the application. With a body, it sends a POST. */
export function createBrowser(
  origin: string,
  answer: (request: Request) => Promise<Response>,
): Open {
  const cookies = new Map<string, string>();
  return async (path, body) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const isJson = body?.startsWith("{");
    const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
    const response = await answer(
      new Request(new URL(path, origin), {
        redirect: "manual",
        headers: { cookie, origin, ...(body === undefined ? {} : { "content-type": type }) },
        ...(body === undefined ? {} : { method: "POST", body }),
      }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
}

/** Returns the address to which the application redirects. */
export async function locationOf(response: Response): Promise<URL> {
  const { status, headers } = response;
  const location = headers.get("location");
  if (location === null) throw new Error(`the application answers ${status}: ${await response.text()}`);
  return new URL(location, "https://app.test");
}
